#include "engine_passes/affine_offsets.h"

#include "decoding/builtins.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <utility>

namespace aiwc::engine {
namespace {

/// Wide enough for the sum of kMostTerms products of 48 and 64 bits.
__extension__ typedef __int128 Wide;

constexpr Wide kMostCoefficient = Wide{1} << 48;
constexpr Wide kMostConstant = Wide{1} << 70;
constexpr size_t kMostTerms = 16;
constexpr unsigned kDeepest = 100; ///< operands of operands

bool isGlobalOrConstant(const llvm::Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  return space == oclgrind::AddrSpaceGlobal || space == oclgrind::AddrSpaceConstant;
}

/// A number of the launch that is not known beforehand; its index in Evaluation::symbols_.
using SymbolId = size_t;

struct Bounds {
  Wide low, high;

  bool isIn(Bounds other) const { return low >= other.low && high <= other.high; }
};

Bounds signedBounds(unsigned width) {
  const Wide half = (Wide{1} << width) / 2;
  return {-half, half - 1};
}
Bounds unsignedBounds(unsigned width) {
  return {0, (Wide{1} << width) - 1};
}
Bounds unite(Bounds a, Bounds b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
Bounds intersect(Bounds a, Bounds b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Wide floorOfQuotient(Wide dividend, Wide divisor) {
  const Wide quotient = dividend / divisor;
  return quotient * divisor != dividend && (dividend < 0) != (divisor < 0) ? quotient - 1
                                                                           : quotient;
}
Wide ceilingOfQuotient(Wide dividend, Wide divisor) {
  return -floorOfQuotient(-dividend, divisor);
}

/// `constant` and, by symbol, the coefficients; none is 0.
struct Sum {
  Wide constant = 0;
  std::map<SymbolId, Wide> terms = {};
  Bounds bounds = {0, 0};

  bool isConstant() const { return terms.empty(); }
};

Sum constantSum(Wide value) {
  return {value, {}, {value, value}};
}

/// The values of a launch.
class Evaluation {
public:
  Evaluation(const FunctionAnalyses &code, const LaunchNumbers &launch)
      : code_(code), launch_(launch) {}

  std::optional<AccessOffset> offsetOf(const GlobalAccess &access) {
    const llvm::BasicBlock *block = access.instruction->getParent();
    const std::optional<Sum> sum = offset(access.pointer, block);
    if (!sum || !fits(sum->constant) || !fits(sum->bounds.low) || !fits(sum->bounds.high))
      return std::nullopt;
    AccessOffset known{static_cast<int64_t>(sum->constant),
                       {},
                       static_cast<int64_t>(sum->bounds.low),
                       static_cast<int64_t>(sum->bounds.high)};
    for (const auto &[id, coefficient] : sum->terms) {
      Term term = symbols_[id].term;
      const Bounds bounds = boundsOf(id, contextOf(block));
      if (!fits(bounds.low) || !fits(bounds.high))
        return std::nullopt;
      term.coefficient = static_cast<int64_t>(coefficient);
      term.low = static_cast<int64_t>(bounds.low);
      term.high = static_cast<int64_t>(bounds.high);
      known.terms.push_back(term);
    }
    return known;
  }

private:
  struct Symbol {
    Term term; ///< its kind and dimension
    Bounds bounds;
  };

  /// The terms of a sum, without its constant, are in these bounds.
  struct Fact {
    std::map<SymbolId, Wide> terms;
    Bounds bounds;
  };

  /// What holds in a block, because the branches that lead to it have been taken.
  struct Context {
    std::map<SymbolId, Bounds> symbols;
    std::vector<Fact> facts;
  };

  static bool fits(Wide value) { return value >= INT64_MIN && value <= INT64_MAX; }

  // Symbols

  SymbolId symbol(Term::Kind kind, unsigned dimension, uint64_t count) {
    const auto [entry, isNew] = ids_.try_emplace({kind, dimension}, symbols_.size());
    if (isNew)
      symbols_.push_back({{kind, dimension}, {0, Wide{count} - 1}});
    return entry->second;
  }

  /// The symbol of a value or a loop, which has the same bounds in each call.
  SymbolId symbolOf(const void *of, Bounds bounds, Term::Kind kind = Term::Kind::kOther) {
    const auto [entry, isNew] = others_.try_emplace(of, symbols_.size());
    if (isNew)
      symbols_.push_back({{kind}, bounds});
    return entry->second;
  }

  Bounds boundsOf(SymbolId id, const Context &context) const {
    const auto found = context.symbols.find(id);
    return found == context.symbols.end() ? symbols_[id].bounds : found->second;
  }

  // Sums

  static Bounds times(Bounds bounds, Wide factor) {
    return factor < 0 ? Bounds{bounds.high * factor, bounds.low * factor}
                      : Bounds{bounds.low * factor, bounds.high * factor};
  }

  Bounds boundsOf(const std::map<SymbolId, Wide> &terms, const Context &context) const {
    Bounds bounds{0, 0};
    for (const auto &[id, coefficient] : terms) {
      const Bounds more = times(boundsOf(id, context), coefficient);
      bounds = {bounds.low + more.low, bounds.high + more.high};
    }
    for (const Fact &fact : context.facts) {
      if (fact.terms == terms)
        bounds = intersect(bounds, fact.bounds);
      else if (areOpposite(fact.terms, terms))
        bounds = intersect(bounds, times(fact.bounds, -1));
    }
    return bounds;
  }

  static bool areOpposite(const std::map<SymbolId, Wide> &a, const std::map<SymbolId, Wide> &b) {
    return std::ranges::equal(a, b, [](const auto &one, const auto &other) {
      return one.first == other.first && one.second == -other.second;
    });
  }

  /// The sum with the bounds that it has in a block.
  Sum bounded(Sum sum, const llvm::BasicBlock *at) {
    const Bounds ofTerms = boundsOf(sum.terms, contextOf(at));
    sum.bounds = intersect(sum.bounds, {sum.constant + ofTerms.low, sum.constant + ofTerms.high});
    return sum;
  }

  std::optional<Sum> plus(const Sum &a, const Sum &b, Wide factor, const llvm::BasicBlock *at) {
    if (factor > kMostCoefficient || factor < -kMostCoefficient)
      return std::nullopt;
    Sum sum = a;
    sum.constant += b.constant * factor;
    if (sum.constant > kMostConstant || sum.constant < -kMostConstant)
      return std::nullopt;
    for (const auto &[id, coefficient] : b.terms) {
      const Wide more = coefficient * factor;
      Wide &own = sum.terms[id];
      own += more;
      for (const Wide number : {more, own})
        if (number > kMostCoefficient || number < -kMostCoefficient)
          return std::nullopt;
      if (own == 0)
        sum.terms.erase(id);
    }
    const Bounds more = times(b.bounds, factor);
    sum.bounds = {a.bounds.low + more.low, a.bounds.high + more.high};
    if (sum.terms.size() > kMostTerms)
      return std::nullopt;
    return bounded(std::move(sum), at);
  }

  /// A value of which only bounds are known, where it is computed.
  Sum unknown(const llvm::Value &value, Bounds bounds) {
    if (bounds.low == bounds.high)
      return constantSum(bounds.low);
    return {0, {{symbolOf(&value, bounds), 1}}, bounds};
  }

  Sum unknown(const llvm::Value &value) {
    const unsigned width = widthOf(value);
    return unknown(value, width == 1 ? unsignedBounds(1) : signedBounds(width));
  }

  /// The value `of`, which is one of two sums.
  Sum either(const llvm::Value &of, const Sum &a, const Sum &b) {
    const Bounds bounds = unite(a.bounds, b.bounds);
    return a.terms == b.terms && a.constant == b.constant ? Sum{a.constant, a.terms, bounds}
                                                          : unknown(of, bounds);
  }

  static unsigned widthOf(const llvm::Value &value) {
    return value.getType()->getIntegerBitWidth();
  }

  // Values

  /// What an integer of at most 64 bits is when a block that it dominates is executed.
  Sum valueOf(const llvm::Value &value, const llvm::BasicBlock *at) {
    if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&value))
      return constantSum(widthOf(value) == 1 ? Wide{constant->getZExtValue()}
                                             : Wide{constant->getSExtValue()});
    return bounded(valueOf(value), at);
  }

  /// What it is when it is computed.
  Sum valueOf(const llvm::Value &value) {
    if (const auto found = values_.find(&value); found != values_.end())
      return found->second;
    std::optional<Sum> sum;
    if (depth_ < kDeepest) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
      ++depth_;
      sum =
          compute(value, instruction ? instruction->getParent() : &code_.function.getEntryBlock());
      --depth_;
    }
    return values_.try_emplace(&value, sum ? *sum : unknown(value)).first->second;
  }

