#include "lowering/common_path.h"

#include "lowering/address_spaces.h"
#include "lowering/builtins.h"
#include "lowering/locations.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/DivergenceAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/SyncDependenceAnalysis.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::Instruction;
using llvm::Value;
using Blocks = llvm::SmallSetVector<BasicBlock *, 16>;
using IsMeetingPoint = bool (*)(const Instruction &);

/// Whether threads of a block may get different values, whatever the operands are.
bool isDivergent(const Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getPointerAddressSpace() == kPrivateSpace;
  if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic())
    return true;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return call != nullptr;
  const llvm::StringRef name = baseName(callee->getName());
  return name == "get_local_id" || name == "get_global_id" || name == "get_local_linear_id" ||
         name == "get_global_linear_id" || name.startswith("__aiwc_") ||
         name.startswith("__atomic_");
}

/// What is known of the control flow; it holds until that is changed.
class Flow {
public:
  explicit Flow(llvm::Function &function)
      : dominators_(function), postDominators_(function), loops_(dominators_),
        dependence_(dominators_, postDominators_, loops_),
        divergence_(function, nullptr, dominators_, loops_, dependence_, false) {
    for (const Instruction &instruction : llvm::instructions(function))
      if (isDivergent(instruction))
        divergence_.markDivergent(instruction);
    divergence_.compute();
  }

  const llvm::DominatorTree &dominators() const { return dominators_; }
  const llvm::LoopInfo &loops() const { return loops_; }
  bool differs(const Value &value) const { return divergence_.isDivergent(value); }
  /// Where all ways from `block` meet again; null if that is the end.
  BasicBlock *meeting(BasicBlock *block) const {
    const auto *node = postDominators_.getNode(block);
    return node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  }
  /// The blocks between `from` and `end`.
  static Blocks between(BasicBlock *from, BasicBlock *end) {
    Blocks blocks;
    if (from != end)
      blocks.insert(from);
    for (size_t i = 0; i < blocks.size(); ++i)
      for (BasicBlock *next : llvm::successors(blocks[i]))
        if (next != end)
          blocks.insert(next);
    return blocks;
  }

private:
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postDominators_;
  llvm::LoopInfo loops_;
  llvm::SyncDependenceAnalysis dependence_;
  llvm::DivergenceAnalysisImpl divergence_;
};

/// A branch that differs between threads and leads to a meeting point.
struct Divide {
  BranchInst *branch = nullptr;
  BasicBlock *end = nullptr; ///< where its ways meet again
  Blocks blocks;             ///< between
};

const Instruction *meetingPointIn(const Blocks &blocks, IsMeetingPoint isMeetingPoint) {
  for (const BasicBlock *block : blocks)
    for (const Instruction &instruction : *block)
      if (isMeetingPoint(instruction))
        return &instruction;
  return nullptr;
}

Blocks blocksAfter(const Flow &flow, Instruction &terminator) {
  BasicBlock *block = terminator.getParent();
  BasicBlock *end = flow.meeting(block);
  Blocks blocks;
  for (BasicBlock *next : llvm::successors(block))
    for (BasicBlock *between : Flow::between(next, end))
      blocks.insert(between);
  return blocks;
}

/// What a block's terminator depends on if it has several ways, and these differ between threads.
const Value *differingCondition(const BasicBlock &block, const Flow &flow) {
  const Instruction *terminator = block.getTerminator();
  const Value *condition = nullptr;
  if (const auto *branch = llvm::dyn_cast<BranchInst>(terminator);
      branch && branch->isConditional())
    condition = branch->getCondition();
  else if (const auto *choice = llvm::dyn_cast<llvm::SwitchInst>(terminator))
    condition = choice->getCondition();
  return condition && flow.differs(*condition) ? condition : nullptr;
}

/// Why the ways from a block cannot become one; null if they can.
const char *obstacle(const BasicBlock &block, const Blocks &blocks, const Flow &flow) {
  for (const BasicBlock *between : blocks)
    if (!flow.dominators().properlyDominates(&block, between))
      return "in a loop whose length depends on the ";
  if (!llvm::isa<BranchInst>(block.getTerminator()) ||
      !flow.meeting(const_cast<BasicBlock *>(&block)))
    return "behind a switch over what depends on the ";
  return nullptr;
}

