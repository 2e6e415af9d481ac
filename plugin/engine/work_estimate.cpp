#include "plugin/engine/work_estimate.h"

#include "decoding/function_analyses.h"
#include "simulator/compat.h"

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace aiwc::engine {
namespace {

/// A function of OpenCL C, from its mangled name. Both are empty if that is not mangled.
struct Builtin {
  explicit Builtin(llvm::StringRef mangled) {
    size_t length = 0;
    if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length))
      return;
    name = mangled.take_front(length);
    types = mangled.drop_front(name.size());
  }

  bool isOfUnsigned() const { return !types.empty() && llvm::StringRef("htjm").contains(types[0]); }

  llvm::StringRef name, types; ///< `types`: of the parameters, a letter for each integer
};

/// What a work-item knows of itself: the first, the middle or the last in each dimension.
class Item {
public:
  enum class Place { kFirst, kMiddle, kLast };

  Item(const oclgrind::KernelInvocation &invocation, Place place)
      : invocation_(invocation), place_(place) {}

  /// What OpenCL's function `name` returns for a dimension; no value for other functions.
  std::optional<uint64_t> valueOf(llvm::StringRef name, unsigned dimension) const {
    if (name == "get_work_dim")
      return invocation_.getWorkDim();
    if (dimension > 2)
      return std::nullopt;
    const size_t global = invocation_.getGlobalSize()[dimension];
    const size_t local = invocation_.getLocalSize()[dimension];
    const size_t offset = invocation_.getGlobalOffset()[dimension];
    const size_t id = place_ == Place::kFirst    ? 0
                      : place_ == Place::kMiddle ? global / 2
                                                 : global - 1;
    if (name == "get_global_size")
      return global;
    if (name == "get_local_size" || name == "get_enqueued_local_size")
      return local;
    if (name == "get_num_groups")
      return global / local;
    if (name == "get_global_offset")
      return offset;
    if (name == "get_global_id")
      return offset + id;
    if (name == "get_group_id")
      return id / local;
    if (name == "get_local_id")
      return id % local;
    return std::nullopt;
  }

  /// The value of an integer argument of the kernel.
  std::optional<uint64_t> valueOf(const llvm::Argument &argument) const {
    const oclgrind::Kernel &kernel = *invocation_.getKernel();
    for (auto value = kernel.values_begin(); value != kernel.values_end(); ++value) {
      if (value->first != &argument || !argument.getType()->isIntegerTy() || !value->second.data)
        continue;
      uint64_t number = 0;
      const size_t bytes = size_t{value->second.size} * value->second.num;
      if (bytes > sizeof number)
        return std::nullopt;
      std::memcpy(&number, value->second.data, bytes);
      return number;
    }
    return std::nullopt;
  }

private:
  const oclgrind::KernelInvocation &invocation_;
  Place place_;
};

/// Replaces what an expression of LLVM depends on by what a work-item would have there. The result
/// is a constant if all of that is known.
class Evaluation : public llvm::SCEVRewriteVisitor<Evaluation> {
public:
  Evaluation(llvm::ScalarEvolution &evolution, const Item &item)
      : SCEVRewriteVisitor(evolution), item_(item) {}

  void setIterations(const llvm::Loop *loop, uint64_t iterations) {
    iterations_[loop] = iterations;
    RewriteResults.clear(); // they may depend on it
  }

  std::optional<uint64_t> valueOf(const llvm::SCEV *expression) {
    const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(visit(expression));
    if (!constant || constant->getAPInt().getActiveBits() > 64)
      return std::nullopt;
    return constant->getAPInt().getZExtValue();
  }

  std::optional<int64_t> signedValueOf(const llvm::SCEV *expression) {
    const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(visit(expression));
    if (!constant || constant->getAPInt().getMinSignedBits() > 64)
      return std::nullopt;
    return constant->getAPInt().getSExtValue();
  }

