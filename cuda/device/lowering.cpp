#include "lowering.h"

#include "address_spaces.h"
#include "atomics.h"
#include "calls.h"
#include "constants.h"
#include "inlining.h"
#include "intrinsics.h"
#include "kernels.h"
#include "optimisation.h"
#include "pointer_types.h"
#include "shared_memory.h"
#include "switches.h"
#include "symbols.h"
#include "tagged_accesses.h"
#include "warp_functions.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace aiwc::cuda {
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

Image lower(llvm::Module &module) {
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
  image.bitcode = bitcodeOf(module);
  return image;
}

} // namespace aiwc::cuda
