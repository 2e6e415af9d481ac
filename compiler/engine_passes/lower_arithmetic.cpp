// Arithmetic and conversions with the results of Oclgrind's interpreter: it shifts by the amount
// modulo the width, returns 0 for a division by 0, converts through 64 bits, and computes with real
// numbers in double precision.
#include "engine_passes/function_lowering.h"
#include "engine_passes/value_types.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <cmath>
#include <utility>

namespace aiwc::engine {

using llvm::Instruction;

void FunctionLowering::lowerShift(Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  Builder at(&instruction);
  const unsigned width = type->getScalarSizeInBits();
  const auto opcode = static_cast<Instruction::BinaryOps>(instruction.getOpcode());
  llvm::Value *value = instruction.getOperand(0), *amount = instruction.getOperand(1);
  if (type->isVectorTy() || width >= 32) {
    amount = at.CreateAnd(amount, llvm::ConstantInt::get(type, width - 1));
    return replace(instruction, at.CreateBinOp(opcode, value, amount));
  }
  // A scalar narrower than 32 bits is shifted by the amount modulo 32.
  llvm::Type *wide = at.getInt32Ty();
  value = opcode == Instruction::AShr ? at.CreateSExt(value, wide) : at.CreateZExt(value, wide);
  amount = at.CreateAnd(at.CreateZExt(amount, wide), 31);
  replace(instruction, at.CreateTrunc(at.CreateBinOp(opcode, value, amount), type));
}

void FunctionLowering::lowerDivision(Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  Builder at(&instruction);
  const unsigned opcode = instruction.getOpcode();
  llvm::Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
  llvm::Constant *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *byZero = at.CreateICmpEQ(b, zero);
  llvm::Value *result = nullptr;
  if (opcode == Instruction::UDiv || opcode == Instruction::URem) {
    result = at.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), a,
                            at.CreateSelect(byZero, one, b));
  } else {
    // Division by -1 overflows only for the least number. The interpreter computes in 64 bits, so
    // there only the least 64-bit number overflows.
    llvm::Value *byMinusOne = at.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type));
    llvm::Value *divisor = at.CreateSelect(at.CreateOr(byZero, byMinusOne), one, b);
    result = at.CreateBinOp(static_cast<Instruction::BinaryOps>(opcode), a, divisor);
    if (opcode == Instruction::SRem) {
      result = at.CreateSelect(byMinusOne, zero, result);
    } else {
      llvm::Value *negative = at.CreateSub(zero, a);
      if (type->getScalarSizeInBits() == 64) {
        llvm::Constant *least = llvm::ConstantInt::get(type, uint64_t{1} << 63);
        negative = at.CreateSelect(at.CreateICmpEQ(a, least), zero, negative);
      }
      result = at.CreateSelect(byMinusOne, negative, result);
    }
  }
  replace(instruction, at.CreateSelect(byZero, zero, result));
}

void FunctionLowering::lowerRealArithmetic(Instruction &instruction) {
  Builder at(&instruction);
  llvm::Value *first = instruction.getOperand(0);
  if (instruction.getOpcode() == Instruction::FNeg) {
    llvm::Value *negated = at.CreateFNeg(first);
    return replace(instruction,
                   keepsSignalling(*first) ? negated : withNaNOf(at, negated, negated));
  }
  llvm::Value *second = instruction.getOperand(1);
  if (instruction.getOpcode() == Instruction::FRem)
    return replace(instruction, remainder(at, first, second));
  const auto opcode = static_cast<Instruction::BinaryOps>(instruction.getOpcode());
  replace(instruction, exactly(at, opcode, first, second));
}

llvm::Value *FunctionLowering::remainder(Builder &at, llvm::Value *first, llvm::Value *second) {
  double (*function)(double, double) = std::fmod;
  return callByLane(at, reinterpret_cast<const void *>(function), {first, second});
}

/// A sum, difference, product or quotient, with the NaN that Oclgrind gets.
llvm::Value *FunctionLowering::exactly(Builder &at, Instruction::BinaryOps opcode,
                                       llvm::Value *first, llvm::Value *second) {
  llvm::Value *result = at.CreateBinOp(opcode, first, second);
  if (opcode == Instruction::FAdd || opcode == Instruction::FMul) // as Oclgrind is compiled
    std::swap(first, second);
  return withNaNOf(at, {first, second}, result);
}

