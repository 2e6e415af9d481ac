// Builtins that only compute a result, as a few instructions: those whose result is determined, so
// that it is that of Oclgrind's own function.
#include "engine_passes/function_lowering.h"
#include "engine_passes/half_numbers.h"
#include "engine_passes/value_types.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <cfloat>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace aiwc::engine {

namespace {

using Builder = llvm::IRBuilder<>;
using Values = std::vector<llvm::Value *>;

bool isReal(const llvm::Type *type) {
  return type->getScalarType()->isFloatingPointTy();
}

/// Whether Oclgrind implements the builtin by the same wrapper as `example`, so that `op` is a
/// function of the same type.
bool sameWrapper(const oclgrind::BuiltinFunction &function, const char *example) {
  const auto found = oclgrind::workItemBuiltins.find(example);
  return found != oclgrind::workItemBuiltins.end() && found->second.func == function.func;
}

/// The letter of the first argument's element type in a mangled name: Dv<count>_<type> or <type>.
char elementOf(const std::string &overload) {
  return overload.empty()     ? '\0'
         : overload[0] == 'D' ? overload[overload.find('_') + 1]
                              : overload[0];
}

bool isSigned(char element) {
  return llvm::StringRef("csil").contains(element);
}

bool isUnsigned(char element) {
  return llvm::StringRef("htjm").contains(element);
}

llvm::Value *least(Builder &at, llvm::Value *a, llvm::Value *b, bool ofSigned) {
  return at.CreateSelect(ofSigned ? at.CreateICmpSLT(a, b) : at.CreateICmpULT(a, b), a, b);
}

llvm::Value *greatest(Builder &at, llvm::Value *a, llvm::Value *b, bool ofSigned) {
  return at.CreateSelect(ofSigned ? at.CreateICmpSGT(a, b) : at.CreateICmpUGT(a, b), a, b);
}

llvm::Value *extended(Builder &at, llvm::Value *value, llvm::Type *type, bool ofSigned) {
  return ofSigned ? at.CreateSExtOrTrunc(value, type) : at.CreateZExtOrTrunc(value, type);
}

/// Per lane `a > b ? a : b`, or with `least` `a < b ? a : b`, by the instruction of the processor
/// that does this. LLVM takes a comparison and a choice for a maximum whose zeros have no sign if
/// one of them is -0.
llvm::Value *extremum(Builder &at, llvm::Value *a, llvm::Value *b, bool least) {
  llvm::Type *type = a->getType();
  const bool isDouble = type->getScalarType()->isDoubleTy();
  const llvm::Intrinsic::ID intrinsic =
      isDouble ? (least ? llvm::Intrinsic::x86_sse2_min_sd : llvm::Intrinsic::x86_sse2_max_sd)
               : (least ? llvm::Intrinsic::x86_sse_min_ss : llvm::Intrinsic::x86_sse_max_ss);
  llvm::Value *zeros = llvm::Constant::getNullValue(
      llvm::FixedVectorType::get(type->getScalarType(), isDouble ? 2 : 4));
  const auto lane = [&](llvm::Value *value, unsigned i) {
    return at.CreateInsertElement(
        zeros, type->isVectorTy() ? at.CreateExtractElement(value, i) : value, uint64_t{0});
  };
  llvm::Value *result = llvm::Constant::getNullValue(type);
  for (unsigned i = 0; i < laneCount(type); ++i) {
    llvm::Value *chosen = at.CreateExtractElement(
        at.CreateIntrinsic(intrinsic, {}, {lane(a, i), lane(b, i)}), uint64_t{0});
    result = type->isVectorTy() ? at.CreateInsertElement(result, chosen, i) : chosen;
  }
  return result;
}

/// How many arguments a function of integers has that `integerResult` knows.
size_t parameterCount(llvm::StringRef name) {
  return llvm::StringSwitch<size_t>(name)
      .Cases("abs", "clz", "popcount", 1)
      .Cases("clamp", "mad24", "mad_hi", "bitselect", 3)
      .Default(2);
}

/// A function of integers of one type, which is that of the result; null for other functions.
llvm::Value *integerResult(Builder &at, llvm::StringRef name, const Values &arguments,
                           bool ofSigned) {
  if (arguments.size() != parameterCount(name))
    return nullptr;
  llvm::Type *type = arguments[0]->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Value *const a = arguments[0];
  llvm::Value *const b = arguments.size() > 1 ? arguments[1] : nullptr;
  llvm::Value *const c = arguments.size() > 2 ? arguments[2] : nullptr;
  const auto shifted = [&](llvm::Value *value) {
    return ofSigned ? at.CreateAShr(value, 1) : at.CreateLShr(value, 1);
  };
  const auto halved = [&](llvm::Value *carries) {
    llvm::Value *carry = at.CreateAnd(carries, llvm::ConstantInt::get(type, 1));
    return at.CreateAdd(at.CreateAdd(shifted(a), shifted(b)), carry);
  };
  // Oclgrind computes in 64 bits. Where that is too few for 64-bit integers, its results differ.
  const bool isWide = bits == 64;
  const auto upperHalf = [&]() -> llvm::Value * {
    llvm::Type *twice = withLanesOf(at.getIntNTy(2 * bits), type);
    llvm::Value *product =
        at.CreateMul(extended(at, a, twice, ofSigned), extended(at, b, twice, ofSigned));
    return at.CreateTrunc(at.CreateLShr(product, bits), type);
  };
  const auto saturated = [&](llvm::Intrinsic::ID ofSignedOnes, llvm::Intrinsic::ID ofOthers) {
    return at.CreateBinaryIntrinsic(ofSigned ? ofSignedOnes : ofOthers, a, b);
  };
  if (name == "min")
    return least(at, a, b, ofSigned);
  if (name == "max")
    return greatest(at, a, b, ofSigned);
  if (name == "clamp")
    return least(at, greatest(at, a, b, ofSigned), c, ofSigned);
  if (name == "mul24" || name == "mad24") {
    const auto lower = [&](llvm::Value *value) {
      llvm::Value *upper = at.CreateShl(value, 8);
      return ofSigned ? at.CreateAShr(upper, 8) : at.CreateLShr(upper, 8);
    };
    llvm::Value *product = at.CreateMul(lower(a), lower(b));
    return c ? at.CreateAdd(product, c) : product;
  }
  if (name == "popcount")
    return at.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, a);
  if (name == "clz")
    return at.CreateIntrinsic(llvm::Intrinsic::ctlz, {type}, {a, at.getFalse()});
  if (name == "abs" && !ofSigned)
    return a;
  if (name == "abs" && !isWide)
    return at.CreateSelect(at.CreateICmpSLT(a, llvm::Constant::getNullValue(type)), at.CreateNeg(a),
                           a);
  if (name == "abs_diff")
    return at.CreateSub(greatest(at, a, b, ofSigned), least(at, a, b, ofSigned));
  if (name == "add_sat" && !(isWide && ofSigned))
    return saturated(llvm::Intrinsic::sadd_sat, llvm::Intrinsic::uadd_sat);
  if (name == "sub_sat" && !(isWide && ofSigned))
    return saturated(llvm::Intrinsic::ssub_sat, llvm::Intrinsic::usub_sat);
  if (name == "hadd")
    return halved(at.CreateAnd(a, b));
  if (name == "rhadd")
    return halved(at.CreateOr(a, b));
  if (name == "mul_hi" && !(isWide && ofSigned))
    return upperHalf();
  if (name == "mad_hi" && !(isWide && ofSigned))
    return at.CreateAdd(upperHalf(), c);
  if (name == "rotate")
    return at.CreateIntrinsic(llvm::Intrinsic::fshl, {type}, {a, a, b});
  if (name == "bitselect")
    return at.CreateOr(at.CreateAnd(a, at.CreateNot(c)), at.CreateAnd(b, c));
  return nullptr;
}