  std::optional<Sum> compute(const llvm::Value &value, const llvm::BasicBlock *at) {
    if (llvm::isa<llvm::Argument>(value)) {
      const auto number = launch_.integers.find(&value);
      if (number == launch_.integers.end())
        return std::nullopt;
      return constantSum(
          llvm::APInt(64, number->second).sextOrTrunc(widthOf(value)).getSExtValue());
    }
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction)
      return std::nullopt;
    if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(instruction))
      return ofCast(*cast, at);
    if (const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
      return ofOperation(*operation, at);
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(instruction))
      return ofCall(*call, at);
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return ofPhi(*phi, at);
    if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(instruction))
      return either(value, valueOf(*select->getTrueValue(), at),
                    valueOf(*select->getFalseValue(), at));
    if (const auto *frozen = llvm::dyn_cast<llvm::FreezeInst>(instruction))
      return valueOf(*frozen->getOperand(0), at);
    return std::nullopt;
  }

  std::optional<Sum> ofCast(const llvm::CastInst &cast, const llvm::BasicBlock *at) {
    const llvm::Value &operand = *cast.getOperand(0);
    if (!operand.getType()->isIntegerTy() || widthOf(operand) > 64)
      return std::nullopt;
    const unsigned width = widthOf(operand);
    const Sum sum = valueOf(operand, at);
    switch (cast.getOpcode()) {
    case llvm::Instruction::Trunc:
      return sum;
    case llvm::Instruction::SExt:
      if (width > 1 && sum.bounds.isIn(signedBounds(width)))
        return sum;
      return unknown(cast, width == 1 ? Bounds{-1, 0} : signedBounds(width));
    case llvm::Instruction::ZExt:
      if (sum.bounds.isIn(unsignedBounds(width)))
        return sum;
      return unknown(cast, unsignedBounds(width));
    default:
      return std::nullopt;
    }
  }

  std::optional<Sum> ofOperation(const llvm::BinaryOperator &operation,
                                 const llvm::BasicBlock *at) {
    const unsigned width = widthOf(operation);
    const Sum a = valueOf(*operation.getOperand(0), at), b = valueOf(*operation.getOperand(1), at);
    switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
      return plus(a, b, 1, at);
    case llvm::Instruction::Sub:
      return plus(a, b, -1, at);
    case llvm::Instruction::Mul:
      if (b.isConstant())
        return plus(constantSum(0), a, b.constant, at);
      if (a.isConstant())
        return plus(constantSum(0), b, a.constant, at);
      return std::nullopt;
    case llvm::Instruction::Shl:
      if (b.isConstant() && b.constant >= 0 && b.constant < width)
        return plus(constantSum(0), a, Wide{1} << static_cast<unsigned>(b.constant), at);
      return std::nullopt;
    case llvm::Instruction::Or: // an addition if the constant has only bits that the other lacks
      if (b.isConstant() && isMultiple(a, b.constant))
        return plus(a, b, 1, at);
      return std::nullopt;
    case llvm::Instruction::And:
      if (!b.isConstant() || b.constant < 0)
        return std::nullopt;
      if ((b.constant & (b.constant + 1)) == 0 && a.bounds.isIn({0, b.constant}))
        return a;
      return unknown(operation, {0, b.constant});
    case llvm::Instruction::URem:
      if (b.isConstant() && b.constant > 0) {
        if (a.bounds.isIn({0, b.constant - 1}))
          return a;
        return unknown(operation, {0, b.constant - 1});
      }
      return std::nullopt;
    case llvm::Instruction::SRem:
      if (b.isConstant() && b.constant > 0 && a.bounds.isIn(signedBounds(width)))
        return a.bounds.isIn({0, b.constant - 1})
                   ? a
                   : unknown(operation, {a.bounds.low < 0 ? 1 - b.constant : 0, b.constant - 1});
      return std::nullopt;
    case llvm::Instruction::AShr:
      // The optimiser's sign extension of the lowest bits.
      if (const auto *left = llvm::dyn_cast<llvm::BinaryOperator>(operation.getOperand(0));
          left && left->getOpcode() == llvm::Instruction::Shl &&
          left->getOperand(1) == operation.getOperand(1) && b.isConstant() && b.constant > 0 &&
          b.constant < width) {
        const Sum sum = valueOf(*left->getOperand(0), at);
        const Bounds bounds = signedBounds(width - static_cast<unsigned>(b.constant));
        return sum.bounds.isIn(bounds) ? sum : unknown(operation, bounds);
      }
      [[fallthrough]];
    case llvm::Instruction::LShr:
      if (b.isConstant() && b.constant >= 0 && b.constant < width)
        return quotient(operation, a, Wide{1} << static_cast<unsigned>(b.constant));
      return std::nullopt;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
      return b.isConstant() && b.constant > 0 ? quotient(operation, a, b.constant) : std::nullopt;
    default:
      return std::nullopt;
    }
  }

  /// A sum from 0 on divided by a constant.
  std::optional<Sum> quotient(const llvm::BinaryOperator &operation, const Sum &dividend,
                              Wide divisor) {
    const Bounds bounds = dividend.bounds;
    if (!bounds.isIn({0, signedBounds(widthOf(operation)).high}))
      return std::nullopt;
    return unknown(operation, {bounds.low / divisor, bounds.high / divisor});
  }

  /// Whether the lowest bits of the sum, up to the highest of `bits`, are 0.
  static bool isMultiple(const Sum &sum, Wide bits) {
    if (bits < 0)
      return false;
    Wide step = 1;
    while (step <= bits)
      step *= 2;
    return sum.constant % step == 0 && std::ranges::all_of(sum.terms, [&](const auto &term) {
             return term.second % step == 0;
           });
  }

  std::optional<Sum> ofCall(const llvm::CallInst &call, const llvm::BasicBlock *at) {
    const llvm::Function *callee = decoding::calledFunction(call);
    if (!callee || !callee->isDeclaration())
      return std::nullopt;
    const std::string_view name = decoding::calledName(call);
    const llvm::Intrinsic::ID intrinsic = callee->getIntrinsicID();
    // The letter of the last parameter's type.
    const bool ofUnsigned = llvm::StringRef("htjm").contains(callee->getName().back());
    if (intrinsic == llvm::Intrinsic::smin || intrinsic == llvm::Intrinsic::umin || name == "min")
      return ofExtremum(call, true, intrinsic ? intrinsic == llvm::Intrinsic::umin : ofUnsigned,
                        at);
    if (intrinsic == llvm::Intrinsic::smax || intrinsic == llvm::Intrinsic::umax || name == "max")
      return ofExtremum(call, false, intrinsic ? intrinsic == llvm::Intrinsic::umax : ofUnsigned,
                        at);
    if (name == "get_work_dim")
      return constantSum(launch_.workDim);
    const auto *argument =
        call.arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (!argument || argument->uge(3))
      return std::nullopt;
    const auto dimension = static_cast<unsigned>(argument->getZExtValue());
    const uint64_t global = launch_.globalSize[dimension], local = launch_.localSize[dimension];
    const uint64_t groups = launch_.groups(dimension);
    const auto id = [&](Term::Kind kind, uint64_t count, uint64_t first) {
      Sum sum{first, {}, {first, Wide{first} + count - 1}};
      if (count > 1)
        sum.terms[symbol(kind, dimension, count)] = 1;
      return bounded(std::move(sum), at);
    };
    if (name == "get_global_id")
      return id(Term::Kind::kGlobalId, global, launch_.globalOffset[dimension]);
    if (name == "get_local_id")
      return id(Term::Kind::kLocalId, local, 0);
    if (name == "get_group_id")
      return id(Term::Kind::kGroupId, groups, 0);
    if (name == "get_global_size")
      return constantSum(global);
    if (name == "get_global_offset")
      return constantSum(launch_.globalOffset[dimension]);
    if (name == "get_num_groups")
      return constantSum(groups);
    if (name == "get_enqueued_local_size")
      return constantSum(local);
    if (name == "get_local_size") // the last group may be smaller
      return global % local == 0 ? constantSum(local) : unknown(call, {1, Wide{local}});
    return std::nullopt;
  }

  /// The minimum, if `isLess`, or the maximum of two numbers.
  std::optional<Sum> ofExtremum(const llvm::CallInst &call, bool isLess, bool ofUnsigned,
                                const llvm::BasicBlock *at) {
    const auto isOfType = [&](const llvm::Use &argument) {
      return argument->getType() == call.getType();
    };
    if (!call.getType()->isIntegerTy() || widthOf(call) > 64 || call.arg_size() != 2 ||
        !llvm::all_of(call.args(), isOfType))
      return std::nullopt;
    const Bounds allowed = ofUnsigned ? unsignedBounds(widthOf(call)) : signedBounds(widthOf(call));
    const Sum a = valueOf(*call.getArgOperand(0), at), b = valueOf(*call.getArgOperand(1), at);
    if (!a.bounds.isIn(allowed) || !b.bounds.isIn(allowed))
      return std::nullopt;
    if (isLess ? a.bounds.high <= b.bounds.low : a.bounds.low >= b.bounds.high)
      return a;
    if (isLess ? b.bounds.high <= a.bounds.low : b.bounds.low >= a.bounds.high)
      return b;
    const auto choose = [&](Wide x, Wide y) { return isLess ? std::min(x, y) : std::max(x, y); };
    return unknown(call,
                   {choose(a.bounds.low, b.bounds.low), choose(a.bounds.high, b.bounds.high)});
  }

  /// A value that changes by the same number in each iteration, or that comes from several blocks.
  std::optional<Sum> ofPhi(const llvm::PHINode &phi, const llvm::BasicBlock *at) {
    const llvm::Loop *loop = code_.loops.getLoopFor(phi.getParent());
    if (loop && loop->getHeader() == phi.getParent()) {
      const std::optional<Counter> counter = counterOf(phi, *loop);
      const std::optional<Wide> repeats = counter ? repeatsOf(*loop) : std::nullopt;
      if (!repeats)
        return std::nullopt;
      if (*repeats == 0)
        return bounded(counter->start, at);
      const SymbolId iteration = symbolOf(loop, {0, *repeats}, Term::Kind::kIteration);
      Sum iterations{0, {{iteration, 1}}, {0, *repeats}};
      return plus(counter->start, bounded(std::move(iterations), at), counter->step, at);
    }
    std::vector<Sum> incoming;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      incoming.push_back(valueOf(*phi.getIncomingValue(i), phi.getIncomingBlock(i)));
    Bounds bounds = incoming.front().bounds;
    for (const Sum &sum : incoming)
      bounds = unite(bounds, sum.bounds);
    for (const Sum &sum : incoming)
      if (sum.terms != incoming.front().terms || sum.constant != incoming.front().constant)
        return unknown(phi, bounds);
    return Sum{incoming.front().constant, incoming.front().terms, bounds};
  }

  // Loops

  struct Counter {
    Sum start; ///< when the loop is entered
    Wide step;
  };

  std::optional<Counter> counterOf(const llvm::PHINode &phi, const llvm::Loop &loop) {
    const llvm::BasicBlock *before = loop.getLoopPredecessor(), *latch = loop.getLoopLatch();
    if (!before || !latch || phi.getParent() != loop.getHeader())
      return std::nullopt;
    const auto *next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
    if (!next || (next->getOpcode() != llvm::Instruction::Add &&
                  next->getOpcode() != llvm::Instruction::Sub))
      return std::nullopt;
    const bool adds = next->getOpcode() == llvm::Instruction::Add;
    const llvm::Value *step = next->getOperand(0) == &phi           ? next->getOperand(1)
                              : adds && next->getOperand(1) == &phi ? next->getOperand(0)
                                                                    : nullptr;
    if (!step || !loop.isLoopInvariant(step))
      return std::nullopt;
    const Sum change = valueOf(*step, before);
    if (!change.isConstant() || change.constant == 0)
      return std::nullopt;
    return Counter{valueOf(*phi.getIncomingValueForBlock(before), before),
                   adds ? change.constant : -change.constant};
  }

  /// How often the loop goes back at most.
  std::optional<Wide> repeatsOf(const llvm::Loop &loop) {
    const auto [entry, isNew] = repeats_.try_emplace(&loop, std::nullopt);
    if (!isNew)
      return entry->second;
    const llvm::BasicBlock *latch = loop.getLoopLatch();
    llvm::SmallVector<llvm::BasicBlock *, 4> exits;
    loop.getExitingBlocks(exits);
    std::optional<Wide> fewest;
    for (const llvm::BasicBlock *block : exits) {
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      const auto *comparison =
          branch && branch->isConditional() && latch && code_.dominators.dominates(block, latch)
              ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
              : nullptr;
      if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy() ||
          widthOf(*comparison->getOperand(0)) > 64)
        continue;
      const auto goesOn = loop.contains(branch->getSuccessor(0))
                              ? comparison->getPredicate()
                              : comparison->getInversePredicate();
      const auto swapped = llvm::CmpInst::getSwappedPredicate(goesOn);
      for (const std::optional<Wide> &repeats :
           {repeatsWhile(loop, goesOn, *comparison->getOperand(0), *comparison->getOperand(1)),
            repeatsWhile(loop, swapped, *comparison->getOperand(1), *comparison->getOperand(0))})
        if (repeats)
          fewest = std::min(*repeats, fewest.value_or(*repeats));
    }
    return repeats_[&loop] = fewest;
  }

  /// How often at most the loop goes back while `tested`, a counter or what is a constant ahead of
  /// it, compares so with `end`.
  std::optional<Wide> repeatsWhile(const llvm::Loop &loop, llvm::CmpInst::Predicate predicate,
                                   const llvm::Value &tested, const llvm::Value &end) {
    if (!loop.isLoopInvariant(&end))
      return std::nullopt;
    const llvm::BasicBlock *before = loop.getLoopPredecessor();
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(&tested);
    Wide ahead = 0;
    if (const auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&tested);
        sum && sum->getOpcode() == llvm::Instruction::Add) {
      const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
      phi = constant ? llvm::dyn_cast<llvm::PHINode>(sum->getOperand(0)) : nullptr;
      ahead = constant ? constant->getSExtValue() : 0;
    }
    const std::optional<Counter> counter = phi ? counterOf(*phi, loop) : std::nullopt;
    const std::optional<Sum> first =
        counter ? plus(counter->start, constantSum(ahead), 1, before) : std::nullopt;
    if (!first)
      return std::nullopt;
    const Sum last = valueOf(end, before);
    const Wide step = counter->step;
    const unsigned width = widthOf(tested);
    if (predicate == llvm::CmpInst::ICMP_NE) {
      const std::optional<Sum> way =
          step > 0 ? plus(last, *first, -1, before) : plus(*first, last, -1, before);
      const Wide stride = step > 0 ? step : -step;
      if (!way || !way->bounds.isIn(unsignedBounds(width)) ||
          (stride > 1 && (way->bounds.low != way->bounds.high || way->bounds.low % stride != 0)))
        return std::nullopt;
      return way->bounds.high / stride;
    }
    if (!llvm::CmpInst::isRelational(predicate))
      return std::nullopt;
    const bool upwards =
        predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_SLE ||
        predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_ULE;
    if (upwards != (step > 0)) // it ends when the counter wraps
      return std::nullopt;
    const Bounds allowed =
        llvm::CmpInst::isSigned(predicate) ? signedBounds(width) : unsignedBounds(width);
    const Wide equal = llvm::CmpInst::isTrueWhenEqual(predicate) ? 1 : 0;
    // The last value with which it goes on, and the next one, must not wrap.
    const Wide most = upwards ? last.bounds.high - 1 + equal : last.bounds.low + 1 - equal;
    if (!first->bounds.isIn(allowed) || !last.bounds.isIn(allowed) ||
        !Bounds{most + step, most + step}.isIn(allowed))
      return std::nullopt;
    const Wide way = upwards ? most - first->bounds.low : first->bounds.high - most;
    return way < 0 ? 0 : way / (step > 0 ? step : -step) + 1;
  }

  // Conditions

  const Context &contextOf(const llvm::BasicBlock *block) {
    const auto found = contexts_.find(block);
    if (found != contexts_.end())
      return found->second;
    const auto *node = code_.dominators.getNode(block);
    const llvm::BasicBlock *before =
        node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    Context context;
    if (before) {
      context = contextOf(before);
      const auto *branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
      for (const unsigned way : {0U, 1U})
        if (branch && branch->isConditional() &&
            code_.dominators.dominates({before, branch->getSuccessor(way)}, block))
          add(context, *branch->getCondition(), way == 0, before, 0);
    }
    return contexts_.emplace(block, std::move(context)).first->second;
  }

  /// Adds what is known because a condition has the value `holds` at the end of `block`.
  void add(Context &context, const llvm::Value &condition, bool holds,
           const llvm::BasicBlock *block, unsigned depth) {
    constexpr unsigned kMostParts = 8;
    if (depth > kMostParts)
      return;
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&condition);
    if (const auto *select = llvm::dyn_cast<llvm::SelectInst>(&condition)) {
      const auto *yes = llvm::dyn_cast<llvm::ConstantInt>(select->getTrueValue());
      const auto *no = llvm::dyn_cast<llvm::ConstantInt>(select->getFalseValue());
      if (holds && no && no->isZero()) { // a && b
        add(context, *select->getCondition(), true, block, depth + 1);
        add(context, *select->getTrueValue(), true, block, depth + 1);
      } else if (!holds && yes && yes->isOne()) { // !(a || b)
        add(context, *select->getCondition(), false, block, depth + 1);
        add(context, *select->getFalseValue(), false, block, depth + 1);
      }
      return;
    }
    if (instruction && instruction->getType()->isIntegerTy(1) &&
        instruction->getOpcode() == (holds ? llvm::Instruction::And : llvm::Instruction::Or)) {
      for (const llvm::Use &part : instruction->operands())
        add(context, *part, holds, block, depth + 1);
      return;
    }
    const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&condition);
    if (!comparison || !comparison->getOperand(0)->getType()->isIntegerTy() ||
        widthOf(*comparison->getOperand(0)) > 64)
      return;
    compare(context, holds ? comparison->getPredicate() : comparison->getInversePredicate(),
            *comparison->getOperand(0), *comparison->getOperand(1), block);
  }

  void compare(Context &context, llvm::CmpInst::Predicate predicate, const llvm::Value &left,
               const llvm::Value &right, const llvm::BasicBlock *block) {
    const unsigned width = widthOf(left);
    const Sum a = valueOf(left, block), b = valueOf(right, block);
    const auto areIn = [&](Bounds bounds) {
      return a.bounds.isIn(bounds) && b.bounds.isIn(bounds);
    };
    const bool areSigned = areIn(signedBounds(width)), areUnsigned = areIn(unsignedBounds(width));
    const bool isLess =
        predicate == llvm::CmpInst::ICMP_ULT || predicate == llvm::CmpInst::ICMP_ULE;
    // A negative number is a large one without a sign: larger than the right one, maybe.
    const bool isFromZero = isLess && !areUnsigned && b.bounds.isIn(unsignedBounds(width)) &&
                            a.bounds.high <= unsignedBounds(width).high &&
                            a.bounds.low + unsignedBounds(width).high + 1 > b.bounds.high;
    if (llvm::CmpInst::isSigned(predicate)     ? !areSigned
        : llvm::CmpInst::isUnsigned(predicate) ? !areUnsigned && !isFromZero
                                               : !areSigned && !areUnsigned)
      return;
    const std::optional<Sum> distance = plus(a, b, -1, block);
    if (!distance)
      return;
    Bounds bounds = distance->bounds;
    switch (predicate) {
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT:
      bounds.high = std::min<Wide>(bounds.high, -1);
      break;
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE:
      bounds.high = std::min<Wide>(bounds.high, 0);
      break;
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_UGT:
      bounds.low = std::max<Wide>(bounds.low, 1);
      break;
    case llvm::CmpInst::ICMP_SGE:
    case llvm::CmpInst::ICMP_UGE:
      bounds.low = std::max<Wide>(bounds.low, 0);
      break;
    case llvm::CmpInst::ICMP_EQ:
      bounds = intersect(bounds, {0, 0});
      break;
    case llvm::CmpInst::ICMP_NE:
      bounds.low += bounds.low == 0;
      bounds.high -= bounds.high == 0;
      break;
    default:
      return;
    }
    note(context, *distance, bounds);
    if (isFromZero)
      note(context, a, intersect(a.bounds, {0, b.bounds.high}));
  }

  /// Notes that the sum is in these bounds, and what follows for each of its symbols. Bounds
  /// without a number are those of a block that the launch does not reach.
  void note(Context &context, const Sum &sum, Bounds bounds) {
    if (sum.isConstant() || bounds.low > bounds.high)
      return;
    const Bounds ofTerms{bounds.low - sum.constant, bounds.high - sum.constant};
    context.facts.push_back({sum.terms, ofTerms});
    for (const auto &[id, coefficient] : sum.terms) {
      Bounds others{0, 0};
      for (const auto &[other, factor] : sum.terms)
        if (other != id) {
          const Bounds more = times(boundsOf(other, context), factor);
          others = {others.low + more.low, others.high + more.high};
        }
      const Wide low = ofTerms.low - others.high, high = ofTerms.high - others.low;
      const Bounds own = boundsOf(id, context);
      const Bounds narrowed = intersect(
          own,
          coefficient > 0
              ? Bounds{ceilingOfQuotient(low, coefficient), floorOfQuotient(high, coefficient)}
              : Bounds{ceilingOfQuotient(high, coefficient), floorOfQuotient(low, coefficient)});
      if (narrowed.low <= narrowed.high)
        context.symbols[id] = narrowed;
    }
  }

  // Pointers

  /// The distance of a pointer from its base, as Oclgrind computes addresses.
  std::optional<Sum> offset(const llvm::Value *pointer, const llvm::BasicBlock *at) {
    while (llvm::Operator::getOpcode(pointer) == llvm::Instruction::BitCast)
      pointer = llvm::cast<llvm::Operator>(pointer)->getOperand(0);
    const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (!gep)
      return constantSum(0);
    std::optional<Sum> sum = offset(gep->getPointerOperand(), at);
    const llvm::Type *type = nullptr; // what the next index selects from; null: a pointer
    for (unsigned i = 1; sum && i < gep->getNumOperands(); ++i) {
      const llvm::Value &index = *gep->getOperand(i);
      if (const auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type)) {
        const auto member =
            static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index).getZExtValue());
        sum = plus(*sum, constantSum(oclgrind::getStructMemberOffset(structure, member)), 1, at);
        type = structure->getElementType(member);
        continue;
      }
      if (type && !type->isArrayTy() && !type->isVectorTy())
        return std::nullopt;
      type = !type               ? gep->getSourceElementType()
             : type->isArrayTy() ? type->getArrayElementType()
                                 : llvm::cast<llvm::VectorType>(type)->getElementType();
      if (!index.getType()->isIntegerTy() || widthOf(index) > 64)
        return std::nullopt;
      Sum number = valueOf(index, at);
      if (const unsigned width = widthOf(index);
          width < 64 && !number.bounds.isIn(signedBounds(width)))
        return std::nullopt;
      sum = plus(*sum, number, oclgrind::getTypeSize(type), at);
    }
    return sum;
  }

  const FunctionAnalyses &code_;
  const LaunchNumbers &launch_;
  std::vector<Symbol> symbols_;
  std::map<std::pair<Term::Kind, unsigned>, SymbolId> ids_;
  std::map<const void *, SymbolId> others_; ///< by value or loop
  std::map<const llvm::Value *, Sum> values_;
  std::map<const llvm::BasicBlock *, Context> contexts_;
  std::map<const llvm::Loop *, std::optional<Wide>> repeats_;
  unsigned depth_ = 0;
};

} // namespace

