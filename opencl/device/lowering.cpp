#include "lowering.h"

#include "address_questions.h"
#include "address_spaces.h"
#include "atomics.h"
#include "c11_atomics.h"
#include "calls.h"
#include "constants.h"
#include "exchange.h"
#include "function_names.h"
#include "inlining.h"
#include "intrinsics.h"
#include "library.h"
#include "optimisation.h"
#include "pointer_types.h"
#include "switches.h"
#include "tagged_accesses.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace aiwc::opencl {
namespace {

bool usesGenericPointers(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      if (cuda::isGeneric(instruction.getType()))
        return true;
      for (const llvm::Use &operand : instruction.operands())
        if (cuda::isGeneric(operand->getType()))
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

void lowerThoroughly(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module)
    cuda::joinIntegerCasts(function);
  cuda::inlineAll(module);
  cuda::simplify(module);
  lowerExchanges(module, target.subGroupSize, target.workItems);
  cuda::lowerCalls(module);
  cuda::inferAddressSpaces(module);
  for (llvm::Function *kernel : cuda::kernelsOf(module))
    cuda::lowerTaggedAccesses(*kernel);
  answerAddressQuestions(module);
  cuda::removeGenericPointers(module);
  cuda::lowerAtomics(module);
}

} // namespace

bool lower(llvm::Module &module, const Target &target) {
  if (target.fromSpirv)
    useNamesOfOclgrind(module);
  useEventsOfOclgrind(module);
  const bool callsLibrary = linkLibrary(module);
  const bool hasAtomics = replaceAtomicFunctions(module);
  const bool isOurs = hasAtomics || callsLibrary || usesGenericPointers(module);
  if (!isOurs && !target.fromSpirv)
    return false;
  askForSmallCode(module);
  if (isOurs)
    lowerThoroughly(module, target);
  cuda::optimise(module);
  if (isOurs || target.fromSpirv) {
    cuda::lowerIntrinsics(module);
    cuda::widenSwitches(module);
  }
  for (llvm::Function *kernel : cuda::kernelsOf(module))
    cuda::expandAddressArithmetic(*kernel);
  return true;
}

} // namespace aiwc::opencl