/// A comparison or a test of real numbers, as a truth value; null for other functions.
llvm::Value *relation(Builder &at, llvm::StringRef name, const Values &arguments) {
  using Predicate = llvm::CmpInst::Predicate;
  const auto comparison = llvm::StringSwitch<std::optional<Predicate>>(name)
                              .Case("isequal", Predicate::FCMP_OEQ)
                              .Case("isnotequal", Predicate::FCMP_UNE)
                              .Case("isgreater", Predicate::FCMP_OGT)
                              .Case("isgreaterequal", Predicate::FCMP_OGE)
                              .Case("isless", Predicate::FCMP_OLT)
                              .Case("islessequal", Predicate::FCMP_OLE)
                              .Case("islessgreater", Predicate::FCMP_ONE)
                              .Case("isordered", Predicate::FCMP_ORD)
                              .Case("isunordered", Predicate::FCMP_UNO)
                              .Default(std::nullopt);
  llvm::Value *x = arguments[0];
  if (comparison && arguments.size() == 2)
    return at.CreateFCmp(*comparison, x, arguments[1]);
  if (arguments.size() != 1)
    return nullptr;
  if (name == "isnan")
    return at.CreateFCmpUNO(x, x);
  llvm::Value *size = at.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x);
  llvm::Constant *infinity = llvm::ConstantFP::getInfinity(x->getType());
  if (name == "isinf")
    return at.CreateFCmpOEQ(size, infinity);
  if (name == "isfinite")
    return at.CreateFCmpOLT(size, infinity);
  return nullptr;
}

