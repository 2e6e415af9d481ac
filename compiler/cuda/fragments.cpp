#include "fragments.h"

#include "decoding/builtins.h"
#include "lowering/inlining.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <algorithm>

namespace aiwc::cuda {
namespace {

bool multiplies(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         decoding::matrixFunction(call->getCalledFunction()->getName());
}

/// Adds the loops whose counters `index` is computed from.
void addCounted(llvm::Value *index, const llvm::LoopInfo &loops,
                llvm::SmallPtrSetImpl<llvm::Value *> &seen,
                llvm::SmallPtrSetImpl<llvm::Loop *> &found) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(index);
  if (!instruction || !seen.insert(index).second)
    return;
  if (llvm::isa<llvm::PHINode>(instruction)) {
    llvm::Loop *loop = loops.getLoopFor(instruction->getParent());
    if (loop && loop->getHeader() == instruction->getParent())
      found.insert(loop);
  } else if (llvm::isa<llvm::CastInst>(instruction) ||
             llvm::isa<llvm::BinaryOperator>(instruction)) {
    for (llvm::Use &operand : instruction->operands())
      addCounted(operand, loops, seen, found);
  }
}

} // namespace

void unrollOverFragments(llvm::Module &module) {
  for (llvm::Function *kernel : lowering::kernelsOf(module)) {
    if (std::none_of(inst_begin(kernel), inst_end(kernel), multiplies))
      continue;
    const llvm::DominatorTree dominators(*kernel);
    const llvm::LoopInfo loops(dominators);
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    llvm::SmallPtrSet<llvm::Loop *, 8> found;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
          address && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))
        for (llvm::Use &index : address->indices())
          addCounted(index, loops, seen, found);
    for (llvm::Loop *loop : found)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
  }
}

} // namespace aiwc::cuda
