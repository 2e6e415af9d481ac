// Private memory in the frames of machine code, where LLVM can keep it in registers. Its addresses
// are then not those that Oclgrind gives it. So the code must write no trace, and the kernel may
// only use a pointer to compute another one, to access memory, and as an argument of a function.
#include "decoding/builtins.h"
#include "engine_passes/function_lowering.h"
#include "engine_passes/value_types.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace aiwc::engine {

using llvm::Instruction;

namespace {

/// Most bytes of one allocation and of one copy; larger ones stay where they are.
constexpr uint64_t kMostBytes = 16384;

/// Whether an address space is that of private memory, and the pointer shows what was allocated.
bool isRooted(const llvm::Value &pointer) {
  return llvm::isa<llvm::AllocaInst>(pointer) || llvm::isa<llvm::BitCastInst>(pointer) ||
         llvm::isa<llvm::GetElementPtrInst>(pointer) || llvm::isa<llvm::Argument>(pointer);
}

bool usesOnlyFrames(const llvm::MemIntrinsic &call) {
  const auto isFrame = [](const llvm::Value &pointer) {
    return isPrivatePointer(*pointer.getType());
  };
  const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&call);
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(call.getLength());
  return length && length->getZExtValue() <= kMostBytes && length->getZExtValue() > 0 &&
         isFrame(*call.getRawDest()) && (!copy || isFrame(*copy->getRawSource()));
}

/// Whether the called function uses pointers to private memory only to access it, or passes them
/// on.
bool takesFrames(const llvm::CallInst &call) {
  const llvm::Function *callee = decoding::calledFunction(call);
  if (!callee)
    return false;
  if (!callee->isDeclaration()) {
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (i >= callee->arg_size() ||
          call.getArgOperand(i)->getType() != callee->getArg(i)->getType())
        return false;
    return true;
  }
  if (const auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call))
    return usesOnlyFrames(*memory);
  return callee->getName().startswith("llvm.lifetime.") ||
         callee->getName().startswith("llvm.dbg.");
}

/// Whether the instruction allows that the private memory of its operands and its result is in
/// frames.
bool takesFrames(const Instruction &instruction) {
  const bool makesPointer = isPrivatePointer(*instruction.getType());
  if (const auto *allocation = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return !allocation->isArrayAllocation() && allocation->getType()->getAddressSpace() == 0 &&
           allocation->getParent() == &allocation->getFunction()->getEntryBlock() &&
           oclgrind::getTypeSize(allocation->getAllocatedType()) <= kMostBytes;
  if (makesPointer && !isRooted(instruction))
    return false;
  bool takesPointer = false;
  for (const llvm::Use &operand : instruction.operands()) {
    if (!isPrivatePointer(*operand->getType()) || llvm::isa<llvm::Function>(operand))
      continue;
    if (!isRooted(*operand))
      return false;
    takesPointer = true;
  }
  if (!takesPointer && !makesPointer)
    return true;
  switch (instruction.getOpcode()) {
  case Instruction::Load:
    return !llvm::cast<llvm::LoadInst>(instruction).isAtomic();
  case Instruction::Store: {
    const auto &store = llvm::cast<llvm::StoreInst>(instruction);
    return !store.isAtomic() && !isPrivatePointer(*store.getValueOperand()->getType());
  }
  case Instruction::BitCast:
    return makesPointer;
  case Instruction::GetElementPtr:
    return true;
  case Instruction::Call:
    return takesFrames(llvm::cast<llvm::CallInst>(instruction));
  default:
    return false;
  }
}

} // namespace

bool canUseFrames(const std::vector<const llvm::Function *> &functions) {
  bool allocates = false;
  for (const llvm::Function *function : functions) {
    for (const llvm::Argument &argument : function->args())
      if (isPrivatePointer(*argument.getType()) &&
          (function == functions.back() || !argument.getType()->getPointerElementType()->isSized()))
        return false;
    for (const Instruction &instruction : llvm::instructions(function)) {
      if (!takesFrames(instruction))
        return false;
      allocates |= llvm::isa<llvm::AllocaInst>(instruction);
    }
  }
  return allocates;
}