/// Whether the value is, or has a lane that is, a constant -0.
bool hasNegativeZero(const llvm::Value *value) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  for (unsigned i = 0; constant && i < laneCount(value->getType()); ++i) {
    const auto *lane = llvm::dyn_cast_or_null<llvm::ConstantFP>(
        value->getType()->isVectorTy() ? constant->getAggregateElement(i) : constant);
    if (!lane || (lane->isZero() && lane->isNegative()))
      return true;
  }
  return false;
}

/// OpenCL's select: a vector's lane by the sign, a scalar by whether it is 0.
llvm::Value *chosen(Builder &at, const Values &arguments) {
  llvm::Value *which = arguments[2];
  if (laneCount(which->getType()) != laneCount(arguments[0]->getType()))
    return nullptr;
  llvm::Constant *zero = llvm::Constant::getNullValue(which->getType());
  llvm::Value *second =
      which->getType()->isVectorTy() ? at.CreateICmpSLT(which, zero) : at.CreateICmpNE(which, zero);
  return at.CreateSelect(second, arguments[1], arguments[0]);
}

/// cross, dot, length, distance or normalize, without what the latter do for lengths that are
/// nearly 0 or infinite: the result is a NaN there. Null for other functions.
llvm::Value *geometricResult(Builder &at, llvm::StringRef name, const Values &arguments,
                             llvm::Type *type) {
  name.consume_front("fast_");
  const bool isCross = name == "cross", isDot = name == "dot", isDistance = name == "distance",
             isUnit = name == "normalize";
  const size_t count = isCross || isDot || isDistance ? 2 : 1;
  if ((!isCross && !isDot && !isDistance && !isUnit && name != "length") ||
      arguments.size() != count)
    return nullptr;
  llvm::Type *given = arguments[0]->getType();
  if (count == 2 && arguments[1]->getType() != given)
    return nullptr;
  llvm::Type *real = at.getDoubleTy();
  const auto laneOf = [&](llvm::Value *vector, unsigned lane) {
    return at.CreateFPCast(given->isVectorTy() ? at.CreateExtractElement(vector, lane) : vector,
                           real);
  };
  const unsigned lanes = laneCount(given);
  if (isCross) {
    llvm::Value *result = llvm::Constant::getNullValue(type); // a fourth lane is 0
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned next = (i + 1) % 3, last = (i + 2) % 3;
      const auto product = [&](unsigned a, unsigned b) {
        return at.CreateFMul(laneOf(arguments[0], a), laneOf(arguments[1], b));
      };
      llvm::Value *part = at.CreateFSub(product(next, last), product(last, next));
      result = at.CreateInsertElement(result, at.CreateFPCast(part, type->getScalarType()), i);
    }
    return result;
  }
  Values values;
  llvm::Value *sum = llvm::ConstantFP::get(real, 0.0);
  for (unsigned i = 0; i < lanes; ++i) {
    llvm::Value *a = laneOf(arguments[0], i);
    if (isDistance)
      a = at.CreateFSub(a, laneOf(arguments[1], i));
    values.push_back(a);
    sum = at.CreateFAdd(sum, at.CreateFMul(a, isDot ? laneOf(arguments[1], i) : a));
  }
  if (isDot)
    return at.CreateFPCast(sum, type);
  llvm::Value *isUsual = at.CreateAnd(
      at.CreateFCmpOGE(sum, llvm::ConstantFP::get(real, lanes * DBL_MIN / DBL_EPSILON)),
      at.CreateFCmpOLT(sum, llvm::ConstantFP::getInfinity(real)));
  llvm::Value *length = at.CreateSelect(
      isUsual, at.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, sum), llvm::ConstantFP::getNaN(real));
  if (!isUnit)
    return at.CreateFPCast(length, type);
  llvm::Value *result = llvm::Constant::getNullValue(type);
  for (unsigned i = 0; i < lanes; ++i) {
    llvm::Value *part = at.CreateFPCast(at.CreateFDiv(values[i], length), type->getScalarType());
    result = type->isVectorTy() ? at.CreateInsertElement(result, part, i) : part;
  }
  return result;
}

} // namespace

