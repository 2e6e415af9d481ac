#include "decoding/builtins.h"
#include "lowering/inlining.h"
#include "lowering/passes.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::BasicBlock;

/// The blocks in reverse post-order of a depth-first search that follows edges out of loops first.
/// So the blocks of a loop precede those to which it leads.
std::vector<BasicBlock *> blocksInOrder(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  struct Visit {
    BasicBlock *block;
    std::vector<BasicBlock *> open; ///< successors; the next one last
  };
  std::vector<BasicBlock *> order;
  llvm::SmallPtrSet<BasicBlock *, 32> seen;
  std::vector<Visit> visits;
  const auto enter = [&](BasicBlock *block) {
    if (!seen.insert(block).second)
      return;
    std::vector<BasicBlock *> next(llvm::succ_begin(block), llvm::succ_end(block));
    std::ranges::reverse(next);
    std::ranges::stable_sort(next, [&](const BasicBlock *a, const BasicBlock *b) {
      return loops.getLoopDepth(a) > loops.getLoopDepth(b);
    });
    visits.push_back({block, std::move(next)});
  };
  enter(&function.getEntryBlock());
  while (!visits.empty()) {
    Visit &visit = visits.back();
    if (visit.open.empty()) {
      order.push_back(visit.block);
      visits.pop_back();
      continue;
    }
    BasicBlock *next = visit.open.back();
    visit.open.pop_back();
    enter(next);
  }
  std::ranges::reverse(order);
  return order;
}

} // namespace

void numberMeetings(llvm::Module &module) {
  bool isAny = false;
  for (llvm::Function &function : module)
    if (decoding::isMeeting(function.getName()) && !function.use_empty()) {
      function.setCallingConv(llvm::CallingConv::SPIR_FUNC);
      isAny = true;
    }
  if (!isAny)
    return;
  for (llvm::Function *kernel : kernelsOf(module)) {
    unsigned place = 0;
    for (BasicBlock *block : blocksInOrder(*kernel))
      for (llvm::Instruction &instruction : *block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            call && call->getCalledFunction() &&
            decoding::isMeeting(call->getCalledFunction()->getName())) {
          llvm::Use &last = *(call->arg_end() - 1);
          last = llvm::ConstantInt::get(last->getType(), place++);
          call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
        }
  }
}

} // namespace aiwc::lowering
