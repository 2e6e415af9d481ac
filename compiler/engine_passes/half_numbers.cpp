#include "engine_passes/half_numbers.h"

#include "engine_passes/value_types.h"

namespace aiwc::engine {

namespace {

// The parts of a double and of a half.
constexpr unsigned kFraction = 52, kBias = 1023;
constexpr unsigned kHalfFraction = 10, kHalfBias = 15;
constexpr unsigned kDropped = kFraction - kHalfFraction;

constexpr uint64_t exponentOfDouble(int exponent) {
  return static_cast<uint64_t>(exponent + static_cast<int>(kBias)) << kFraction;
}

} // namespace

llvm::Value *fromHalf(llvm::IRBuilder<> &at, llvm::Value *half) {
  llvm::Type *wide = withLanesOf(at.getInt64Ty(), half->getType());
  llvm::Type *real = withLanesOf(at.getDoubleTy(), half->getType());
  const auto constant = [&](uint64_t value) { return llvm::ConstantInt::get(wide, value); };
  llvm::Value *bits = at.CreateZExt(half, wide);
  llvm::Value *size = at.CreateAnd(bits, kHalfSign - 1);
  llvm::Value *sign = at.CreateShl(at.CreateAnd(bits, kHalfSign), 48);
  llvm::Value *shifted = at.CreateShl(size, kDropped);
  llvm::Value *usual = at.CreateAdd(shifted, constant(uint64_t{kBias - kHalfBias} << kFraction));
  llvm::Value *infinite = at.CreateOr(shifted, constant(uint64_t{0x7ff} << kFraction));
  llvm::Value *isNaN = at.CreateICmpUGT(size, constant(kHalfInfinity));
  infinite =
      at.CreateSelect(isNaN, at.CreateOr(infinite, constant(kHalfQuiet << kDropped)), infinite);
  llvm::Value *units =
      at.CreateUIToFP(at.CreateTrunc(size, withLanesOf(at.getInt32Ty(), wide)), real);
  llvm::Value *small =
      at.CreateBitCast(at.CreateFMul(units, llvm::ConstantFP::get(real, 0x1p-24)), wide);
  llvm::Value *result =
      at.CreateSelect(at.CreateICmpULT(size, constant(kHalfInfinity)), usual, infinite);
  result = at.CreateSelect(at.CreateICmpULT(size, constant(1 << kHalfFraction)), small, result);
  return at.CreateBitCast(at.CreateOr(result, sign), real);
}

llvm::Value *toHalf(llvm::IRBuilder<> &at, llvm::Value *number) {
  llvm::Type *wide = withLanesOf(at.getInt64Ty(), number->getType());
  llvm::Type *real = withLanesOf(at.getDoubleTy(), number->getType());
  const auto constant = [&](uint64_t value) { return llvm::ConstantInt::get(wide, value); };
  llvm::Value *bits = at.CreateBitCast(at.CreateFPCast(number, real), wide);
  llvm::Value *size = at.CreateAnd(bits, ~uint64_t{0} >> 1);
  llvm::Value *sign = at.CreateAnd(at.CreateLShr(bits, 48), kHalfSign);
  llvm::Value *upper = at.CreateLShr(size, kDropped);
  // The carry of the dropped bits goes into the fraction, and from there into the exponent.
  llvm::Value *carry =
      at.CreateAdd(at.CreateAnd(upper, 1), constant((uint64_t{1} << (kDropped - 1)) - 1));
  llvm::Value *usual = at.CreateSub(at.CreateLShr(at.CreateAdd(size, carry), kDropped),
                                    constant(uint64_t{kBias - kHalfBias} << kHalfFraction));
  // The last bit of 2^28 is that of the least half, and the processor rounds to it.
  llvm::Value *sum =
      at.CreateFAdd(at.CreateBitCast(size, real), llvm::ConstantFP::get(real, 0x1p28));
  llvm::Value *small = at.CreateSub(at.CreateBitCast(sum, wide), constant(exponentOfDouble(28)));
  llvm::Value *isNaN = at.CreateICmpUGT(size, constant(exponentOfDouble(1024)));
  llvm::Value *infinite = at.CreateSelect(
      isNaN, at.CreateOr(at.CreateAnd(upper, 1023), constant(kHalfInfinity | kHalfQuiet)),
      constant(kHalfInfinity));
  llvm::Value *result =
      at.CreateSelect(at.CreateICmpULT(size, constant(exponentOfDouble(-14))), small, usual);
  // From the middle between the greatest half and the next power of two.
  result = at.CreateSelect(
      at.CreateICmpUGE(size, constant(exponentOfDouble(16) - (uint64_t{1} << (kDropped - 1)))),
      infinite, result);
  return at.CreateTrunc(at.CreateOr(result, sign), withLanesOf(at.getInt16Ty(), number->getType()));
}

} // namespace aiwc::engine
