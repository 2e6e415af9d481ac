// Instructions as Oclgrind's interpreter executes them: shifts by the amount modulo the width,
// divisions by 0 that give 0, conversions through 64 bits, no flags that allow more.
#include "plugin/engine/function_lowering.h"
#include "plugin/engine/runtime_calls.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace aiwc::plugin::engine {

using llvm::Instruction;

namespace {

bool isBool(const llvm::Type *type) {
  return type->getScalarType()->isIntegerTy(1);
}

bool isVectorOfBool(const llvm::Type *type) {
  return type->isVectorTy() && isBool(type);
}

/// An integer of an odd width that the compiler made to switch on, as of `x & 3`.
bool isSwitchSelector(const Instruction &instruction) {
  return llvm::isa<llvm::TruncInst>(instruction) && !isBool(instruction.getType()) &&
         instruction.getType()->isIntegerTy() &&
         (instruction.getType()->getIntegerBitWidth() < 8 ||
          !llvm::isPowerOf2_32(instruction.getType()->getIntegerBitWidth())) &&
         llvm::all_of(instruction.users(),
                      [](const llvm::User *user) { return llvm::isa<llvm::SwitchInst>(user); });
}

} // namespace

void FunctionLowering::refuse(const std::string &what) {
  throw NotCompilable(what);
}

void FunctionLowering::replace(Instruction &instruction, llvm::Value *value) {
  instruction.replaceAllUsesWith(value);
  instruction.eraseFromParent();
}

void FunctionLowering::checkType(const llvm::Type &type) const {
  const llvm::Type *scalar = type.getScalarType();
  if (type.isVoidTy() || type.isLabelTy() || type.isMetadataTy())
    return;
  if (scalar->isPointerTy() && !type.isVectorTy() && scalar->getPointerAddressSpace() <= 3)
    return;
  if (scalar->isFloatTy() || scalar->isDoubleTy())
    return;
  for (const unsigned bits : {1u, 8u, 16u, 32u, 64u})
    if (scalar->isIntegerTy(bits))
      return;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  refuse("a value of type " + name);
}

void FunctionLowering::checkTypes(const Site &site) const {
  if (isSwitchSelector(*site.original) || llvm::isa<llvm::SwitchInst>(site.original))
    return; // see lowerSwitch
  checkType(*site.original->getType());
  for (const llvm::Use &operand : site.original->operands())
    if (!llvm::isa<llvm::Function>(operand))
      checkType(*operand->getType());
}

void FunctionLowering::lowerInstruction(const Site &site) {
  Instruction &instruction = *site.instruction;
  instruction.dropUnknownNonDebugMetadata();
  instruction.dropPoisonGeneratingFlags();
  if (llvm::isa<llvm::FPMathOperator>(instruction))
    instruction.setFastMathFlags(llvm::FastMathFlags());
  if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      !call || !llvm::isa<llvm::DbgInfoIntrinsic>(call))
    materialiseConstants(instruction);
  if (site.position.last && instruction.isTerminator())
    endBlock(site.position, instruction);

  const llvm::Type *type = instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
    return;
  case Instruction::Xor:
    if (isVectorOfBool(type)) // all bits of an element are set in the interpreter, one here
      refuse("an exclusive or of vectors of truth values");
    return;
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    if (isBool(type))
      refuse("arithmetic on truth values");
    return;
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return lowerShift(instruction);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return lowerDivision(instruction);
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FNeg:
  case Instruction::FCmp:
  case Instruction::Br:
    return;
  case Instruction::Switch:
    return lowerSwitch(llvm::cast<llvm::SwitchInst>(instruction));
  case Instruction::ICmp:
    if (isBool(instruction.getOperand(0)->getType()) &&
        (isVectorOfBool(instruction.getOperand(0)->getType()) ||
         !llvm::cast<llvm::ICmpInst>(instruction).isEquality()))
      refuse("an order of truth values");
    return;
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::ShuffleVector:
    return;
  case Instruction::Freeze:
    return replace(instruction, instruction.getOperand(0));
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
    return lowerElement(instruction);
  case Instruction::Alloca:
    return lowerAlloca(site);
  case Instruction::Load:
    return lowerLoad(site);
  case Instruction::Store:
    return lowerStore(site);
  case Instruction::GetElementPtr: {
    Builder at(&instruction);
    const std::vector<llvm::Value *> operands(instruction.op_begin(), instruction.op_end());
    llvm::Value *address = addressOf(at, *llvm::cast<llvm::GEPOperator>(site.original), operands,
                                     instruction.getType(), arrayIndices_[site.original]);
    return replace(instruction, address);
  }
  case Instruction::Call:
    return lowerCall(site);
  case Instruction::Ret: {
    Builder at(&instruction);
    for (llvm::Value *allocation : allocations_)
      call(at, &calls::release, at.getVoidTy(), {allocation});
    spill(at);
    return;
  }
  case Instruction::Unreachable: {
    Builder(&instruction).CreateBr(failureBlock(Failure::kUnreachable));
    instruction.eraseFromParent();
    return;
  }
  default:
    if (!llvm::isa<llvm::CastInst>(instruction))
      refuse(std::string("the instruction ") + instruction.getOpcodeName());
    lowerCast(instruction);
  }
}

