#include "decoding/bounds_and_offsets.h"

#include "decoding/builtins.h"
#include "decoding/function_analyses.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

namespace aiwc::decoding {
namespace {

constexpr unsigned kLocalSpace = 3;
constexpr unsigned kDeepest = 64; ///< of nested expressions

/// A number that all work-items of a launch share: it follows from arguments, constants and sizes.
bool isUniform(const llvm::Value &value, unsigned depth = 0) {
  static constexpr auto kSizes = std::to_array<std::string_view>(
      {"get_global_size", "get_local_size", "get_enqueued_local_size", "get_num_groups",
       "get_work_dim", "get_global_offset"});
  if (llvm::isa<llvm::Constant>(value) || llvm::isa<llvm::Argument>(value))
    return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction || depth > kDeepest || llvm::isa<llvm::PHINode>(instruction) ||
      llvm::isa<llvm::AllocaInst>(instruction))
    return false;
  const auto *call = llvm::dyn_cast<llvm::CallBase>(instruction);
  if (call ? std::ranges::find(kSizes, calledName(*call)) == kSizes.end()
           : instruction->mayReadOrWriteMemory())
    return false;
  return std::ranges::all_of(
      call ? llvm::iterator_range(call->arg_begin(), call->arg_end())
           : llvm::iterator_range(instruction->op_begin(), instruction->op_end()),
      [&](const llvm::Use &operand) { return isUniform(*operand.get(), depth + 1); });
}

/// What one argument changes.
class Changes {
public:
  Changes(FunctionAnalyses &code, llvm::Argument &argument) : code_(code), argument_(argument) {}

  bool areBoundsAndOffsets() {
    follow();
    for (llvm::BasicBlock &block : code_.function)
      for (llvm::Instruction &instruction : block)
        if (!isAllowed(instruction))
          return false;
    return true;
  }

private:
  /// Finds all values that depend on the argument.
  void follow() {
    changed_.insert(&argument_);
    for (bool grows = true; grows;) {
      grows = false;
      for (llvm::BasicBlock &block : code_.function)
        for (llvm::Instruction &instruction : block)
          if (!changed_.contains(&instruction) && depends(instruction))
            grows = changed_.insert(&instruction).second;
    }
  }

  /// What memory holds is taken for data that the launch finds there.
  bool depends(const llvm::Instruction &instruction) const {
    if (instruction.getType()->isVoidTy() || llvm::isa<llvm::LoadInst>(instruction) ||
        llvm::isa<llvm::AtomicRMWInst>(instruction) ||
        llvm::isa<llvm::AtomicCmpXchgInst>(instruction))
      return false;
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
    return usesChanged(instruction) || (phi && isChosen(*phi));
  }
  bool isChanged(const llvm::Value &value) const { return changed_.contains(&value); }
  bool usesChanged(const llvm::Instruction &instruction) const {
    return std::ranges::any_of(instruction.operands(),
                               [&](const llvm::Use &operand) { return isChanged(*operand.get()); });
  }

  /// Whether branches that depend on the argument decide where the value comes from. A loop's
  /// variable is decided in the loop's body.
  bool isChosen(const llvm::PHINode &phi) const {
    const llvm::BasicBlock *join = phi.getParent();
    const auto *node = code_.dominators.getNode(join);
    if (code_.loops.isLoopHeader(join) || !node || !node->getIDom())
      return false;
    const llvm::BasicBlock *begin = node->getIDom()->getBlock();
    std::unordered_set<const llvm::BasicBlock *> seen{begin};
    std::vector<const llvm::BasicBlock *> open{begin};
    for (const llvm::BasicBlock *before : llvm::predecessors(join))
      if (seen.insert(before).second)
        open.push_back(before);
    while (!open.empty()) {
      const llvm::BasicBlock *block = open.back();
      open.pop_back();
      if (block->getTerminator()->getNumSuccessors() > 1 && usesChanged(*block->getTerminator()))
        return true;
      if (block != begin)
        for (const llvm::BasicBlock *before : llvm::predecessors(block))
          if (seen.insert(before).second)
            open.push_back(before);
    }
    return false;
  }

