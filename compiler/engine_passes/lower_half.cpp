// Half precision. The interpreter converts each half to a double, computes, and rounds the result
// (common/half_precision.h). Here a half is its bits (value_types.h).
#include "engine_passes/function_lowering.h"
#include "engine_passes/half_numbers.h"
#include "engine_passes/value_types.h"

namespace aiwc::engine {

using llvm::Instruction;

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
