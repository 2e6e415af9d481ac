#include "decoding/retry_loops.h"

#include "decoding/builtins.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Instructions.h>

namespace aiwc::decoding {
namespace {

/// The value that a compare-and-swap expects in memory; null for other atomics.
const llvm::Value *expectedBy(const llvm::Instruction &atomic) {
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&atomic);
  const std::string_view name = call ? calledName(*call) : "";
  return name == "atomic_cmpxchg" || name == "atom_cmpxchg" ? call->getArgOperand(1) : nullptr;
}

bool goesOnWhileDifferent(const llvm::BasicBlock &block, const llvm::Value *a,
                          const llvm::Value *b) {
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  const auto *compare = branch && branch->isConditional()
                            ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                            : nullptr;
  return compare && compare->isEquality() &&
         branch->getSuccessor(compare->getPredicate() == llvm::ICmpInst::ICMP_NE ? 0 : 1) ==
             &block &&
         ((compare->getOperand(0) == a && compare->getOperand(1) == b) ||
          (compare->getOperand(0) == b && compare->getOperand(1) == a));
}

} // namespace

bool onlyTriesAgain(const llvm::Instruction &atomic) {
  const llvm::BasicBlock &block = *atomic.getParent();
  const auto *expected = llvm::dyn_cast_or_null<llvm::PHINode>(expectedBy(atomic));
  if (!expected || expected->getParent() != &block || expected->getBasicBlockIndex(&block) < 0 ||
      expected->getIncomingValueForBlock(&block) != &atomic ||
      !goesOnWhileDifferent(block, &atomic, expected))
    return false;
  llvm::SetVector<const llvm::Instruction *> derived;
  derived.insert(&atomic);
  derived.insert(expected);
  for (size_t i = 0; i < derived.size(); ++i) // which grows
    for (const llvm::Use &use : derived[i]->uses()) {
      const auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      const bool isAddress = user == &atomic && use.getOperandNo() == 0;
      if (user->getParent() != &block || isAddress ||
          (user != &atomic && (user->mayReadOrWriteMemory() || user->mayHaveSideEffects())))
        return false;
      derived.insert(user);
    }
  return true;
}

} // namespace aiwc::decoding
