#include "lowering.h"

#include "c11_atomics.h"
#include "exchange.h"
#include "function_names.h"
#include "library.h"
#include "lowering/address_spaces.h"
#include "lowering/constants.h"
#include "lowering/inlining.h"
#include "lowering/local_variables.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace aiwc::opencl {
namespace {

bool usesGenericPointers(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      if (lowering::isGeneric(instruction.getType()))
        return true;
      for (const llvm::Use &operand : instruction.operands())
        if (lowering::isGeneric(operand->getType()))
          return true;
    }
  return false;
}

/// The attributes that Oclgrind's compiler gives all functions with -Oz, on which the passes
/// depend.
void askForSmallCode(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(llvm::Attribute::MinSize);
    function.addFnAttr(llvm::Attribute::OptimizeForSize);
  }
}

/// Compilers of other languages to SPIR-V call local variables as they like.
void takeForeignLocalVariables(llvm::Module &module) {
  if (!lowering::hasForeignLocalVariables(module))
    return;
  for (llvm::Function *kernel : lowering::kernelsOf(module)) {
    lowering::expandConstants(*kernel);
    lowering::takeLocalVariables(*kernel);
  }
}

} // namespace

lowering::LanguagePasses languagePasses(const Target &target) {
  return {.onFunctions = {},
          .onKernels = {{"local_variables", takeForeignLocalVariables},
                        {"exchange", [target](llvm::Module &module) {
                           lowerExchanges(module, target.subGroupSize, target.workItems);
                         }}}};
}

bool lower(llvm::Module &module, const Target &target) {
  if (target.fromSpirv)
    useNamesOfOclgrind(module);
  useEventsOfOclgrind(module);
  const bool callsLibrary = linkLibrary(module);
  const bool hasAtomics = replaceAtomicFunctions(module);
  const bool needsAll = hasAtomics || callsLibrary || usesGenericPointers(module) ||
                        lowering::hasForeignLocalVariables(module);
  if (!needsAll && !target.fromSpirv)
    return false;
  askForSmallCode(module);
  run(needsAll ? lowering::pipeline(languagePasses(target)) : lowering::finalPasses(), module);
  return true;
}

} // namespace aiwc::opencl