  /// The value in the middle of the iterations.
  const llvm::SCEV *visitAddRecExpr(const llvm::SCEVAddRecExpr *expression) {
    const auto found = iterations_.find(expression->getLoop());
    if (found == iterations_.end())
      return expression;
    llvm::Type *type = SE.getEffectiveSCEVType(expression->getType()); // a pointer's is an integer
    const llvm::SCEV *middle = SE.getConstant(type, found->second / 2);
    return visit(expression->evaluateAtIteration(middle, SE));
  }

  const llvm::SCEV *visitUnknown(const llvm::SCEVUnknown *expression) {
    const llvm::Value *value = expression->getValue();
    std::optional<uint64_t> known;
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      known = item_.valueOf(*argument);
    else if (const auto *call = llvm::dyn_cast<llvm::CallInst>(value))
      return valueOfCall(*call, expression);
    else if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value))
      return folded(*instruction, expression);
    return known ? SE.getConstant(expression->getType(), *known) : expression;
  }

private:
  const llvm::SCEV *valueOfCall(const llvm::CallInst &call, const llvm::SCEVUnknown *expression) {
    const auto *callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
    if (!callee || !callee->isDeclaration() || !expression->getType()->isIntegerTy())
      return expression;
    const Builtin builtin(callee->getName());
    if ((builtin.name == "min" || builtin.name == "max") && call.arg_size() == 2) {
      for (const llvm::Use &argument : call.args())
        if (argument->getType() != expression->getType())
          return expression;
      const llvm::SCEV *a = visit(SE.getSCEV(call.getArgOperand(0)));
      const llvm::SCEV *b = visit(SE.getSCEV(call.getArgOperand(1)));
      if (builtin.name == "min")
        return builtin.isOfUnsigned() ? SE.getUMinExpr(a, b) : SE.getSMinExpr(a, b);
      return builtin.isOfUnsigned() ? SE.getUMaxExpr(a, b) : SE.getSMaxExpr(a, b);
    }
    unsigned dimension = 0;
    if (call.arg_size() == 1) {
      const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
      if (!constant)
        return expression;
      dimension = static_cast<unsigned>(constant->getLimitedValue(3));
    }
    const std::optional<uint64_t> known = item_.valueOf(builtin.name, dimension);
    return known ? SE.getConstant(expression->getType(), *known) : expression;
  }

  /// The instruction's result, if its operands are known integers.
  const llvm::SCEV *folded(const llvm::Instruction &instruction,
                           const llvm::SCEVUnknown *expression) {
    constexpr unsigned kDeepest = 100;
    if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(
            instruction) ||
        depth_ >= kDeepest)
      return expression;
    ++depth_;
    llvm::SmallVector<llvm::Constant *, 3> operands;
    for (const llvm::Use &operand : instruction.operands()) {
      if (!SE.isSCEVable(operand->getType()) || !operand->getType()->isIntegerTy())
        break;
      const auto *known = llvm::dyn_cast<llvm::SCEVConstant>(visit(SE.getSCEV(operand.get())));
      if (!known)
        break;
      operands.push_back(known->getValue());
    }
    --depth_;
    if (operands.size() != instruction.getNumOperands())
      return expression;
    const llvm::DataLayout &layout = instruction.getModule()->getDataLayout();
    llvm::Constant *result = nullptr;
    if (const auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      result = llvm::ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0],
                                                     operands[1], layout);
    else // it only reads
      result = llvm::ConstantFoldInstOperands(const_cast<llvm::Instruction *>(&instruction),
                                              operands, layout);
    auto *number = llvm::dyn_cast_or_null<llvm::ConstantInt>(result);
    return number ? SE.getConstant(number) : expression;
  }

  const Item &item_;
  std::map<const llvm::Loop *, uint64_t> iterations_;
  unsigned depth_ = 0;
};

/// How often each block of a function is executed per call.
class Iterations {
  using Predicate = llvm::CmpInst::Predicate;

public:
  Iterations(const llvm::Function &function, const Item &item)
      : code_(function), evaluation_(code_.evolution, item) {
    isKnown_ = !code_.hasOtherCycles();
    for (const llvm::Loop *loop : code_.loops.getLoopsInPreorder())
      isKnown_ = isKnown_ && count(*loop);
  }