void FunctionLowering::lowerShift(Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  if (isBool(type))
    refuse("a shift of truth values");
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
  if (isBool(type))
    refuse("a division of truth values");
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
    // Of the quotient by -1 only the least number has none; the interpreter computes in 64 bits, in
    // which that is so of the least 64-bit number alone.
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

/// What `(int64_t)x` or `(uint64_t)x` of a double gives on this processor, cut to `type`.
llvm::Value *FunctionLowering::toInteger(Builder &at, llvm::Value *real, llvm::Type *type,
                                         bool isSigned) {
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

/// The interpreter keeps whole bytes of an integer of an odd width, and compares them all.
void FunctionLowering::lowerSwitch(llvm::SwitchInst &old) {
  const unsigned width = old.getCondition()->getType()->getIntegerBitWidth();
  if (width == 8 || width == 16 || width == 32 || width == 64)
    return;
  const auto *selector = llvm::dyn_cast<llvm::TruncInst>(old.getCondition());
  const unsigned bytes = (width + 7) / 8;
  if (!selector || !llvm::isPowerOf2_32(bytes))
    refuse("a switch on an integer of an odd width");
  Builder at(&old);
  llvm::IntegerType *type = at.getIntNTy(8 * bytes);
  llvm::SwitchInst *replacement = at.CreateSwitch(at.CreateTrunc(selector->getOperand(0), type),
                                                  old.getDefaultDest(), old.getNumCases());
  for (const auto &alternative : old.cases())
    replacement->addCase(llvm::ConstantInt::get(type, alternative.getCaseValue()->getZExtValue()),
                         alternative.getCaseSuccessor());
  old.eraseFromParent();
}

void FunctionLowering::lowerCast(Instruction &instruction) {
  Builder at(&instruction);
  llvm::Value *operand = instruction.getOperand(0);
  llvm::Type *from = operand->getType(), *to = instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::Trunc:
    if (isSwitchSelector(instruction)) // whose switch takes its operand
      return;
    if (isVectorOfBool(to))
      refuse("a vector of integers cut to truth values");
    if (isBool(to)) // the interpreter keeps a byte: true where any of its bits is set
      failIf(at.CreateICmpNE(at.CreateAnd(operand, llvm::ConstantInt::get(from, 0xfe)),
                             llvm::ConstantInt::get(from, 0)),
             instruction, Failure::kTruthValue);
    return;
  case Instruction::ZExt:
    if (isVectorOfBool(from))
      refuse("a vector of truth values extended by zeros");
    return;
  case Instruction::SExt:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return;
  case Instruction::BitCast:
    if (isBool(from) || isBool(to))
      refuse("truth values taken as something else");
    return;
  case Instruction::UIToFP:
    if (isVectorOfBool(from))
      refuse("a vector of truth values converted to reals");
    return;
  case Instruction::SIToFP: {
    if (isBool(from))
      refuse("truth values converted to reals");
    if (from->getScalarSizeInBits() < 64 || to->getScalarType()->isDoubleTy())
      return;
    // The interpreter rounds to double first.
    llvm::Type *wide = at.getDoubleTy();
    if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(to))
      wide = llvm::FixedVectorType::get(wide, vector->getNumElements());
    return replace(instruction, at.CreateFPTrunc(at.CreateSIToFP(operand, wide), to));
  }
  case Instruction::FPToSI:
  case Instruction::FPToUI: {
    if (isBool(to))
      refuse("reals converted to truth values");
    const bool isSigned = instruction.getOpcode() == Instruction::FPToSI;
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(to);
    if (!vector)
      return replace(instruction, toInteger(at, operand, to, isSigned));
    llvm::Value *result = llvm::Constant::getNullValue(to);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = at.CreateInsertElement(
          result, toInteger(at, at.CreateExtractElement(operand, i), to->getScalarType(), isSigned),
          i);
    return replace(instruction, result);
  }
  default:
    refuse(std::string("the instruction ") + instruction.getOpcodeName());
  }
}

void FunctionLowering::lowerElement(Instruction &instruction) {
  const bool inserts = instruction.getOpcode() == Instruction::InsertElement;
  if (isBool(instruction.getOperand(0)->getType()))
    refuse("an element of a vector of truth values");
  const unsigned lanes =
      llvm::cast<llvm::FixedVectorType>(instruction.getOperand(0)->getType())->getNumElements();
  llvm::Value *index = instruction.getOperand(inserts ? 2 : 1);
  Builder at(&instruction);
  failIf(at.CreateICmpUGE(index, llvm::ConstantInt::get(index->getType(), lanes)), instruction,
         Failure::kElementIndex);
}

/// The address that a getelementptr computes, with Oclgrind's own sizes and offsets; tells the
/// indices into arrays.
llvm::Value *FunctionLowering::addressOf(Builder &at, const llvm::GEPOperator &original,
                                         llvm::ArrayRef<llvm::Value *> operands, llvm::Type *result,
                                         std::vector<ArrayIndex> &indices) {
  if (original.getType()->isVectorTy())
    refuse("a vector of addresses");
  llvm::Value *address = at.CreatePtrToInt(operands[0], int64_);
  const llvm::Type *type = nullptr; // what the next index selects from; null: a pointer
  for (unsigned i = 1; i < operands.size(); ++i) {
    llvm::Value *index = at.CreateSExtOrTrunc(operands[i], int64_);
    const llvm::Type *element = nullptr;
    if (const auto *structure = llvm::dyn_cast_or_null<llvm::StructType>(type)) {
      const auto member = llvm::cast<llvm::ConstantInt>(operands[i])->getZExtValue();
      address = at.CreateAdd(address, number(oclgrind::getStructMemberOffset(
                                          structure, static_cast<unsigned>(member))));
      type = structure->getElementType(static_cast<unsigned>(member));
      continue;
    }
    if (!type) {
      element = original.getSourceElementType();
    } else if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      element = array->getElementType();
      indices.push_back({index, array->getNumElements()});
    } else {
      element = llvm::cast<llvm::VectorType>(type)->getElementType();
    }
    address = at.CreateAdd(address, at.CreateMul(index, number(oclgrind::getTypeSize(element))));
    type = element;
  }
  return at.CreateIntToPtr(address, result);
}

} // namespace aiwc::plugin::engine