std::optional<int64_t> AccessOffset::stepInX() const {
  int64_t step = 0; // coefficients have 48 bits
  for (const Term &term : terms)
    if (term.kind == Term::Kind::kOther)
      return std::nullopt;
    else if (term.dimension == 0 &&
             (term.kind == Term::Kind::kGlobalId || term.kind == Term::Kind::kLocalId))
      step += term.coefficient;
  return step;
}

AffineOffsets::AffineOffsets(const llvm::Function &kernel)
    : code_(kernel), isReducible_(!code_.hasOtherCycles()) {}

AffineOffsets::~AffineOffsets() = default;

std::vector<std::optional<AccessOffset>> AffineOffsets::of(std::span<const GlobalAccess> accesses,
                                                           const LaunchNumbers &launch) const {
  std::vector<std::optional<AccessOffset>> offsets(accesses.size());
  if (!isReducible_)
    return offsets;
  Evaluation evaluation(code_, launch);
  for (size_t i = 0; i < accesses.size(); ++i)
    if (code_.dominators.isReachableFromEntry(accesses[i].instruction->getParent()))
      offsets[i] = evaluation.offsetOf(accesses[i]);
  return offsets;
}

namespace {

/// The argument or variable from which a pointer is computed; null if there is none.
const llvm::Value *baseOf(const llvm::Value *pointer) {
  for (;;) {
    if (llvm::Operator::getOpcode(pointer) == llvm::Instruction::BitCast)
      pointer = llvm::cast<llvm::Operator>(pointer)->getOperand(0);
    else if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      pointer = gep->getPointerOperand();
    else
      break;
  }
  return pointer->getType()->isPointerTy() &&
                 llvm::isa<llvm::Argument, llvm::GlobalVariable>(pointer)
             ? pointer
             : nullptr;
}

/// Whether a call may access global or constant memory.
bool mayAccess(const llvm::CallInst &call) {
  const llvm::Function *callee = decoding::calledFunction(call);
  if (!callee || !callee->isDeclaration())
    return true;
  return llvm::any_of(call.args(), [](const llvm::Use &argument) {
    return argument->getType()->isPointerTy() && isGlobalOrConstant(*argument);
  });
}

} // namespace