/// The result of a function that Oclgrind computes in double precision, by a division or so; null
/// if `name` is another one.
llvm::Value *FunctionLowering::inDoublePrecision(Builder &at, llvm::StringRef name,
                                                 llvm::Type *type,
                                                 llvm::ArrayRef<llvm::Value *> arguments) {
  enum class Function { kOther, kReciprocal, kReciprocalRoot, kQuotient };
  const auto function = llvm::StringSwitch<Function>(name)
                            .Cases("native_recip", "half_recip", Function::kReciprocal)
                            .Cases("rsqrt", "native_rsqrt", "half_rsqrt", Function::kReciprocalRoot)
                            .Cases("native_divide", "half_divide", Function::kQuotient)
                            .Default(Function::kOther);
  if (function == Function::kOther || arguments.size() != (function == Function::kQuotient ? 2 : 1))
    return nullptr;
  llvm::Type *wide = withLanesOf(at.getDoubleTy(), type);
  const auto widened = [&](llvm::Value *value) {
    if (type == wide)
      return value;
    llvm::Value *result = at.CreateFPExt(value, wide);
    return withNaNOf(at, result, result);
  };
  llvm::Value *dividend =
      function == Function::kQuotient ? widened(arguments[0]) : llvm::ConstantFP::get(wide, 1.0);
  llvm::Value *divisor = widened(arguments.back());
  if (function == Function::kReciprocalRoot)
    divisor = withNaNOf(at, divisor, at.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, divisor));
  llvm::Value *result = withNaNOf(at, {dividend, divisor}, at.CreateFDiv(dividend, divisor));
  if (type == wide)
    return result;
  result = at.CreateFPTrunc(result, type);
  return withNaNOf(at, result, result);
}

