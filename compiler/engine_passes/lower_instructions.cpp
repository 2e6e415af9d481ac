// Instructions as Oclgrind's interpreter executes them, without flags that allow other results.
#include "engine_passes/function_lowering.h"
#include "engine_passes/runtime_calls.h"
#include "engine_passes/value_types.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>

#include <algorithm>

namespace aiwc::engine {

using llvm::Instruction;

namespace {

/// Whether a type has no padding and the same layout in LLVM and in Oclgrind. Machine code does not
/// copy padding, but the interpreter copies whole values.
bool isDense(const llvm::Type &constant, const llvm::DataLayout &layout) {
  auto *type = const_cast<llvm::Type *>(&constant); // LLVM's functions take no constant types
  if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
    return isDense(*array->getElementType(), layout);
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
    uint64_t end = 0;
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const llvm::Type *element = structure->getElementType(i);
      if (!isDense(*element, layout) || oclgrind::getStructMemberOffset(structure, i) != end ||
          layout.getStructLayout(structure)->getElementOffset(i) != end)
        return false;
      end += oclgrind::getTypeSize(element);
    }
    return oclgrind::getTypeSize(structure) == end && layout.getTypeAllocSize(structure) == end;
  }
  return keptType(type) == type && layout.getTypeStoreSize(type) == oclgrind::getTypeSize(type) &&
         layout.getTypeAllocSize(type) == oclgrind::getTypeSize(type);
}

/// Whether the instruction needs the value of a half, not only its bits.
bool computesWithHalf(const Instruction &instruction) {
  const auto isHalf = [](const llvm::Value *value) {
    return value->getType()->getScalarType()->isHalfTy();
  };
  if (!isHalf(&instruction) && std::ranges::none_of(instruction.operands(), isHalf))
    return false;
  switch (instruction.getOpcode()) {
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::FPToSI:
  case Instruction::FPToUI:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FCmp:
    return true;
  default:
    return instruction.isBinaryOp() || instruction.isUnaryOp();
  }
}

/// The intrinsics whose result is a number and whether it is wrong; null if the value comes from
/// anything else.
const llvm::WithOverflowInst *checkedArithmetic(const llvm::Value &value) {
  return llvm::dyn_cast<llvm::WithOverflowInst>(&value);
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
  if (scalar->isPointerTy() && scalar->getPointerAddressSpace() > 3)
    refuse("pointers to the generic address space, which Oclgrind does not execute");
  if (scalar->isPointerTy() && !type.isVectorTy())
    return;
  if (scalar->isHalfTy() || scalar->isFloatTy() || scalar->isDoubleTy())
    return;
  if (scalar->isIntegerTy() && keptType(const_cast<llvm::Type *>(&type)))
    return;
  if (type.isAggregateType() && isDense(type, shared_.module.getDataLayout()))
    return;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  refuse("a value of type " + name);
}

void FunctionLowering::checkTypes(const Site &site) const {
  // The padding of a pair of a number and a truth value does not matter while nothing copies it.
  if (const auto *pair = checkedArithmetic(*site.original);
      pair && std::ranges::all_of(pair->users(), [](const llvm::User *user) {
        return llvm::isa<llvm::ExtractValueInst>(user);
      }))
    return checkType(*pair->getLHS()->getType());
  if (const auto *part = llvm::dyn_cast<llvm::ExtractValueInst>(site.original);
      part && checkedArithmetic(*part->getAggregateOperand()))
    return;
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
  if (site.position.last && instruction.isTerminator()) {
    endBlock(site.position, instruction);
    if (loopEnds_.contains(site.original->getParent()))
      checkWork(instruction);
  }

  if (computesWithHalf(*site.original))
    return lowerHalf(site);

  switch (instruction.getOpcode()) {
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Switch:
  case Instruction::PHI:
  case Instruction::ShuffleVector:
  case Instruction::InsertValue:
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
    return lowerRealArithmetic(instruction);
  case Instruction::Br:
    if (auto &branch = llvm::cast<llvm::BranchInst>(instruction); branch.isConditional()) {
      Builder at(&branch);
      branch.setCondition(isTrue(at, branch.getCondition()));
    }
    return;
  case Instruction::ICmp:
  case Instruction::FCmp:
    return lowerComparison(llvm::cast<llvm::CmpInst>(instruction));
  case Instruction::Select: {
    Builder at(&instruction);
    return replace(instruction,
                   at.CreateSelect(isTrue(at, instruction.getOperand(0)), instruction.getOperand(1),
                                   instruction.getOperand(2)));
  }
  case Instruction::ExtractValue:
    return lowerPart(llvm::cast<llvm::ExtractValueInst>(instruction));
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
  case Instruction::GetElementPtr:
    return lowerGetElementPtr(site);
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
    if (const auto frame = frames_.find(site.original->getOperand(0)); frame != frames_.end())
      return keepInFrame(site, frame->second);
    lowerCast(site);
  }
}