std::optional<std::vector<GlobalAccess>> globalAccesses(const llvm::Function &kernel) {
  std::vector<GlobalAccess> accesses;
  for (const llvm::Instruction &instruction : llvm::instructions(kernel)) {
    if (instruction.isVolatile() || instruction.isAtomic())
      return std::nullopt;
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        call && !llvm::isa<llvm::DbgInfoIntrinsic>(call) && mayAccess(*call))
      return std::nullopt;
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer || !isGlobalOrConstant(*pointer))
      continue;
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    const llvm::Value *value = store ? store->getValueOperand() : &instruction;
    const llvm::Value *base = baseOf(pointer);
    if (!base || !value || value->getType()->isPointerTy())
      return std::nullopt;
    const auto [size, lanes] = oclgrind::getValueSize(value);
    accesses.push_back(
        {&instruction, pointer, base, uint64_t{size} * lanes,
         llvm::getLoadStoreAlignment(const_cast<llvm::Instruction *>(&instruction)).value(),
         store != nullptr});
  }
  return accesses;
}

namespace {

/// The part of an access's offset that tells work-groups apart, and the rest.
struct Parts {
  struct Id {
    bool isGlobal = false; ///< the id of a work-item, not of a group
    Wide coefficient = 0;
    Bounds bounds = {0, 0};
  };
  std::array<Id, 3> ids;
  std::vector<std::pair<Wide, Bounds>> others; ///< coefficients above 0, and what they multiply
};

bool isId(const Term &term) {
  return term.kind != Term::Kind::kIteration && term.kind != Term::Kind::kOther;
}

/// Local ids and group ids that are parts of a global id become one.
Parts partsOf(const AccessOffset &offset, const LaunchNumbers &launch) {
  Parts parts;
  const auto addOther = [&](Wide coefficient, Bounds bounds) {
    if (coefficient < 0)
      parts.others.push_back({-coefficient, {-bounds.high, -bounds.low}});
    else if (coefficient > 0)
      parts.others.push_back({coefficient, bounds});
  };
  for (unsigned d = 0; d < 3; ++d) {
    const Wide local = launch.localSize[d], global = launch.globalSize[d];
    Wide ofGlobal = 0, ofLocal = 0, ofGroup = 0;
    Bounds globals{0, global - 1}, locals{0, local - 1}, groups{0, Wide{launch.groups(d)} - 1};
    for (const Term &term : offset.terms) {
      if (!isId(term) || term.dimension != d)
        continue;
      const Bounds bounds{term.low, term.high};
      if (term.kind == Term::Kind::kGlobalId) {
        ofGlobal = term.coefficient;
        globals = bounds;
      } else if (term.kind == Term::Kind::kGroupId) {
        ofGroup = term.coefficient;
        groups = bounds;
      } else {
        ofLocal = term.coefficient;
        locals = bounds;
      }
    }
    // A global id is that of its group times the local size, and the local one.
    const Wide byGroup = ofGlobal * local + ofGroup, byItem = ofGlobal + ofLocal;
    if (byGroup == local * byItem) {
      if (ofGroup != 0) // the bounds of the sum are not known
        globals = {0, global - 1};
      parts.ids[d] = {true, byItem, globals};
    } else {
      if (ofGlobal != 0) { // neither are these
        groups = {0, Wide{launch.groups(d)} - 1};
        locals = {0, local - 1};
      }
      parts.ids[d] = {false, byGroup, groups};
      addOther(byItem, locals);
    }
    if (launch.groups(d) == 1) {
      addOther(parts.ids[d].coefficient, parts.ids[d].bounds);
      parts.ids[d] = {};
    }
  }
  for (const Term &term : offset.terms)
    if (!isId(term))
      addOther(term.coefficient, {term.low, term.high});
  return parts;
}

} // namespace