/// Functions of real numbers for which every correct implementation has the same result as
/// Oclgrind's.
bool FunctionLowering::lowerRealFunction(const Site &site, llvm::StringRef name) {
  Builder at(site.instruction);
  llvm::Type *type = computedType(site);
  const Values arguments = computedArguments(at, site);
  if (!isReal(type))
    return false;
  for (const llvm::Value *argument : arguments) // a user may declare others
    if (argument->getType() != type)
      return false;
  static const std::pair<llvm::StringRef, llvm::Intrinsic::ID> kUnary[] = {
      {"sqrt", llvm::Intrinsic::sqrt},      {"native_sqrt", llvm::Intrinsic::sqrt},
      {"half_sqrt", llvm::Intrinsic::sqrt}, {"fabs", llvm::Intrinsic::fabs},
      {"floor", llvm::Intrinsic::floor},    {"ceil", llvm::Intrinsic::ceil},
      {"trunc", llvm::Intrinsic::trunc},    {"rint", llvm::Intrinsic::rint}};
  for (const auto &[function, intrinsic] : kUnary)
    if (arguments.size() == 1 &&
        (name == function || (name.startswith("llvm.fabs.") && function == "fabs"))) {
      llvm::Value *result = at.CreateUnaryIntrinsic(intrinsic, arguments[0]);
      const bool onlySign = intrinsic == llvm::Intrinsic::fabs;
      if (!onlySign || !keepsSignalling(*result))
        result = withNaNOf(at, onlySign ? result : arguments[0], result);
      replaceByComputed(site, result);
      return true;
    }
  if (llvm::Value *result = inDoublePrecision(at, name, type, arguments)) {
    replaceByComputed(site, result);
    return true;
  }
  if (arguments.size() == 3 &&
      (name == "fma" || name == "mad" || name.startswith("llvm.fmuladd"))) {
    llvm::Value *result = at.CreateIntrinsic(llvm::Intrinsic::fma, {type}, arguments);
    replaceByComputed(site, withNaNOf(at, arguments, result));
    return true;
  }
  return false;
}

/// Functions of integers, comparisons and choices.
bool FunctionLowering::lowerIntegerFunction(const Site &site,
                                            const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  llvm::Type *type = made.getType();
  if (!type->isIntOrIntVectorTy() || builtin.overload.empty() || made.arg_empty())
    return false;
  const llvm::StringRef name = builtin.name;
  const char element = elementOf(builtin.overload);
  Builder at(&made);
  const bool givesHalf = isHalf(*site.original->getType()); // of which these move the bits
  const Values arguments =
      givesHalf ? Values(made.arg_begin(), made.arg_end()) : computedArguments(at, site);
  const auto alike = [&](llvm::Type *wanted, size_t count) {
    for (size_t i = 0; i < count; ++i)
      if (arguments[i]->getType() != wanted)
        return false;
    return true;
  };
  llvm::Value *first = arguments[0];
  llvm::Type *given = first->getType();
  llvm::Value *result = nullptr;
  if (givesHalf) {
    if (name == "bitselect" && alike(type, arguments.size()))
      result = integerResult(at, name, arguments, false);
  } else if ((isSigned(element) || isUnsigned(element)) && alike(type, arguments.size())) {
    result = integerResult(at, name, arguments, isSigned(element));
  } else if (isReal(given) && alike(given, arguments.size())) {
    if (llvm::Value *truth = relation(at, name, arguments))
      result = given->isVectorTy() ? at.CreateSExt(truth, type) : at.CreateZExt(truth, type);
  } else if (name == "upsample" && arguments.size() == 2 && alike(given, 2)) {
    result = at.CreateOr(at.CreateShl(at.CreateZExt(first, type), type->getScalarSizeInBits() / 2),
                         at.CreateZExt(arguments[1], type));
  }
  if (!result && (name == "any" || name == "all") && given->isIntOrIntVectorTy()) {
    llvm::Value *truth = at.CreateICmpSLT(first, llvm::Constant::getNullValue(given));
    if (given->isVectorTy())
      truth = name == "any" ? at.CreateOrReduce(truth) : at.CreateAndReduce(truth);
    result = at.CreateZExt(truth, type);
  }
  if (!result && name == "select" && arguments.size() == 3 && alike(type, 2))
    result = chosen(at, arguments);
  if (!result)
    return false;
  replace(made, result);
  return true;
}

