// The passes that lower bitcode, on IR.
#include "cuda/lowering.h"
#include "cuda/passes.h"
#include "lowering/inlining.h"
#include "lowering/pass_cases.h"
#include "lowering/passes.h"
#include "opencl/device/functions.h"
#include "opencl/device/lowering.h"

#include <algorithm>

namespace {

using aiwc::lowering::Pass;

/// `change` on each kernel.
template <typename Change> auto onKernels(Change change) {
  return [change](llvm::Module &module) {
    for (llvm::Function *kernel : aiwc::lowering::kernelsOf(module))
      change(*kernel);
  };
}

/// The pipelines' passes, what they consist of, and what decides whether a pipeline runs.
std::vector<Pass> allPasses(aiwc::cuda::DeviceCode &code) {
  namespace opencl = aiwc::opencl;
  std::vector<Pass> passes = pipeline(aiwc::cuda::languagePasses(code));
  for (const Pass &pass : opencl::languagePasses({}).onKernels)
    passes.push_back(pass);
  Pass &kernels = *std::ranges::find_if(
      passes, [](const Pass &pass) { return std::string(pass.name) == "kernels"; });
  kernels.run = [&code, run = kernels.run](llvm::Module &module) {
    code = {}; // a case has a program of its own
    run(module);
  };
  const std::vector<Pass> others = {{"constants", onKernels(aiwc::lowering::expandConstants)},
                                    {"kernel_descriptions",
                                     [&code, run = kernels.run](llvm::Module &module) {
                                       run(module);
                                       describeKernels(module, code);
                                     }},
                                    {"function_names", opencl::useNamesOfOclgrind},
                                    {"events", opencl::useEventsOfOclgrind},
                                    {"library", opencl::linkLibrary},
                                    {"c11_atomics", opencl::replaceAtomicFunctions}};
  passes.insert(passes.end(), others.begin(), others.end());
  return passes;
}

} // namespace

int main(int argc, char **argv) {
  aiwc::cuda::DeviceCode code;
  return aiwc::test::runPassCases(allPasses(code), argc, argv);
}
