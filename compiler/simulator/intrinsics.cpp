#include "simulator/intrinsics.h"

#include "simulator/compat.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/APSInt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numbers>
#include <string>

namespace aiwc::simulator {
namespace {

using llvm::APFloat;
using llvm::APInt;
using oclgrind::TypedValue;

constexpr size_t kMostOperands = 3;

using Integers = std::array<APInt, kMostOperands>;
using Reals = std::array<double, kMostOperands>;
using OfIntegers = APInt (*)(const Integers &);
using OfReals = double (*)(const Reals &);
using WithOverflow = APInt (*)(const Integers &, bool &overflow);

/// An intrinsic as the LLVM Language Reference defines it. The function computes one lane from the
/// operands of the result's type, in order.
template <typename Function> struct Intrinsic {
  std::string_view prefix;
  Function compute;
};

/// The upper half of the two concatenated operands after a shift to the left.
APInt funnelLeft(const Integers &x) {
  const unsigned width = x[0].getBitWidth();
  const auto shift = static_cast<unsigned>(x[2].urem(width));
  return shift == 0 ? x[0] : x[0].shl(shift) | x[1].lshr(width - shift);
}

/// The lower half of the two concatenated operands after a shift to the right.
APInt funnelRight(const Integers &x) {
  const unsigned width = x[0].getBitWidth();
  const auto shift = static_cast<unsigned>(x[2].urem(width));
  return shift == 0 ? x[1] : x[0].shl(width - shift) | x[1].lshr(shift);
}

constexpr auto kOfIntegers = std::to_array<Intrinsic<OfIntegers>>({
    {"llvm.abs.", [](const Integers &x) { return x[0].abs(); }},
    {"llvm.bitreverse.", [](const Integers &x) { return x[0].reverseBits(); }},
    {"llvm.bswap.", [](const Integers &x) { return x[0].byteSwap(); }},
    {"llvm.ctlz.",
     [](const Integers &x) { return APInt(x[0].getBitWidth(), x[0].countLeadingZeros()); }},
    {"llvm.ctpop.",
     [](const Integers &x) { return APInt(x[0].getBitWidth(), x[0].countPopulation()); }},
    {"llvm.cttz.",
     [](const Integers &x) { return APInt(x[0].getBitWidth(), x[0].countTrailingZeros()); }},
    {"llvm.expect.", [](const Integers &x) { return x[0]; }},
    {"llvm.fshl.", funnelLeft},
    {"llvm.fshr.", funnelRight},
    {"llvm.sadd.sat.", [](const Integers &x) { return x[0].sadd_sat(x[1]); }},
    {"llvm.sshl.sat.", [](const Integers &x) { return x[0].sshl_sat(x[1]); }},
    {"llvm.ssub.sat.", [](const Integers &x) { return x[0].ssub_sat(x[1]); }},
    {"llvm.uadd.sat.", [](const Integers &x) { return x[0].uadd_sat(x[1]); }},
    {"llvm.ushl.sat.", [](const Integers &x) { return x[0].ushl_sat(x[1]); }},
    {"llvm.usub.sat.", [](const Integers &x) { return x[0].usub_sat(x[1]); }},
});

constexpr auto kOfReals = std::to_array<Intrinsic<OfReals>>({
    {"llvm.ceil.", [](const Reals &x) { return std::ceil(x[0]); }},
    {"llvm.copysign.", [](const Reals &x) { return std::copysign(x[0], x[1]); }},
    {"llvm.floor.", [](const Reals &x) { return std::floor(x[0]); }},
    {"llvm.maxnum.", [](const Reals &x) { return std::fmax(x[0], x[1]); }},
    {"llvm.minnum.", [](const Reals &x) { return std::fmin(x[0], x[1]); }},
    {"llvm.nearbyint.", [](const Reals &x) { return std::nearbyint(x[0]); }},
    {"llvm.rint.", [](const Reals &x) { return std::rint(x[0]); }},
    {"llvm.round.", [](const Reals &x) { return std::round(x[0]); }},
    {"llvm.sqrt.", [](const Reals &x) { return std::sqrt(x[0]); }},
    {"llvm.trunc.", [](const Reals &x) { return std::trunc(x[0]); }},
});

constexpr auto kWithOverflow = std::to_array<Intrinsic<WithOverflow>>({
    {"llvm.sadd.with.overflow.",
     [](const Integers &x, bool &overflow) { return x[0].sadd_ov(x[1], overflow); }},
    {"llvm.smul.with.overflow.",
     [](const Integers &x, bool &overflow) { return x[0].smul_ov(x[1], overflow); }},
    {"llvm.ssub.with.overflow.",
     [](const Integers &x, bool &overflow) { return x[0].ssub_ov(x[1], overflow); }},
    {"llvm.uadd.with.overflow.",
     [](const Integers &x, bool &overflow) { return x[0].uadd_ov(x[1], overflow); }},
    {"llvm.umul.with.overflow.",
     [](const Integers &x, bool &overflow) { return x[0].umul_ov(x[1], overflow); }},
    {"llvm.usub.with.overflow.",
     [](const Integers &x, bool &overflow) { return x[0].usub_ov(x[1], overflow); }},
});

constexpr auto kHints =
    std::to_array<std::string_view>({"llvm.assume", "llvm.experimental.noalias.scope.decl",
                                     "llvm.invariant.end", "llvm.sideeffect", "llvm.donothing"});

/// The call's operands that have `type`. The other operands declare cases undefined that are
/// defined here.
size_t operandsOf(oclgrind::WorkItem &item, const llvm::CallInst &call, const llvm::Type *type,
                  std::array<TypedValue, kMostOperands> &operands) {
  size_t count = 0;
  for (const llvm::Use &argument : call.args())
    if (argument->getType() == type && count < kMostOperands)
      operands[count++] = item.getOperand(argument.get());
  return count;
}

using Name = const std::string &;

void ofIntegers(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name,
                TypedValue &result, void *intrinsic) {
  const auto compute = static_cast<const Intrinsic<OfIntegers> *>(intrinsic)->compute;
  const unsigned width = call->getType()->getScalarSizeInBits();
  std::array<TypedValue, kMostOperands> operands{};
  const size_t count = operandsOf(*item, *call, call->getType(), operands);
  for (unsigned lane = 0; lane < result.num; ++lane) {
    Integers x;
    for (size_t i = 0; i < count; ++i)
      x[i] = APInt(width, operands[i].getUInt(lane));
    result.setUInt(compute(x).getZExtValue(), lane);
  }
}

void ofReals(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name, TypedValue &result,
             void *intrinsic) {
  const auto compute = static_cast<const Intrinsic<OfReals> *>(intrinsic)->compute;
  std::array<TypedValue, kMostOperands> operands{};
  const size_t count = operandsOf(*item, *call, call->getType(), operands);
  for (unsigned lane = 0; lane < result.num; ++lane) {
    Reals x{};
    for (size_t i = 0; i < count; ++i)
      x[i] = operands[i].getFloat(lane);
    result.setFloat(compute(x), lane);
  }
}

/// For scalars only: the compiler generates no other form.
void withOverflow(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name,
                  TypedValue &result, void *intrinsic) {
  const auto compute = static_cast<const Intrinsic<WithOverflow> *>(intrinsic)->compute;
  const auto *type = llvm::cast<llvm::StructType>(call->getType());
  const unsigned width = type->getElementType(0)->getScalarSizeInBits();
  Integers x;
  for (unsigned i = 0; i < 2; ++i)
    x[i] = APInt(width, item->getOperand(call->getArgOperand(i)).getUInt());
  bool overflow = false;
  TypedValue value{oclgrind::getTypeSize(type->getElementType(0)), 1, result.data};
  value.setUInt(compute(x, overflow).getZExtValue());
  result.data[oclgrind::getStructMemberOffset(type, 1)] = overflow ? 1 : 0;
}

/// A conversion to an integer, of NaN to 0.
template <bool isSigned>
void saturated(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name, TypedValue &result,
               void *) {
  const TypedValue real = item->getOperand(call->getArgOperand(0));
  for (unsigned lane = 0; lane < result.num; ++lane) {
    llvm::APSInt integer(call->getType()->getScalarSizeInBits(), !isSigned);
    bool isExact = false;
    APFloat(real.getFloat(lane)).convertToInteger(integer, APFloat::rmTowardZero, &isExact);
    result.setUInt(integer.getZExtValue(), lane);
  }
}

/// sin(pi x), which is exact for multiples of 1/2, since the argument is reduced exactly.
double sinOfPi(double x) {
  const double rest = std::remainder(x, 2.0);
  return std::sin((rest > 0.5 ? 1 - rest : rest < -0.5 ? -1 - rest : rest) * std::numbers::pi);
}

double cosOfPi(double x) {
  return sinOfPi(0.5 - std::fabs(std::remainder(x, 2.0)));
}

double tanOfPi(double x) {
  return sinOfPi(x) / cosOfPi(x);
}

/// mul24 and mad24, of the lower 24 bits of the factors.
void ofLower24Bits(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name overload,
                   TypedValue &result, void *) {
  const bool isSigned = overload.find('i') != std::string::npos;
  for (unsigned lane = 0; lane < result.num; ++lane) {
    std::array<uint32_t, 3> x{};
    for (unsigned i = 0; i < call->arg_size(); ++i)
      x[i] = static_cast<uint32_t>(item->getOperand(call->getArgOperand(i)).getUInt(lane));
    for (const size_t i : {0, 1})
      x[i] =
          isSigned ? static_cast<uint32_t>(static_cast<int32_t>(x[i] << 8) >> 8) : x[i] & 0xffffff;
    result.setUInt(x[0] * x[1] + x[2], lane);
  }
}

void nothing(oclgrind::WorkItem *, const llvm::CallInst *, Name, Name, TypedValue &, void *) {}

template <typename Intrinsics> bool isOneOf(const Intrinsics &intrinsics, std::string_view name) {
  return std::ranges::any_of(
      intrinsics, [&](const auto &intrinsic) { return name.starts_with(intrinsic.prefix); });
}

/// Registers an intrinsic. Oclgrind uses the first prefix that matches, so ours must come first:
/// its own `llvm.bswap` does not support vectors.
void add(std::string_view prefix, decltype(oclgrind::BuiltinFunction::func) function,
         const void *intrinsic) {
  oclgrind::workItemPrefixBuiltins.emplace_front(
      std::string(prefix),
      oclgrind::BuiltinFunction(function, const_cast<void *>(intrinsic))); // only passed back
}

} // namespace

void addIntrinsics() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const auto &intrinsic : kOfIntegers)
      add(intrinsic.prefix, ofIntegers, &intrinsic);
    for (const auto &intrinsic : kOfReals)
      add(intrinsic.prefix, ofReals, &intrinsic);
    for (const auto &intrinsic : kWithOverflow)
      add(intrinsic.prefix, withOverflow, &intrinsic);
    add("llvm.fptosi.sat.", saturated<true>, nullptr);
    add("llvm.fptoui.sat.", saturated<false>, nullptr);
    auto &builtins = oclgrind::workItemBuiltins;
    builtins.at("mul24") = builtins.at("mad24") = {ofLower24Bits, nullptr};
    builtins.at("sinpi").op = reinterpret_cast<void *>(sinOfPi);
    builtins.at("cospi").op = reinterpret_cast<void *>(cosOfPi);
    builtins.at("tanpi").op = reinterpret_cast<void *>(tanOfPi);
    for (const std::string_view hint : kHints)
      add(hint, nothing, nullptr);
  });
}

bool computesFromOperands(std::string_view intrinsic) {
  return isOneOf(kOfIntegers, intrinsic) || isOneOf(kOfReals, intrinsic);
}

bool isHintToCompiler(std::string_view intrinsic) {
  return std::ranges::any_of(kHints,
                             [&](std::string_view hint) { return intrinsic.starts_with(hint); });
}

} // namespace aiwc::simulator