/// Functions of real numbers that Oclgrind computes lane by lane in double precision. The compiled
/// code calls the same C++ function as Oclgrind.
bool FunctionLowering::lowerThroughPointer(const Site &site,
                                           const oclgrind::InterpreterCache::Builtin &builtin) {
  Builder at(site.instruction);
  llvm::Type *type = computedType(site);
  const Values arguments = computedArguments(at, site);
  const unsigned count = sameWrapper(builtin.function, "acos")    ? 1
                         : sameWrapper(builtin.function, "atan2") ? 2
                                                                  : 0;
  if (count == 0 || !isReal(type) || arguments.size() != count)
    return false;
  for (const llvm::Value *argument : arguments)
    if (argument->getType() != type)
      return false;
  replaceByComputed(site,
                    callByLane(at, reinterpret_cast<const void *>(builtin.function.op), arguments));
  return true;
}

/// Conversions by name, such as convert_int_rte. Oclgrind converts through 64 bits or double
/// precision.
bool FunctionLowering::lowerConversion(const Site &site,
                                       const oclgrind::InterpreterCache::Builtin &builtin) {
  llvm::StringRef name = builtin.name;
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  if (!name.consume_front("convert_") || made.arg_size() != 1)
    return false;
  const char element = elementOf(builtin.overload);
  Builder at(&made);
  llvm::Value *given = computedArguments(at, site)[0];
  llvm::Type *type = computedType(site);
  const bool isOfHalf = isHalf(*site.original->getOperand(0)->getType());
  const bool fromReal = isReal(given->getType()), fromSigned = isSigned(element);
  if (laneCount(given->getType()) != laneCount(type) ||
      (fromReal ? !isOfHalf && element != 'f' && element != 'd'
                : !fromSigned && !isUnsigned(element)))
    return false;
  const size_t mode = name.find("_rt");
  const char rounding = mode == llvm::StringRef::npos ? '\0' : name[mode + 3];
  if (isReal(type)) {
    if (rounding != '\0' && rounding != 'e')
      return false;
    llvm::Type *real = withLanesOf(at.getDoubleTy(), type);
    if (fromReal)
      replaceUnlessNaN(site, builtin, at.CreateFPCast(given, type));
    else if (fromSigned)
      replaceByComputed(site, at.CreateFPCast(at.CreateSIToFP(given, real), type));
    else
      replaceByComputed(site, at.CreateUIToFP(given, type));
    return true;
  }
  if (!type->isIntOrIntVectorTy())
    return false;
  const unsigned bits = type->getScalarSizeInBits();
  const bool saturates = name.contains("_sat"), toSigned = !name.startswith("u");
  if (!fromReal) {
    llvm::Type *wide = withLanesOf(at.getInt64Ty(), type);
    llvm::Value *value = extended(at, given, wide, fromSigned);
    const auto limited = [&](uint64_t lowest, uint64_t highest) {
      llvm::Value *low = llvm::ConstantInt::get(wide, lowest);
      llvm::Value *high = llvm::ConstantInt::get(wide, highest);
      if (fromSigned)
        value = greatest(at, value, low, true);
      value = least(at, value, high, fromSigned);
    };
    if (saturates && toSigned)
      limited(~uint64_t{0} << (bits - 1), ~(~uint64_t{0} << (bits - 1)));
    else if (saturates && bits < 64)
      limited(0, (uint64_t{1} << bits) - 1);
    else if (saturates && fromSigned)
      value = greatest(at, value, llvm::Constant::getNullValue(wide), true);
    replace(made, at.CreateTrunc(value, type));
    return true;
  }
  // Oclgrind has the limits of 64-bit integers in 80 bits. How it rounds up and down depends on how
  // it was compiled.
  if ((saturates && bits == 64) || rounding == 'p' || rounding == 'n')
    return false;
  llvm::Type *real = withLanesOf(at.getDoubleTy(), type);
  llvm::Value *value = at.CreateFPCast(given, real);
  if (saturates) {
    const double most = toSigned ? std::ldexp(1.0, static_cast<int>(bits) - 1) - 1
                                 : std::ldexp(1.0, static_cast<int>(bits)) - 1;
    llvm::Value *low = llvm::ConstantFP::get(real, toSigned ? -most - 1 : 0.0);
    llvm::Value *high = llvm::ConstantFP::get(real, most);
    value = at.CreateSelect(at.CreateFCmpOGT(value, low), value, low);
    value = at.CreateSelect(at.CreateFCmpOLT(value, high), value, high);
  }
  value = at.CreateUnaryIntrinsic(rounding == 'e' ? llvm::Intrinsic::rint : llvm::Intrinsic::trunc,
                                  value);
  replace(made, toInteger(at, value, type, toSigned));
  return true;
}

