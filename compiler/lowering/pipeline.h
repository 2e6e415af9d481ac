/// The order of the passes.
#pragma once

#include <llvm/IR/Module.h>

#include <functional>
#include <vector>

namespace aiwc::lowering {

/// A pass throws Refusal (lowering/locations.h) for what the simulator does not have.
struct Pass {
  const char *name; ///< of its file, or of what it changes if the file has several passes
  std::function<void(llvm::Module &)> run;
};

/// The passes of one language only.
struct LanguagePasses {
  std::vector<Pass> onFunctions; ///< before functions are inlined
  std::vector<Pass> onKernels;   ///< when each kernel contains all that it calls
};

/// All passes, from what clang or llvm-spirv made to what the simulator runs.
std::vector<Pass> pipeline(LanguagePasses language);

/// The last of them, which suffice for a module that uses only what OpenCL C 1.2 has.
std::vector<Pass> finalPasses();

void run(const std::vector<Pass> &passes, llvm::Module &module);

} // namespace aiwc::lowering