/// The divide with the fewest blocks, which has none inside of it.
std::optional<Divide> innermostDivide(llvm::Function &function, const Flow &flow,
                                      IsMeetingPoint isMeetingPoint, const PathWords &words) {
  std::optional<Divide> result;
  for (BasicBlock &block : function) {
    if (!differingCondition(block, flow))
      continue;
    const Blocks blocks = blocksAfter(flow, *block.getTerminator());
    const Instruction *point = meetingPointIn(blocks, isMeetingPoint);
    if (!point)
      continue;
    if (const char *reason = obstacle(block, blocks, flow))
      refuse(*point, std::string("a function of ") + words.warps + " " + reason + words.thread);
    if (!result || blocks.size() < result->blocks.size())
      result = Divide{llvm::cast<BranchInst>(block.getTerminator()), flow.meeting(&block), blocks};
  }
  return result;
}

/// Makes two branches to one side of one with two sides: the ways of the first one meet in a new
/// block, which has the second one.
void separateSides(Divide &divide) {
  BasicBlock *block = divide.branch->getParent();
  BasicBlock *second = divide.branch->getSuccessor(1);
  const Blocks first = Flow::between(divide.branch->getSuccessor(0), divide.end);
  std::vector<BasicBlock *> exits;
  for (BasicBlock *from : llvm::predecessors(divide.end))
    if (first.contains(from))
      exits.push_back(from);
  BasicBlock *middle = BasicBlock::Create(block->getContext(), "", block->getParent(), divide.end);
  for (llvm::PHINode &phi : divide.end->phis()) {
    auto *made = llvm::PHINode::Create(phi.getType(), 2, "", middle);
    for (BasicBlock *from : exits) {
      made->addIncoming(phi.getIncomingValueForBlock(from), from);
      phi.removeIncomingValue(from, false);
    }
    made->addIncoming(llvm::UndefValue::get(phi.getType()), block);
    phi.addIncoming(made, middle);
  }
  for (BasicBlock *from : exits)
    from->getTerminator()->replaceSuccessorWith(divide.end, middle);
  divide.branch->setSuccessor(1, middle);
  BranchInst::Create(divide.end, second, divide.branch->getCondition(), middle)
      ->setDebugLoc(divide.branch->getDebugLoc());
  second->replacePhiUsesWith(block, middle);
}

bool isHarmless(const Instruction &instruction, const Flow &flow, IsMeetingPoint isMeetingPoint) {
  if (isMeetingPoint(instruction))
    return true;
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return !load->isVolatile() &&
           (!flow.differs(*load->getPointerOperand()) ||
            llvm::isa<llvm::AllocaInst>(load->getPointerOperand()->stripPointerCasts()));
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      call && call->getCalledFunction() &&
      baseName(call->getCalledFunction()->getName()) == "barrier")
    return true; // all threads have to come to it
  if (llvm::isa<llvm::IntrinsicInst>(instruction) &&
      llvm::cast<llvm::IntrinsicInst>(instruction).isLifetimeStartOrEnd())
    return true;
  return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects();
}

/// Executes `instruction` only if `holds`; its value is 0 otherwise.
void guard(Instruction &instruction, Value *holds) {
  Instruction *then = llvm::SplitBlockAndInsertIfThen(holds, &instruction, false);
  llvm::BranchInst *around =
      llvm::cast<BranchInst>(then->getParent()->getSinglePredecessor()->getTerminator());
  BasicBlock *before = around->getParent(), *after = then->getSuccessor(0);
  instruction.moveBefore(then);
  if (instruction.getType()->isVoidTy() || instruction.use_empty())
    return;
  auto *result = llvm::PHINode::Create(instruction.getType(), 2, "", &after->front());
  instruction.replaceAllUsesWith(result);
  result->addIncoming(&instruction, then->getParent());
  result->addIncoming(llvm::Constant::getNullValue(instruction.getType()), before);
}

/// The way of a thread that does nothing: out of a loop, or to where the ways meet.
unsigned idleWay(const BranchInst &branch, const Flow &flow) {
  auto *block = const_cast<BasicBlock *>(branch.getParent());
  if (const llvm::Loop *loop = flow.loops().getLoopFor(block))
    for (unsigned i = 0; i < 2; ++i)
      if (!loop->contains(branch.getSuccessor(i)))
        return i;
  return branch.getSuccessor(0) == flow.meeting(block) ? 0 : 1;
}