/// pown and powr, which Oclgrind computes by pow, the latter only for usual values.
bool FunctionLowering::lowerPower(const Site &site,
                                  const oclgrind::InterpreterCache::Builtin &builtin) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const bool toInteger = builtin.name == "pown";
  const bool ofPositive =
      builtin.name == "powr" || builtin.name == "native_powr" || builtin.name == "half_powr";
  Builder at(&made);
  llvm::Type *type = computedType(site);
  const Values arguments = computedArguments(at, site);
  if ((!toInteger && !ofPositive) || arguments.size() != 2 || arguments[0]->getType() != type)
    return false;
  llvm::Type *real = withLanesOf(at.getDoubleTy(), type);
  llvm::Value *exponent = arguments[1];
  if (laneCount(exponent->getType()) != laneCount(type) || isReal(exponent->getType()) == toInteger)
    return false;
  llvm::Value *x = at.CreateFPCast(arguments[0], real);
  llvm::Value *y = toInteger ? at.CreateSIToFP(exponent, real) : at.CreateFPCast(exponent, real);
  llvm::Value *unusual = nullptr;
  if (ofPositive) {
    llvm::Constant *zero = llvm::ConstantFP::get(real, 0.0),
                   *one = llvm::ConstantFP::get(real, 1.0);
    llvm::Value *infinity = llvm::ConstantFP::getInfinity(real);
    llvm::Value *usual = at.CreateAnd(at.CreateFCmpOGT(x, zero), at.CreateFCmpOLT(x, infinity));
    usual = at.CreateAnd(usual, at.CreateFCmpONE(x, one));
    unusual = at.CreateNot(at.CreateAnd(usual, at.CreateFCmpONE(y, zero)));
  }
  double (*const power)(double, double) = std::pow;
  llvm::Value *result = callByLane(at, reinterpret_cast<const void *>(power), {x, y});
  replaceUnlessNaN(site, builtin, at.CreateFPCast(result, type), unusual);
  return true;
}