/// Addresses are numbers in a mixed radix: ids and counters are digits, and the coefficient of each
/// is at least what all lower ones, with the bytes of an access, can reach. Then two accesses of a
/// byte have the same digits, and belong to one group.
bool areGroupsApart(std::span<const BufferAccess> accesses, const LaunchNumbers &launch) {
  if (accesses.empty() || launch.groups(0) * launch.groups(1) * launch.groups(2) == 1)
    return true;
  std::vector<Parts> all;
  for (const BufferAccess &access : accesses)
    all.push_back(partsOf(access.offset, launch));
  const Parts &first = all.front();
  std::map<Wide, Bounds> digits; // by coefficient
  for (unsigned d = 0; d < 3; ++d) {
    if (launch.groups(d) == 1)
      continue;
    const Parts::Id &id = first.ids[d];
    Bounds bounds = id.bounds;
    for (const Parts &parts : all) {
      if (parts.ids[d].coefficient != id.coefficient || parts.ids[d].isGlobal != id.isGlobal)
        return false;
      bounds = unite(bounds, parts.ids[d].bounds);
    }
    const bool isNew =
        digits.try_emplace(id.coefficient < 0 ? -id.coefficient : id.coefficient, bounds).second;
    if (id.coefficient == 0 || !isNew)
      return false;
  }
  const Wide lowest = digits.begin()->first;
  std::optional<Bounds> reached; // by what is below the lowest digit of an id
  std::map<Wide, Bounds> counters;
  for (size_t i = 0; i < accesses.size(); ++i) {
    Bounds bytes{accesses[i].offset.constant, accesses[i].offset.constant + Wide{accesses[i].size}};
    std::map<Wide, Bounds> own;
    for (const auto &[coefficient, bounds] : all[i].others)
      if (coefficient < lowest) {
        bytes = {bytes.low + coefficient * bounds.low, bytes.high + coefficient * bounds.high};
      } else {
        Bounds &sum = own[coefficient];
        sum = {sum.low + bounds.low, sum.high + bounds.high};
      }
    reached = reached ? unite(*reached, bytes) : bytes;
    for (const auto &[coefficient, bounds] : own)
      counters.try_emplace(coefficient, i == 0 ? bounds : Bounds{0, 0});
    for (auto &[coefficient, bounds] : counters) {
      const auto found = own.find(coefficient);
      bounds = unite(bounds, found == own.end() ? Bounds{0, 0} : found->second);
    }
  }
  for (const auto &[coefficient, bounds] : counters)
    if (!digits.try_emplace(coefficient, bounds).second)
      return false;
  Wide reach = reached->high - reached->low;
  for (const auto &[coefficient, bounds] : digits) {
    if (coefficient < reach)
      return false;
    reach += coefficient * (bounds.high - bounds.low);
  }
  return true;
}

} // namespace aiwc::engine