/// The blocks that threads pass which do nothing. Their branches lead there afterwards.
Blocks redirect(const Divide &divide, BasicBlock *entry, Value *holds, const Flow &flow) {
  Blocks passed;
  passed.insert(entry);
  for (size_t i = 0; i < passed.size(); ++i) {
    Instruction *terminator = passed[i]->getTerminator();
    auto *branch = llvm::dyn_cast<BranchInst>(terminator);
    const bool leaves = branch && branch->isConditional() && flow.differs(*branch->getCondition());
    for (unsigned way = 0; way < terminator->getNumSuccessors(); ++way)
      if (BasicBlock *next = terminator->getSuccessor(way);
          next != divide.end && (!leaves || way == idleWay(*branch, flow)))
        passed.insert(next);
    if (!leaves)
      continue;
    llvm::IRBuilder<> at(branch);
    Value *condition = branch->getCondition();
    branch->setCondition(idleWay(*branch, flow) == 1 ? at.CreateAnd(condition, holds)
                                                     : at.CreateOr(condition, at.CreateNot(holds)));
  }
  return passed;
}

/// All threads take the way with a side; what it computes counts for those alone that would have
/// taken it before.
void join(Divide &divide, const Flow &flow, IsMeetingPoint isMeetingPoint) {
  BranchInst *branch = divide.branch;
  BasicBlock *block = branch->getParent();
  const unsigned side = branch->getSuccessor(0) == divide.end ? 1 : 0;
  BasicBlock *entry = branch->getSuccessor(side);
  llvm::IRBuilder<> at(branch);
  Value *holds = branch->getCondition();
  if (side == 1)
    holds = at.CreateNot(holds);
  const Blocks passed = redirect(divide, entry, holds, flow);
  std::vector<Instruction *> guarded;
  for (BasicBlock *between : passed)
    for (Instruction &instruction : *between)
      if (!isHarmless(instruction, flow, isMeetingPoint) && !instruction.isTerminator())
        guarded.push_back(&instruction);
  // What the other way would have given.
  for (llvm::PHINode &phi : divide.end->phis()) {
    Value *otherwise = phi.getIncomingValueForBlock(block);
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (BasicBlock *from = phi.getIncomingBlock(i); from != block) {
        llvm::IRBuilder<> there(from->getTerminator());
        phi.setIncomingValue(i, there.CreateSelect(holds, phi.getIncomingValue(i), otherwise));
      }
    phi.removeIncomingValue(block, false);
  }
  BranchInst::Create(entry, branch)->setDebugLoc(branch->getDebugLoc());
  branch->eraseFromParent();
  for (Instruction *instruction : guarded)
    guard(*instruction, holds);
}

} // namespace

void takeCommonPath(llvm::Function &function, IsMeetingPoint isMeetingPoint,
                    const PathWords &words) {
  if (std::none_of(llvm::inst_begin(function), llvm::inst_end(function), isMeetingPoint))
    return;
  constexpr int kMost = 10000; // each round removes a divide
  for (int i = 0; i < kMost; ++i) {
    const Flow flow(function);
    std::optional<Divide> divide = innermostDivide(function, flow, isMeetingPoint, words);
    if (!divide)
      return;
    const BranchInst &branch = *divide->branch;
    if (branch.getSuccessor(0) != divide->end && branch.getSuccessor(1) != divide->end)
      separateSides(*divide);
    else
      join(*divide, flow, isMeetingPoint);
  }
}

std::vector<Instruction *> onCommonPath(llvm::Function &function,
                                        const std::vector<Instruction *> &instructions) {
  const Flow flow(function);
  Blocks closed;
  for (BasicBlock &block : function)
    if (differingCondition(block, flow)) {
      const Blocks blocks = blocksAfter(flow, *block.getTerminator());
      if (obstacle(block, blocks, flow))
        closed.insert(blocks.begin(), blocks.end());
    }
  std::vector<Instruction *> result;
  for (Instruction *instruction : instructions)
    if (!closed.contains(instruction->getParent()))
      result.push_back(instruction);
  return result;
}

} // namespace aiwc::lowering