/// In the interpreter, what says that an arithmetic operation overflows is a whole byte.
void FunctionLowering::lowerPart(llvm::ExtractValueInst &part) {
  if (!checkedArithmetic(*part.getAggregateOperand()) || part.getIndices()[0] == 0)
    return;
  Builder at(&part);
  llvm::Value *overflows = at.CreateExtractValue(part.getAggregateOperand(), 1);
  replace(part, at.CreateZExt(overflows, part.getType()));
}

void FunctionLowering::lowerGetElementPtr(const Site &site) {
  Instruction &instruction = *site.instruction;
  Builder at(&instruction);
  const auto &original = llvm::cast<llvm::GEPOperator>(*site.original);
  const std::vector<llvm::Value *> operands(instruction.op_begin(), instruction.op_end());
  std::vector<ArrayIndex> &indices = arrayIndices_[site.original];
  if (const auto frame = frames_.find(original.getPointerOperand()); frame != frames_.end()) {
    FramePointer element = frame->second;
    element.offset = addressOf(at, original, element.offset, operands, indices);
    return keepInFrame(site, element);
  }
  llvm::Value *begin = at.CreatePtrToInt(operands[0], int64_);
  llvm::Value *address = addressOf(at, original, begin, operands, indices);
  replace(instruction, at.CreateIntToPtr(address, instruction.getType()));
}

void FunctionLowering::keepWholeBytes(llvm::Value &value) {
  if (llvm::Type *kept = keptType(value.getType()); kept != value.getType())
    value.mutateType(kept); // operands and users are changed likewise
}

llvm::Value *FunctionLowering::isTrue(Builder &at, llvm::Value *value) {
  if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(value);
      cast && cast->getSrcTy()->getScalarType()->isIntegerTy(1))
    return cast->getOperand(0); // see lowerComparison
  return at.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
}

/// In the interpreter a comparison that holds gives all bits set in a lane of a vector, and 1 as a
/// scalar.
void FunctionLowering::lowerComparison(llvm::CmpInst &comparison) {
  Builder at(&comparison);
  llvm::Value *result =
      at.CreateCmp(comparison.getPredicate(), comparison.getOperand(0), comparison.getOperand(1));
  llvm::Type *kept = comparison.getType();
  replace(comparison,
          kept->isVectorTy() ? at.CreateSExt(result, kept) : at.CreateZExt(result, kept));
}

void FunctionLowering::lowerElement(Instruction &instruction) {
  const bool inserts = instruction.getOpcode() == Instruction::InsertElement;
  const unsigned lanes =
      llvm::cast<llvm::FixedVectorType>(instruction.getOperand(0)->getType())->getNumElements();
  llvm::Value *index = instruction.getOperand(inserts ? 2 : 1);
  Builder at(&instruction);
  failIf(at.CreateICmpUGE(index, llvm::ConstantInt::get(index->getType(), lanes)), instruction,
         Failure::kElementIndex);
}

/// The address that a getelementptr computes from the address of its pointer, with Oclgrind's own
/// sizes and offsets. Adds the indices into arrays to `indices`.
llvm::Value *FunctionLowering::addressOf(Builder &at, const llvm::GEPOperator &original,
                                         llvm::Value *address,
                                         llvm::ArrayRef<llvm::Value *> operands,
                                         std::vector<ArrayIndex> &indices) {
  if (original.getType()->isVectorTy())
    refuse("a vector of addresses");
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
  return address;
}

} // namespace aiwc::engine
