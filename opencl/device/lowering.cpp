#include "lowering.h"

#include "address_questions.h"
#include "c11_atomics.h"
#include "exchange.h"
#include "function_names.h"
#include "library.h"
#include "lowering/address_spaces.h"
#include "lowering/atomics.h"
#include "lowering/calls.h"
#include "lowering/constants.h"
#include "lowering/inlining.h"
#include "lowering/intrinsics.h"
#include "lowering/local_variables.h"
#include "lowering/optimisation.h"
#include "lowering/pointer_types.h"
#include "lowering/switches.h"
#include "lowering/tagged_accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

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

void lowerThoroughly(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module)
    lowering::joinIntegerCasts(function);
  lowering::inlineAll(module);
  lowering::simplify(module);
  takeForeignLocalVariables(module);
  lowerExchanges(module, target.subGroupSize, target.workItems);
  lowering::lowerCalls(module);
  lowering::inferAddressSpaces(module);
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    lowering::lowerTaggedAccesses(*kernel);
  answerAddressQuestions(module);
  lowering::removeGenericPointers(module);
  lowering::lowerAtomics(module);
}

} // namespace

bool lower(llvm::Module &module, const Target &target) {
  if (target.fromSpirv)
    useNamesOfOclgrind(module);
  useEventsOfOclgrind(module);
  const bool callsLibrary = linkLibrary(module);
  const bool hasAtomics = replaceAtomicFunctions(module);
  const bool isOurs = hasAtomics || callsLibrary || usesGenericPointers(module) ||
                      lowering::hasForeignLocalVariables(module);
  if (!isOurs && !target.fromSpirv)
    return false;
  askForSmallCode(module);
  if (isOurs)
    lowerThoroughly(module, target);
  lowering::optimise(module);
  if (isOurs || target.fromSpirv) {
    lowering::lowerIntrinsics(module);
    lowering::widenSwitches(module);
  }
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    lowering::expandAddressArithmetic(*kernel);
  return true;
}

} // namespace aiwc::opencl