/// Functions whose result is determined unless it is a NaN: then Oclgrind's own function says which
/// one. The others' operations are those of Oclgrind, in its order and mostly in double precision.
bool FunctionLowering::lowerUnlessNaN(const Site &site,
                                      const oclgrind::InterpreterCache::Builtin &builtin) {
  Builder at(site.instruction);
  llvm::Type *type = computedType(site);
  Values arguments = computedArguments(at, site);
  const llvm::StringRef name = builtin.name;
  if (!isReal(type) || arguments.empty())
    return false;
  if (name == "select" && arguments.size() == 3 && arguments[1]->getType() == type) {
    // LLVM takes some choices for a maximum whose zeros have no sign.
    if (hasNegativeZero(arguments[0]) || hasNegativeZero(arguments[1]))
      return false;
    llvm::Value *result = chosen(at, arguments);
    if (result)
      replaceUnlessNaN(site, builtin, result);
    return result;
  }
  if (lowerPower(site, builtin))
    return true;
  for (const llvm::Value *argument : arguments)
    if (!isReal(argument->getType()))
      return false;
  if (llvm::Value *result = geometricResult(at, name, arguments, type)) {
    replaceUnlessNaN(site, builtin, result);
    return true;
  }
  // The two functions of a vector and a scalar, or of two scalars, differ from those of two
  // vectors.
  const bool byScalar = arguments.size() > 1 && !arguments[1]->getType()->isVectorTy();
  for (llvm::Value *&argument : arguments) {
    if (type->isVectorTy() && !argument->getType()->isVectorTy())
      argument = at.CreateVectorSplat(laneCount(type), argument);
    if (argument->getType() != type)
      return false;
  }
  llvm::Value *const a = arguments[0];
  llvm::Value *const b = arguments.size() > 1 ? arguments[1] : nullptr;
  llvm::Value *const c = arguments.size() > 2 ? arguments[2] : nullptr;
  llvm::Type *real = withLanesOf(at.getDoubleTy(), type);
  const auto wide = [&](llvm::Value *value) { return at.CreateFPCast(value, real); };
  const auto greater = [&](llvm::Value *x, llvm::Value *y) { return extremum(at, x, y, false); };
  const auto smaller = [&](llvm::Value *x, llvm::Value *y) { return extremum(at, x, y, true); };
  llvm::Value *result = nullptr;
  llvm::Value *otherwise = nullptr; // also call Oclgrind's function then
  if (b && !c &&
      (name == "fmax" || name == "fmin" || (!byScalar && (name == "max" || name == "min")))) {
    // Like the functions of C, which return the first of two zeros.
    result = name.endswith("max") ? greater(b, a) : smaller(b, a);
    otherwise = at.CreateFCmpUNO(a, b);
  } else if (b && !c && (name == "max" || name == "min")) {
    result = name == "max" ? greater(a, b) : smaller(a, b);
  } else if (name == "clamp" && c) {
    result = smaller(greater(a, b), c);
  } else if (name == "mix" && c) {
    llvm::Value *x = wide(a);
    result = at.CreateFAdd(x, at.CreateFMul(at.CreateFSub(wide(b), x), wide(c)));
  } else if (name == "step" && b) {
    result = at.CreateSelect(at.CreateFCmpOLT(b, a), llvm::ConstantFP::get(type, 0.0),
                             llvm::ConstantFP::get(type, 1.0));
  } else if (name == "smoothstep" && c) {
    llvm::Value *x = wide(a);
    llvm::Value *t = at.CreateFDiv(at.CreateFSub(wide(c), x), at.CreateFSub(wide(b), x));
    t = smaller(greater(t, llvm::ConstantFP::get(real, 0.0)), llvm::ConstantFP::get(real, 1.0));
    llvm::Value *factor = at.CreateFSub(llvm::ConstantFP::get(real, 3.0),
                                        at.CreateFMul(llvm::ConstantFP::get(real, 2.0), t));
    result = at.CreateFMul(at.CreateFMul(t, t), factor);
  }
  if (!result)
    return false;
  replaceUnlessNaN(site, builtin, at.CreateFPCast(result, type), otherwise);
  return true;
}

/// Replaces a call of Oclgrind's function by `result`, unless that has a NaN or a lane of
/// `otherwise` holds: then the function is called.
void FunctionLowering::replaceUnlessNaN(const Site &site,
                                        const oclgrind::InterpreterCache::Builtin &builtin,
                                        llvm::Value *result, llvm::Value *otherwise) {
  llvm::Instruction &made = *site.instruction;
  if (!otherwise && llvm::isKnownNeverNaN(result, nullptr))
    return replaceByComputed(site, result);
  Builder at(&made);
  llvm::Value *isLeft = at.CreateFCmpUNO(result, result);
  if (otherwise)
    isLeft = at.CreateOr(isLeft, otherwise);
  if (isLeft->getType()->isVectorTy())
    isLeft = at.CreateOrReduce(isLeft);
  if (isHalf(*site.original->getType()))
    result = toHalf(at, result);
  llvm::Instruction *end = detourIf(isLeft, made, "left");
  llvm::BasicBlock *left = end->getParent();
  auto *merged = llvm::PHINode::Create(made.getType(), 2, "", &made.getParent()->front());
  made.replaceAllUsesWith(merged);
  made.moveBefore(end);
  merged->addIncoming(result, left->getSinglePredecessor());
  merged->addIncoming(&made, left);
  lowerGeneric(site, builtin);
}

} // namespace aiwc::engine