  bool isAllowed(llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
      return isAddress(*load->getPointerOperand(), instruction);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
      return isAddress(*store->getPointerOperand(), instruction) &&
             (!isChanged(*store->getValueOperand()) || isGlobal(*store->getPointerOperand()));
    if (auto *change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      return isAddress(*change->getPointerOperand(), instruction) &&
             (!isChanged(*change->getValOperand()) || isGlobal(*change->getPointerOperand()));
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      return !branch->isConditional() || isBound(*branch);
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return isAllowedCall(*call);
    // What only computes is allowed; what it computes may not be allowed where it is used.
    return !usesChanged(instruction) ||
           !(instruction.mayReadOrWriteMemory() || instruction.isTerminator());
  }

  static bool isGlobal(const llvm::Value &pointer) {
    const unsigned space = pointer.getType()->getPointerAddressSpace();
    return space != 0 && space != kLocalSpace;
  }

  bool isAllowedCall(const llvm::CallBase &call) const {
    if (std::ranges::none_of(call.args(),
                             [&](const llvm::Use &argument) { return isChanged(*argument.get()); }))
      return true;
    const auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
    if (!callee || !callee->isDeclaration())
      return false;
    const BuiltinTraits traits = builtinTraits(call, *callee);
    return traits.memory == trace::MemoryKind::kNone && !traits.barrier && !traits.meeting &&
           std::ranges::none_of(call.args(), [](const llvm::Use &argument) {
             return argument->getType()->isPointerTy();
           });
  }

  bool isAddress(llvm::Value &pointer, const llvm::Instruction &user) {
    return movesOnly(pointer, user, false);
  }

  /// Whether the branch ends a loop, or tells some work-items from others.
  bool isBound(llvm::BranchInst &branch) {
    llvm::Value &condition = *branch.getCondition();
    if (!isChanged(condition))
      return true;
    if (isUniform(condition) && !endsLoop(branch))
      return false; // all work-items take another way
    return isComparison(condition, branch, 0);
  }

  bool endsLoop(const llvm::BranchInst &branch) const {
    const llvm::BasicBlock *block = branch.getParent();
    if (const llvm::Loop *loop = code_.loops.getLoopFor(block); loop && loop->isLoopExiting(block))
      return true;
    // Or it skips a loop that would otherwise run at least once.
    return llvm::any_of(branch.successors(), [&](const llvm::BasicBlock *next) {
      const llvm::Loop *loop = code_.loops.getLoopFor(next);
      if (!loop || loop->contains(block)) {
        const llvm::BasicBlock *after = next->getSingleSuccessor();
        loop = after ? code_.loops.getLoopFor(after) : nullptr;
      }
      return loop && !loop->contains(block);
    });
  }

  /// Whether the condition is made of comparisons of numbers, each with a part that the argument
  /// shifts.
  bool isComparison(llvm::Value &condition, llvm::Instruction &user, unsigned depth) {
    if (!isChanged(condition))
      return true;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&condition);
    if (!instruction || depth > kDeepest || !condition.getType()->isIntegerTy())
      return false;
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(instruction))
      return compare->getOperand(0)->getType()->isIntegerTy() &&
             movesOnly(*compare->getOperand(0), user, true) &&
             movesOnly(*compare->getOperand(1), user, true);
    const auto opcode = instruction->getOpcode();
    const bool joins = opcode == llvm::Instruction::And || opcode == llvm::Instruction::Or ||
                       opcode == llvm::Instruction::Xor || opcode == llvm::Instruction::Select ||
                       opcode == llvm::Instruction::PHI || opcode == llvm::Instruction::Freeze;
    return joins && condition.getType()->isIntegerTy(1) &&
           std::ranges::all_of(instruction->operands(), [&](const llvm::Use &operand) {
             return isComparison(*operand.get(), user, depth + 1);
           });
  }

  /// Whether the argument adds to the value what is the same for all work-items and iterations.
  /// `isBound`: in a comparison, where the lesser or greater of two numbers is a bound as well.
  bool movesOnly(llvm::Value &value, const llvm::Instruction &user, bool isBound) {
    llvm::ScalarEvolution &evolution = code_.evolution;
    if (!evolution.isSCEVable(value.getType()))
      return !isChanged(value);
    const llvm::Loop *loop = code_.loops.getLoopFor(user.getParent());
    return movesOnly(evolution.getSCEVAtScope(&value, loop), user, isBound, 0);
  }