  /// Whether the iterations of all loops are known.
  bool areKnown() const { return isKnown_; }

  double of(const llvm::BasicBlock *block) const {
    const llvm::Loop *loop = code_.loops.getLoopFor(block);
    if (!loop)
      return 1;
    const bool isLeftAtTop = loop->isLoopExiting(loop->getHeader());
    return executions_.at(loop) - (isLeftAtTop && block != loop->getHeader() ? entries(*loop) : 0);
  }

private:
  bool count(const llvm::Loop &loop) {
    const llvm::SCEV *again = code_.evolution.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(again)) // one of several exits is known, maybe
      again = code_.evolution.getSymbolicMaxBackedgeTakenCount(&loop);
    const std::optional<uint64_t> repeats = llvm::isa<llvm::SCEVCouldNotCompute>(again)
                                                ? repeatsIfWithoutOverflow(loop)
                                                : evaluation_.valueOf(again);
    if (!repeats)
      return false;
    evaluation_.setIterations(&loop, *repeats);
    executions_[&loop] = (static_cast<double>(*repeats) + 1) * entries(loop);
    return true;
  }

  /// How often control enters the loop from outside.
  double entries(const llvm::Loop &loop) const {
    const llvm::Loop *parent = loop.getParentLoop();
    const llvm::BasicBlock *before = loop.getLoopPredecessor();
    return parent ? of(before ? before : parent->getHeader()) : 1;
  }

  /// For loops that LLVM cannot count: because the counter might overflow before its end, or
  /// because the step is the result of a call, such as of get_global_size.
  std::optional<uint64_t> repeatsIfWithoutOverflow(const llvm::Loop &loop) {
    llvm::SmallVector<llvm::BasicBlock *, 4> exits;
    loop.getExitingBlocks(exits);
    std::optional<uint64_t> fewest;
    for (const llvm::BasicBlock *block : exits) {
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      const auto *compare = branch && branch->isConditional()
                                ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                                : nullptr;
      if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
        continue;
      // The comparison that holds as long as the loop goes on.
      const bool goesOn = loop.contains(branch->getSuccessor(0));
      const Predicate predicate = goesOn ? compare->getPredicate() : compare->getInversePredicate();
      const std::pair<llvm::Value *, llvm::Value *> operands = {compare->getOperand(0),
                                                                compare->getOperand(1)};
      for (const auto &repeats : {repeatsWhile(loop, predicate, operands.first, operands.second),
                                  repeatsWhile(loop, llvm::CmpInst::getSwappedPredicate(predicate),
                                               operands.second, operands.first)})
        if (repeats)
          fewest = std::min(*repeats, fewest.value_or(*repeats));
    }
    return fewest;
  }

  /// How often the loop goes back while `counter`, which changes by the same number each time,
  /// compares so with `end`.
  std::optional<uint64_t> repeatsWhile(const llvm::Loop &loop, Predicate predicate,
                                       llvm::Value *counter, llvm::Value *end) {
    const llvm::BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
    const bool ofUnsigned = llvm::CmpInst::isUnsigned(predicate);
    const std::optional<double> last = numberOf(code_.evolution.getSCEV(end), ofUnsigned);
    if (!before || !latch || !last)
      return std::nullopt;
    for (llvm::PHINode &variable : loop.getHeader()->phis()) {
      if (variable.getType() != counter->getType())
        continue;
      const llvm::SCEV *now = code_.evolution.getSCEV(&variable);
      const auto valueFrom = [&](const llvm::BasicBlock *block) {
        return code_.evolution.getSCEV(variable.getIncomingValueForBlock(block));
      };
      const auto difference = [&](const llvm::SCEV *a) {
        return numberOf(code_.evolution.getMinusSCEV(a, now), false);
      };
      const std::optional<double> first = numberOf(valueFrom(before), ofUnsigned);
      const std::optional<double> step = difference(valueFrom(latch));
      const std::optional<double> ahead = difference(code_.evolution.getSCEV(counter));
      if (!first || !step || !ahead || *step == 0)
        continue;
      const bool isOrder = llvm::CmpInst::isRelational(predicate);
      const bool upwards =
          isOrder ? isLess(llvm::CmpInst::getStrictPredicate(predicate)) : *step > 0;
      if (upwards != (*step > 0)) // it ends when the counter overflows
        return std::nullopt;
      const double repeats = std::ceil((*last - *first - *ahead) / *step);
      if (predicate == Predicate::ICMP_EQ || (repeats < 0 && !isOrder))
        return std::nullopt;
      return static_cast<uint64_t>(std::clamp(repeats, 0.0, 1e18));
    }
    return std::nullopt;
  }

  static bool isLess(Predicate predicate) {
    return predicate == Predicate::ICMP_SLT || predicate == Predicate::ICMP_ULT;
  }

  std::optional<double> numberOf(const llvm::SCEV *expression, bool ofUnsigned) {
    if (ofUnsigned) {
      const std::optional<uint64_t> value = evaluation_.valueOf(expression);
      return value ? std::make_optional(static_cast<double>(*value)) : std::nullopt;
    }
    const std::optional<int64_t> value = evaluation_.signedValueOf(expression);
    return value ? std::make_optional(static_cast<double>(*value)) : std::nullopt;
  }

  decoding::FunctionAnalyses code_;
  Evaluation evaluation_;
  std::map<const llvm::Loop *, double> executions_; ///< of the header
  bool isKnown_ = false;
};

