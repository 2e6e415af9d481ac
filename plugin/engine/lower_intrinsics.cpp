// LLVM's intrinsics, which are left to it where it and Oclgrind compute the same.
#include "plugin/engine/function_lowering.h"

#include <algorithm>
#include <array>

namespace aiwc::plugin::engine {
namespace {

using llvm::Intrinsic::ID;

struct IntegerIntrinsic {
  llvm::StringRef prefix;
  ID id;
  unsigned operands;      ///< of the result's type
  bool definable = false; ///< a last operand says whether a case is undefined, which it is not here
};

constexpr auto kIntegerIntrinsics = std::to_array<IntegerIntrinsic>({
    {"llvm.abs.", llvm::Intrinsic::abs, 1, true},
    {"llvm.bitreverse.", llvm::Intrinsic::bitreverse, 1},
    {"llvm.bswap.", llvm::Intrinsic::bswap, 1},
    {"llvm.ctlz.", llvm::Intrinsic::ctlz, 1, true},
    {"llvm.ctpop.", llvm::Intrinsic::ctpop, 1},
    {"llvm.cttz.", llvm::Intrinsic::cttz, 1, true},
    {"llvm.fshl.", llvm::Intrinsic::fshl, 3},
    {"llvm.fshr.", llvm::Intrinsic::fshr, 3},
    {"llvm.sadd.sat.", llvm::Intrinsic::sadd_sat, 2},
    {"llvm.smax.", llvm::Intrinsic::smax, 2},
    {"llvm.smin.", llvm::Intrinsic::smin, 2},
    {"llvm.ssub.sat.", llvm::Intrinsic::ssub_sat, 2},
    {"llvm.uadd.sat.", llvm::Intrinsic::uadd_sat, 2},
    {"llvm.umax.", llvm::Intrinsic::umax, 2},
    {"llvm.umin.", llvm::Intrinsic::umin, 2},
    {"llvm.usub.sat.", llvm::Intrinsic::usub_sat, 2},
});

bool isWholeInteger(const llvm::Type &type) {
  const unsigned bits = type.getScalarSizeInBits();
  return type.isIntOrIntVectorTy() && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

} // namespace

bool FunctionLowering::lowerIntegerIntrinsic(const Site &site, llvm::StringRef name) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  llvm::Type *type = made.getType();
  const auto *intrinsic = std::ranges::find_if(
      kIntegerIntrinsics, [&](const auto &each) { return name.startswith(each.prefix); });
  if (intrinsic == kIntegerIntrinsics.end() || !isWholeInteger(*type))
    return false;
  Builder at(&made);
  std::vector<llvm::Value *> operands(made.arg_begin(), made.arg_begin() + intrinsic->operands);
  if (intrinsic->definable)
    operands.push_back(at.getFalse());
  replace(made, at.CreateIntrinsic(intrinsic->id, {type}, operands));
  return true;
}

} // namespace aiwc::plugin::engine