  bool movesOnly(const llvm::SCEV *expression, const llvm::Instruction &user, bool isBound,
                 unsigned depth) {
    if (depth > kDeepest)
      return false;
    const auto all = [&](const auto &operands) {
      return std::ranges::all_of(operands, [&](const llvm::SCEV *operand) {
        return movesOnly(operand, user, isBound, depth + 1);
      });
    };
    if (const auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(expression))
      return isKnownAt(*value->getValue(), user) &&
             (!isChanged(*value->getValue()) || isUniform(*value->getValue()) ||
              (isBound && isExtremum(*value->getValue(), user, depth)));
    if (isShared(expression))
      return true;
    if (const auto *cast = llvm::dyn_cast<llvm::SCEVCastExpr>(expression))
      return movesOnly(cast->getOperand(), user, isBound, depth + 1);
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(expression))
      return (recurrence->getLoop()->contains(user.getParent()) ||
              !isLeftBy(*recurrence->getLoop())) &&
             movesOnly(recurrence->getStart(), user, isBound, depth + 1) &&
             std::ranges::none_of(llvm::drop_begin(recurrence->operands()),
                                  [&](const llvm::SCEV *step) { return isChanged(step); });
    if (const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(expression))
      return all(sum->operands());
    if (const auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(expression))
      return !isChanged(expression) ? all(product->operands())
                                    : isScaled(*product, user, isBound, depth);
    if (const auto *extremum = llvm::dyn_cast<llvm::SCEVMinMaxExpr>(expression))
      return (isBound || !isChanged(expression)) && all(extremum->operands());
    if (const auto *quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(expression))
      return !isChanged(expression) && all(std::array{quotient->getLHS(), quotient->getRHS()});
    return llvm::isa<llvm::SCEVConstant>(expression);
  }

  /// A product moves if one factor does, and the others are the same for all work-items and do not
  /// depend on the argument.
  bool isScaled(const llvm::SCEVMulExpr &product, const llvm::Instruction &user, bool isBound,
                unsigned depth) {
    const llvm::SCEV *moved = nullptr;
    for (const llvm::SCEV *factor : product.operands())
      if (isChanged(factor)) {
        if (moved)
          return false;
        moved = factor;
      } else if (!isShared(factor)) {
        return false;
      }
    return moved && movesOnly(moved, user, isBound, depth + 1);
  }

  /// The builtins min and max.
  bool isExtremum(llvm::Value &value, const llvm::Instruction &user, unsigned depth) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&value);
    if (!call || (calledName(*call) != "min" && calledName(*call) != "max"))
      return false;
    return std::ranges::all_of(call->args(), [&](const llvm::Use &argument) {
      return code_.evolution.isSCEVable(argument->getType()) &&
             movesOnly(code_.evolution.getSCEV(argument.get()), user, true, depth + 1);
    });
  }

  /// Whether the expression is the same for all work-items and iterations.
  static bool isShared(const llvm::SCEV *expression) {
    return !llvm::SCEVExprContains(expression, [](const llvm::SCEV *part) {
      if (const auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(part))
        return !isUniform(*value->getValue());
      return llvm::isa<llvm::SCEVAddRecExpr>(part) || llvm::isa<llvm::SCEVCouldNotCompute>(part);
    });
  }
  bool isChanged(const llvm::SCEV *expression) const {
    return llvm::SCEVExprContains(expression, [&](const llvm::SCEV *part) {
      const auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return value && isChanged(*value->getValue());
    });
  }

  /// Whether the argument decides how often the loop runs.
  bool isLeftBy(const llvm::Loop &loop) const {
    llvm::SmallVector<llvm::BasicBlock *, 4> exits;
    loop.getExitingBlocks(exits);
    return std::ranges::any_of(
        exits, [&](const llvm::BasicBlock *block) { return usesChanged(*block->getTerminator()); });
  }
  /// Whether no loop that the argument ends lies between the value and its user: the value of its
  /// last iteration would depend on the argument.
  bool isKnownAt(const llvm::Value &value, const llvm::Instruction &user) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction)
      return true;
    for (const llvm::Loop *loop = code_.loops.getLoopFor(instruction->getParent());
         loop && !loop->contains(user.getParent()); loop = loop->getParentLoop())
      if (isLeftBy(*loop))
        return false;
    return true;
  }

  FunctionAnalyses &code_;
  llvm::Argument &argument_;
  std::unordered_set<const llvm::Value *> changed_;
};

} // namespace

std::vector<bool> boundsAndOffsets(const llvm::Function &kernel) {
  // The analyses only read, but have no interface for constant functions.
  FunctionAnalyses code(kernel);
  std::vector<bool> result;
  for (llvm::Argument &argument : code.function.args()) {
    const llvm::Type &type = *argument.getType();
    result.push_back((type.isIntegerTy() || type.isFloatingPointTy()) &&
                     Changes(code, argument).areBoundsAndOffsets());
  }
  return result;
}

} // namespace aiwc::decoding