/// The instructions that a work-item executes in one call of each function.
class Calls {
public:
  Calls(const Item &item, const decoding::DecodedProgram &decoded)
      : item_(item), decoded_(decoded) {
    const trace::Program &program = decoded.program();
    blocks_.resize(program.functions.size());
    for (size_t i = 0; i < program.blocks.size(); ++i)
      blocks_[index(program.blocks[i].function)].push_back(static_cast<trace::BlockId>(i));
  }

  std::optional<double> instructionsOf(trace::FunctionId function) {
    const auto [entry, isNew] = known_.try_emplace(function, std::nullopt);
    if (isNew) // a function that calls itself has no value
      entry->second = computeInstructionsOf(function);
    return entry->second;
  }

private:
  std::optional<double> computeInstructionsOf(trace::FunctionId function) {
    const trace::Program &program = decoded_.program();
    const auto blockOf = [&](trace::BlockId block) {
      return (*decoded_.instructions(block))->getParent();
    };
    const llvm::Function *code = blockOf(program.function(function).entry)->getParent();
    const Iterations iterations(*code, item_);
    if (!iterations.areKnown())
      return std::nullopt;
    double instructions = 0;
    for (const trace::BlockId id : blocks_[index(function)]) {
      const trace::Block &block = program.block(id);
      double executed = block.opCount;
      if (block.end == trace::BlockEnd::kCall) {
        const std::optional<double> called = instructionsOf(block.callee);
        if (!called)
          return std::nullopt;
        executed += *called;
      }
      instructions += executed * iterations.of(blockOf(id));
    }
    return instructions;
  }

  Item item_;
  const decoding::DecodedProgram &decoded_;
  std::vector<std::vector<trace::BlockId>> blocks_; ///< per function
  std::map<trace::FunctionId, std::optional<double>> known_;
};

} // namespace

std::optional<double> estimatedInstructions(const oclgrind::KernelInvocation &invocation,
                                            const decoding::DecodedProgram &decoded) {
  double most = 0;
  for (const Item::Place place : {Item::Place::kFirst, Item::Place::kMiddle, Item::Place::kLast}) {
    const std::optional<double> instructions =
        Calls(Item(invocation, place), decoded).instructionsOf(decoded.program().kernel);
    if (!instructions)
      return std::nullopt;
    most = std::max(most, *instructions);
  }
  const oclgrind::Size3 size = invocation.getGlobalSize();
  return most * static_cast<double>(size.x) * static_cast<double>(size.y) *
         static_cast<double>(size.z);
}

} // namespace aiwc::engine
