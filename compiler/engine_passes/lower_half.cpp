// Half precision. The interpreter converts each half to a double, computes, and rounds the result
// (common/half_precision.h). Here a half is its bits (value_types.h).
#include "engine_passes/function_lowering.h"
#include "engine_passes/value_types.h"

#include <utility>

namespace aiwc::engine {

using llvm::Instruction;

namespace {

/// Bits of a double.
constexpr unsigned kFraction = 52, kBias = 1023;
/// Bits of a half.
constexpr unsigned kHalfFraction = 10, kHalfBias = 15;
constexpr unsigned kDropped = kFraction - kHalfFraction;
constexpr uint64_t kHalfInfinity = 0x7c00, kHalfQuiet = 0x200, kHalfSign = 0x8000;

constexpr uint64_t exponentOfDouble(int exponent) {
  return static_cast<uint64_t>(exponent + static_cast<int>(kBias)) << kFraction;
}

} // namespace

/// The halves as doubles.
llvm::Value *FunctionLowering::fromHalf(Builder &at, llvm::Value *half) {
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

/// The doubles or floats as halves, to the nearest, and of two to the even one.
llvm::Value *FunctionLowering::toHalf(Builder &at, llvm::Value *number) {
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

/// Whether the type is one that the lowering keeps as the bits of halves.
bool FunctionLowering::isHalf(const llvm::Type &original) {
  return original.getScalarType()->isHalfTy();
}

/// An operand as a number to compute with: a half as a double.
llvm::Value *FunctionLowering::computable(Builder &at, const llvm::Value &original,
                                          llvm::Value *operand) {
  return isHalf(*original.getType()) ? fromHalf(at, operand) : operand;
}

/// The type in which a call's result is computed: for halves, double.
llvm::Type *FunctionLowering::computedType(const Site &site) {
  llvm::Type *type = site.instruction->getType();
  return isHalf(*site.original->getType()) ? withLanesOf(llvm::Type::getDoubleTy(context_), type)
                                           : type;
}

std::vector<llvm::Value *> FunctionLowering::computedArguments(Builder &at, const Site &site) {
  const auto &original = llvm::cast<llvm::CallInst>(*site.original);
  const auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  std::vector<llvm::Value *> arguments;
  for (unsigned i = 0; i < made.arg_size(); ++i)
    arguments.push_back(computable(at, *original.getArgOperand(i), made.getArgOperand(i)));
  return arguments;
}

/// Replaces a call by what was computed for it.
void FunctionLowering::replaceByComputed(const Site &site, llvm::Value *result) {
  Builder at(site.instruction);
  replace(*site.instruction, isHalf(*site.original->getType()) ? toHalf(at, result) : result);
}

/// An instruction that computes with halves, or converts from or to them.
void FunctionLowering::lowerHalf(const Site &site) {
  Instruction &instruction = *site.instruction;
  const Instruction &original = *site.original;
  Builder at(&instruction);
  std::vector<llvm::Value *> operands;
  for (unsigned i = 0; i < original.getNumOperands(); ++i)
    operands.push_back(computable(at, *original.getOperand(i), instruction.getOperand(i)));
  llvm::Type *real = withLanesOf(at.getDoubleTy(), instruction.getType());
  switch (const unsigned opcode = instruction.getOpcode()) {
  case Instruction::FNeg: {
    // A NaN becomes quiet, as in any conversion.
    llvm::Value *bits = instruction.getOperand(0);
    llvm::Type *type = bits->getType();
    llvm::Value *isNaN = at.CreateICmpUGT(at.CreateAnd(bits, kHalfSign - 1),
                                          llvm::ConstantInt::get(type, kHalfInfinity));
    bits = at.CreateXor(bits, llvm::ConstantInt::get(type, kHalfSign));
    return replace(instruction, at.CreateSelect(isNaN, at.CreateOr(bits, kHalfQuiet), bits));
  }
  case Instruction::FRem:
    return replace(instruction, toHalf(at, remainder(at, operands[0], operands[1])));
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return replace(instruction, toHalf(at, exactly(at, static_cast<Instruction::BinaryOps>(opcode),
                                                   operands[0], operands[1])));
  case Instruction::FCmp:
    instruction.setOperand(0, operands[0]);
    instruction.setOperand(1, operands[1]);
    return lowerComparison(llvm::cast<llvm::CmpInst>(instruction));
  case Instruction::FPExt: {
    llvm::Value *converted = at.CreateFPCast(operands[0], instruction.getType());
    return replace(instruction, withNaNOf(at, converted, converted));
  }
  case Instruction::FPTrunc:
    return replace(instruction, toHalf(at, operands[0]));
  case Instruction::SIToFP:
    return replace(instruction, toHalf(at, at.CreateSIToFP(operands[0], real)));
  case Instruction::UIToFP:
    return replace(instruction, toHalf(at, at.CreateUIToFP(operands[0], real)));
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return replace(instruction, toInteger(at, operands[0], instruction.getType(),
                                          opcode == Instruction::FPToSI));
  default:
    refuse(std::string("the instruction ") + instruction.getOpcodeName() + " of half");
  }
}

} // namespace aiwc::engine