FunctionLowering::FramePointer FunctionLowering::newFrame(uint64_t size) {
  Builder inPrologue(&*prologue_->begin());
  llvm::AllocaInst *memory = inPrologue.CreateAlloca(
      llvm::ArrayType::get(inPrologue.getInt8Ty(), size), nullptr, kFrameName);
  memory->setAlignment(llvm::Align(16));
  return {inPrologue.CreateBitCast(memory, bytePointer_), number(0), number(size)};
}

void FunctionLowering::keepInFrame(const Site &site, const FramePointer &pointer) {
  frames_[site.original] = pointer;
  replace(*site.instruction, llvm::UndefValue::get(site.instruction->getType()));
}

/// What Oclgrind allocates is 0.
void FunctionLowering::allocateInFrame(const Site &site) {
  const auto *original = llvm::cast<llvm::AllocaInst>(site.original);
  const uint64_t size = oclgrind::getTypeSize(original->getAllocatedType());
  const FramePointer allocated = newFrame(size);
  Builder at(site.instruction);
  at.CreateMemSet(allocated.begin, at.getInt8(0), size, llvm::MaybeAlign(16));
  keepInFrame(site, allocated);
}

llvm::Value *FunctionLowering::framePlace(const FramePointer &pointer, Instruction &before,
                                          uint64_t size, uint64_t alignment) {
  Builder at(&before);
  llvm::Value *starts = at.CreateSelect(at.CreateICmpUGE(pointer.size, number(size)),
                                        at.CreateSub(pointer.size, number(size - 1)), number(0));
  llvm::Value *bad = at.CreateICmpUGE(pointer.offset, starts);
  if (alignment > 1)
    bad = at.CreateOr(
        bad, at.CreateICmpNE(at.CreateAnd(pointer.offset, number(alignment - 1)), number(0)));
  failIf(bad, before, Failure::kAccess);
  at.SetInsertPoint(&before);
  return at.CreateGEP(at.getInt8Ty(), pointer.begin, pointer.offset);
}

FunctionLowering::FramePointer FunctionLowering::passInFrame(const Site &site, Builder &at,
                                                             unsigned argument,
                                                             const llvm::Argument &parameter) {
  const auto &call = llvm::cast<llvm::CallInst>(*site.original);
  const FramePointer &passed = frames_.at(call.getArgOperand(argument));
  if (!parameter.hasByValAttr())
    return passed;
  const uint64_t size = oclgrind::getTypeSize(parameter.getType()->getPointerElementType());
  llvm::Value *source = framePlace(passed, *site.instruction, size, 1);
  const FramePointer copy = newFrame(size);
  at.SetInsertPoint(site.instruction);
  at.CreateMemCpy(copy.begin, llvm::MaybeAlign(16), source, llvm::MaybeAlign(1), size);
  for (const bool write : {false, true})
    recordAccess(at, number(0), number(0), site.position, {0, write});
  return copy;
}

void FunctionLowering::copyInFrames(const Site &site) {
  auto &made = llvm::cast<llvm::MemTransferInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::MemTransferInst>(*site.original);
  const uint64_t size = llvm::cast<llvm::ConstantInt>(made.getLength())->getZExtValue();
  llvm::Value *source = framePlace(frames_.at(original.getRawSource()), made, size, 1);
  llvm::Value *destination = framePlace(frames_.at(original.getRawDest()), made, size, 1);
  Builder at(&made);
  for (const bool write : {false, true})
    recordAccess(at, number(0), number(0), site.position, {0, write});
  at.CreateMemMove(destination, llvm::MaybeAlign(1), source, llvm::MaybeAlign(1), size);
  made.eraseFromParent();
}

void FunctionLowering::fillInFrame(const Site &site) {
  auto &made = llvm::cast<llvm::MemSetInst>(*site.instruction);
  const auto &original = llvm::cast<llvm::MemSetInst>(*site.original);
  const uint64_t size = llvm::cast<llvm::ConstantInt>(made.getLength())->getZExtValue();
  llvm::Value *destination = framePlace(frames_.at(original.getRawDest()), made, size, 1);
  Builder at(&made);
  recordAccess(at, number(0), number(0), site.position, {0, true});
  at.CreateMemSet(destination, made.getValue(), size, llvm::MaybeAlign(1));
  made.eraseFromParent();
}

} // namespace aiwc::engine