/// Calls `function`, which takes and returns doubles, for each lane of the arguments. They have one
/// type, which is that of the result.
llvm::Value *FunctionLowering::callByLane(Builder &at, const void *function,
                                          llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::Type *type = arguments.front()->getType(), *real = at.getDoubleTy();
  auto *signature =
      llvm::FunctionType::get(real, std::vector<llvm::Type *>(arguments.size(), real), false);
  llvm::Value *callee = processFunction(at, function, signature);
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  llvm::Value *result = llvm::Constant::getNullValue(type);
  for (unsigned lane = 0; lane < (vector ? vector->getNumElements() : 1); ++lane) {
    std::vector<llvm::Value *> operands;
    for (llvm::Value *argument : arguments)
      operands.push_back(
          at.CreateFPExt(vector ? at.CreateExtractElement(argument, lane) : argument, real));
    llvm::CallInst *computed = at.CreateCall(signature, callee, operands);
    computed->setDoesNotAccessMemory(); // except errno, which is never read
    computed->setDoesNotThrow();
    computed->addFnAttr(llvm::Attribute::WillReturn);
    llvm::Value *value = at.CreateFPTrunc(computed, type->getScalarType());
    result = vector ? at.CreateInsertElement(result, value, lane) : value;
  }
  return result;
}

/// The result of `(int64_t)x` or `(uint64_t)x` for each double on this processor, truncated to
/// `type`.
llvm::Value *FunctionLowering::toInteger(Builder &at, llvm::Value *real, llvm::Type *type,
                                         bool isSigned) {
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Value *result = llvm::Constant::getNullValue(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = at.CreateInsertElement(
          result, toInteger(at, at.CreateExtractElement(real, i), type->getScalarType(), isSigned),
          i);
    return result;
  }
  llvm::Value *x = at.CreateFPExt(real, at.getDoubleTy());
  const auto truncated = [&](llvm::Value *value) {
    llvm::Value *vector =
        llvm::Constant::getNullValue(llvm::FixedVectorType::get(at.getDoubleTy(), 2));
    vector = at.CreateInsertElement(vector, value, uint64_t{0});
    return at.CreateIntrinsic(llvm::Intrinsic::x86_sse2_cvttsd2si64, {}, {vector});
  };
  llvm::Value *result = truncated(x);
  if (!isSigned) {
    llvm::Constant *half = llvm::ConstantFP::get(at.getDoubleTy(), 9223372036854775808.0);
    llvm::Value *upper = at.CreateXor(truncated(at.CreateFSub(x, half)), number(uint64_t{1} << 63));
    result = at.CreateSelect(at.CreateFCmpOGE(x, half), upper, result);
  }
  return at.CreateTrunc(result, type);
}

void FunctionLowering::lowerCast(const Site &site) {
  Instruction &instruction = *site.instruction;
  Builder at(&instruction);
  llvm::Value *operand = instruction.getOperand(0);
  llvm::Type *from = operand->getType(), *to = instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::Trunc:
    return replace(instruction, at.CreateTrunc(operand, to));
  case Instruction::ZExt:
    return replace(instruction, at.CreateZExt(operand, to));
  case Instruction::SExt:
    if (site.original->getOperand(0)->getType()->isIntegerTy(1)) // a scalar's bits are all the same
      return replace(instruction, at.CreateSExt(isTrue(at, operand), to));
    return replace(instruction, at.CreateSExt(operand, to));
  case Instruction::FPExt:
  case Instruction::FPTrunc: {
    if (from == to)
      return;
    const auto opcode = static_cast<Instruction::CastOps>(instruction.getOpcode());
    llvm::Value *converted = at.CreateCast(opcode, operand, to);
    return replace(instruction, withNaNOf(at, converted, converted));
  }
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    shared_.code.loadsAddresses |= pointsToBuffer(*instruction.getType());
    return;
  case Instruction::UIToFP:
    return;
  case Instruction::BitCast: {
    // The sizes of truth values and odd integers can differ: the interpreter takes the first bytes.
    const unsigned given = from->getPrimitiveSizeInBits(), taken = to->getPrimitiveSizeInBits();
    if (given == taken)
      return;
    if (taken > given)
      refuse("a cast of booleans or integers of unusual width to a wider type");
    llvm::Value *bits = at.CreateBitCast(operand, at.getIntNTy(given));
    return replace(instruction, at.CreateBitCast(at.CreateTrunc(bits, at.getIntNTy(taken)), to));
  }
  case Instruction::SIToFP: {
    if (from->getScalarSizeInBits() < 64 || to->getScalarType()->isDoubleTy())
      return;
    // The interpreter rounds to double first.
    llvm::Type *wide = withLanesOf(at.getDoubleTy(), to);
    return replace(instruction, at.CreateFPTrunc(at.CreateSIToFP(operand, wide), to));
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    const bool isSigned = instruction.getOpcode() == Instruction::FPToSI;
    return replace(instruction, toInteger(at, operand, to, isSigned));
  }
  default:
    refuse(std::string("the instruction ") + instruction.getOpcodeName());
  }
}

} // namespace aiwc::engine
