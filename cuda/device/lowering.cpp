#include "lowering.h"

#include "kernels.h"
#include "lowering/address_spaces.h"
#include "lowering/atomics.h"
#include "lowering/calls.h"
#include "lowering/constants.h"
#include "lowering/inlining.h"
#include "lowering/intrinsics.h"
#include "lowering/locations.h"
#include "lowering/optimisation.h"
#include "lowering/pointer_types.h"
#include "lowering/switches.h"
#include "lowering/tagged_accesses.h"
#include "shared_memory.h"
#include "symbols.h"
#include "warp_functions.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <memory>
#include <utility>
#include <vector>

namespace aiwc::cuda {

using namespace lowering; // the passes that all languages share

namespace {

std::string bitcodeOf(const llvm::Module &module) {
  std::string problem;
  llvm::raw_string_ostream text(problem);
  if (llvm::verifyModule(module, &text))
    llvm::report_fatal_error(llvm::StringRef(text.str()), false);
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out);
  return out.str();
}

} // namespace

namespace {

Image lowerAll(llvm::Module &module) {
  Image image;
  module.setTargetTriple("spir64-unknown-unknown");
  separateConstants(module);
  for (llvm::Function &function : module) {
    replaceAtomicCalls(function);
    joinIntegerCasts(function);
  }
  inlineAll(module);
  simplify(module);
  lowerWarpFunctions(module);
  checkCalls(module);
  const Symbols symbols = placeSymbols(module, image);
  addHiddenArguments(module, symbols, image);
  lowerCalls(module);
  inferAddressSpaces(module);
  for (llvm::Function *kernel : kernelsOf(module))
    lowerTaggedAccesses(*kernel);
  removeGenericPointers(module);
  lowerAtomics(module);
  optimise(module);
  lowerIntrinsics(module);
  widenSwitches(module);
  for (llvm::Function *kernel : kernelsOf(module))
    expandAddressArithmetic(*kernel);
  describeKernels(module, image);
  module.getOrInsertNamedMetadata("aiwc.cuda"); // for the plugin, which looks for the source
  image.bitcode = bitcodeOf(module);
  return image;
}

} // namespace

Image lower(llvm::Module &module, std::vector<std::string> &notes) {
  rememberNames(module);
  std::vector<Refusal> refusals;
  for (;;) {
    // A copy, since a refusal leaves the code half lowered.
    const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
    try {
      Image image = lowerAll(*copy);
      for (const Refusal &refusal : refusals) {
        image.refused.push_back({refusal.kernel, refusal.what()});
        notes.push_back(refusal.note + ": its launches fail");
      }
      return image;
    } catch (const Refusal &refusal) {
      llvm::Function *kernel = module.getFunction(refusal.kernel);
      if (!kernel || kernelsOf(module).size() == 1)
        throw refusals.empty() ? refusal : refusals.front();
      // Another kernel may call it.
      kernel->setCallingConv(llvm::CallingConv::SPIR_FUNC);
      refusals.push_back(refusal);
    }
  }
}

} // namespace aiwc::cuda
