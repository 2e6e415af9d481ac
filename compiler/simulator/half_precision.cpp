#include "common/half_precision.h"

#include "simulator/compat.h"
#include "simulator/intrinsics.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string>

namespace aiwc::simulator {
namespace {

using oclgrind::TypedValue;
using Function = decltype(oclgrind::BuiltinFunction::func);
using Name = const std::string &;

/// A function of Oclgrind's, and what to call instead if an argument is a half.
struct Overloaded {
  oclgrind::BuiltinFunction others;
  Function ofHalf;
};

/// The letters of a half in a mangled name. No other type's have them.
constexpr std::string_view kHalf = "Dh";

bool takesHalf(const std::string &overload) {
  return overload.find(kHalf) != std::string::npos;
}

void choose(oclgrind::WorkItem *item, const llvm::CallInst *call, Name name, Name overload,
            TypedValue &result, void *function) {
  const auto &[others, ofHalf] = *static_cast<Overloaded *>(function);
  if (takesHalf(overload))
    ofHalf(item, call, name, overload, result, function);
  else
    others.func(item, call, name, overload, result, others.op);
}

/// Calls Oclgrind's function as that of the type with this letter.
void callAs(char letter, oclgrind::WorkItem *item, const llvm::CallInst *call, Name name,
            std::string overload, TypedValue &result, void *function) {
  for (size_t at = 0; (at = overload.find(kHalf, at)) != std::string::npos;)
    overload.replace(at, kHalf.size(), 1, letter);
  const oclgrind::BuiltinFunction &others = static_cast<Overloaded *>(function)->others;
  others.func(item, call, name, overload, result, others.op);
}

/// For what Oclgrind computes with doubles.
void asFloat(oclgrind::WorkItem *item, const llvm::CallInst *call, Name name, Name overload,
             TypedValue &result, void *function) {
  callAs('f', item, call, name, overload, result, function);
}

/// For what moves bits.
void asBits(oclgrind::WorkItem *item, const llvm::CallInst *call, Name name, Name overload,
            TypedValue &result, void *function) {
  callAs('t', item, call, name, overload, result, function);
}

double argument(oclgrind::WorkItem *item, const llvm::CallInst *call, unsigned number,
                unsigned lane) {
  return fromHalf(
      static_cast<uint16_t>(item->getOperand(call->getArgOperand(number)).getUInt(lane)));
}

/// The half next to `from` in the direction of `to`.
uint16_t next(uint16_t from, uint16_t to) {
  const double x = fromHalf(from), y = fromHalf(to);
  if (std::isnan(x) || std::isnan(y))
    return toHalf(x + y);
  if (x == y)
    return to;
  if (x == 0)
    return static_cast<uint16_t>((std::signbit(y) ? 0x8000 : 0) | 1);
  return static_cast<uint16_t>(std::signbit(x) == (x < y) ? from - 1 : from + 1);
}

void nextAfter(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name, TypedValue &result,
               void *) {
  const TypedValue from = item->getOperand(call->getArgOperand(0));
  const TypedValue to = item->getOperand(call->getArgOperand(1));
  for (unsigned lane = 0; lane < result.num; ++lane)
    result.setUInt(
        next(static_cast<uint16_t>(from.getUInt(lane)), static_cast<uint16_t>(to.getUInt(lane))),
        lane);
}

void isNormal(oclgrind::WorkItem *item, const llvm::CallInst *call, Name, Name, TypedValue &result,
              void *) {
  for (unsigned lane = 0; lane < result.num; ++lane) {
    const double size = std::fabs(argument(item, call, 0, lane));
    const bool is = size >= 0x1p-14 && size < INFINITY;
    result.setSInt(is ? (result.num > 1 ? -1 : 1) : 0, lane);
  }
}

/// The fraction is less than 1: Oclgrind's function rounds it to a double less than 1.
void fract(oclgrind::WorkItem *item, const llvm::CallInst *call, Name name, Name overload,
           TypedValue &result, void *function) {
  callAs('f', item, call, name, overload, result, function);
  for (unsigned lane = 0; lane < result.num; ++lane)
    if (result.getUInt(lane) == toHalf(1))
      result.setUInt(toHalf(1 - 0x1p-11), lane);
}

HalfRounding roundingOf(const std::string &conversion) {
  const size_t at = conversion.find("_rt");
  switch (at == std::string::npos ? 'e' : conversion[at + 3]) {
  case 'z':
    return HalfRounding::kToZero;
  case 'p':
    return HalfRounding::kUp;
  case 'n':
    return HalfRounding::kDown;
  default:
    return HalfRounding::kToEven;
  }
}

/// An integer that no double has is too large for a half.
void toHalves(oclgrind::WorkItem *item, const llvm::CallInst *call, Name name, Name overload,
              TypedValue &result, void *) {
  const TypedValue given = item->getOperand(call->getArgOperand(0));
  const bool isReal = call->getArgOperand(0)->getType()->getScalarType()->isFloatingPointTy();
  constexpr std::string_view kSigned = "csil";
  const bool isSigned = kSigned.find(overload.back()) != std::string_view::npos;
  for (unsigned lane = 0; lane < result.num; ++lane) {
    const double value = isReal     ? given.getFloat(lane)
                         : isSigned ? static_cast<double>(given.getSInt(lane))
                                    : static_cast<double>(given.getUInt(lane));
    result.setUInt(toHalf(value, roundingOf(name)), lane);
  }
}

/// The functions' table lives as long as the process.
void *kept(const oclgrind::BuiltinFunction &others, Function ofHalf) {
  return new Overloaded{others, ofHalf};
}

bool holdsHalf(const llvm::Type *type) {
  return type->isHalfTy() || (!type->isPointerTy() &&
                              std::any_of(type->subtype_begin(), type->subtype_end(), holdsHalf));
}

} // namespace

void addHalfPrecision() {
  static std::once_flag once;
  std::call_once(once, [] {
    const std::pair<const char *, Function> named[] = {
        {"bitselect", asBits}, {"clamp", asFloat}, {"fract", fract},         {"isnormal", isNormal},
        {"max", asFloat},      {"min", asFloat},   {"nextafter", nextAfter}, {"select", asBits}};
    for (const auto &[name, function] : named)
      if (const auto found = oclgrind::workItemBuiltins.find(name);
          found != oclgrind::workItemBuiltins.end())
        found->second = {choose, kept(found->second, function)};
    for (const auto &[ofHalf, ofFloat] :
         {std::pair("read_imageh", "read_imagef"), {"write_imageh", "write_imagef"}})
      if (const auto found = oclgrind::workItemBuiltins.find(ofFloat);
          found != oclgrind::workItemBuiltins.end())
        oclgrind::workItemBuiltins.emplace(ofHalf, oclgrind::BuiltinFunction(found->second));
    for (auto &[prefix, function] : oclgrind::workItemPrefixBuiltins)
      if (prefix == "convert_half")
        function = {toHalves, nullptr};
      else if (prefix.compare(0, 8, "convert_") == 0)
        function = {choose, kept(function, asFloat)};
  });
}

void storeConstant(unsigned char *data, const llvm::Constant *constant,
                   void (*byOclgrind)(unsigned char *, const llvm::Constant *)) {
  llvm::Type *type = constant->getType();
  if (llvm::isa<llvm::UndefValue>(constant) || !holdsHalf(type))
    return byOclgrind(data, constant);
  if (const auto *number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    const auto bits = static_cast<uint16_t>(number->getValueAPF().bitcastToAPInt().getZExtValue());
    std::memcpy(data, &bits, sizeof bits);
    return;
  }
  const auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  for (unsigned i = 0; const llvm::Constant *element = constant->getAggregateElement(i); ++i) {
    const size_t offset = structure ? oclgrind::getStructMemberOffset(structure, i)
                                    : size_t{i} * oclgrind::getTypeSize(element->getType());
    storeConstant(data + offset, element, byOclgrind);
  }
}

} // namespace aiwc::simulator
