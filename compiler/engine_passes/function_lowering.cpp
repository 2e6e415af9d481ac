#include "engine_passes/function_lowering.h"

#include "engine_passes/runtime_calls.h"
#include "engine_passes/value_types.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace aiwc::engine {

llvm::MDNode *aliasTag(llvm::LLVMContext &context, const char *name) {
  llvm::MDBuilder builder(context);
  llvm::MDNode *type = builder.createTBAAScalarTypeNode(name, builder.createTBAARoot("aiwc"));
  return builder.createTBAAStructTagNode(type, type, 0);
}

std::optional<uint64_t> offsetInState(const llvm::Value *pointer, const llvm::Argument *state,
                                      const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  if (pointer->stripAndAccumulateConstantOffsets(layout, offset, true) != state)
    return std::nullopt;
  return offset.getZExtValue();
}

const ValueSlot &ModuleLowering::slotOf(const llvm::Value &value) {
  const auto [entry, isNew] = slots.try_emplace(&value, code.slots.size());
  if (isNew) {
    const auto [size, lanes] = oclgrind::getValueSize(&value);
    code.slots.push_back({&value, code.valueBytes, size * lanes});
    code.valueBytes += (size * lanes + 15) & ~15u;
  }
  return code.slots[entry->second];
}

size_t ModuleLowering::addressIndex(const void *address) {
  const auto [entry, isNew] = addresses.try_emplace(address, code.addresses.size());
  if (isNew)
    code.addresses.push_back(address);
  return entry->second;
}

llvm::Value *loadProcessAddress(llvm::IRBuilderBase &at, ModuleLowering &shared,
                                llvm::Value *addresses, const void *address) {
  llvm::Type *bytes = at.getInt8PtrTy();
  llvm::LoadInst *load =
      at.CreateLoad(bytes, at.CreateConstGEP1_64(bytes, addresses, shared.addressIndex(address)));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(at.getContext(), {}));
  return load;
}

llvm::CallInst *callWithState(llvm::IRBuilderBase &at, llvm::Value *address, llvm::Value *state,
                              llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
  std::vector<llvm::Value *> all = {state};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<llvm::Type *> types;
  types.reserve(all.size());
  for (const llvm::Value *argument : all)
    types.push_back(argument->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  llvm::CallInst *made = at.CreateCall(type, at.CreateBitCast(address, type->getPointerTo()), all);
  made->setDoesNotThrow();
  return made;
}

FunctionLowering::FunctionLowering(ModuleLowering &shared, const llvm::Function &original,
                                   llvm::Function &copy)
    : shared_(shared), original_(original), copy_(copy), context_(copy.getContext()),
      int64_(llvm::Type::getInt64Ty(context_)), bytePointer_(llvm::Type::getInt8PtrTy(context_)),
      stateTag_(aliasTag(context_, "state")), traceTag_(aliasTag(context_, "trace")),
      tableTag_(aliasTag(context_, "table")), dataTag_(aliasTag(context_, "data")) {}

void FunctionLowering::run() {
  std::unordered_map<const llvm::BasicBlock *, llvm::BasicBlock *> copies;
  auto block = copy_.begin();
  for (const llvm::BasicBlock &originalBlock : original_) {
    if (block == copy_.end() || block->size() != originalBlock.size())
      throw NotCompilable("internal error: the copy of the module differs from it");
    copies[&originalBlock] = &*block++;
  }
  // In reverse post-order, a value is lowered before its uses. Unreachable blocks are dropped.
  std::vector<Site> sites;
  for (const llvm::BasicBlock *originalBlock :
       llvm::ReversePostOrderTraversal<const llvm::Function *>(&original_)) {
    auto instruction = copies.at(originalBlock)->begin();
    copies.erase(originalBlock);
    for (const llvm::Instruction &original : *originalBlock) {
      if (instruction->getOpcode() != original.getOpcode())
        throw NotCompilable("internal error: the copy of the module differs from it");
      sites.push_back({&*instruction++, &original, shared_.positions.at(&original)});
    }
  }
  std::vector<llvm::BasicBlock *> unreachable;
  unreachable.reserve(copies.size());
  for (const auto &entry : copies)
    unreachable.push_back(entry.second);
  llvm::DeleteDeadBlocks(unreachable);
  if (shared_.limitsWork) {
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> edges;
    llvm::FindFunctionBackedges(original_, edges);
    for (const auto &edge : edges)
      loopEnds_.insert(edge.first);
  }
  for (const Site &site : sites)
    checkTypes(site);
  for (const Site &site : sites)
    keepWholeBytes(*site.instruction);
  moveBody();
  bindArguments();
  for (const Site &site : sites) {
    if (site.position.offset == 0)
      accessesInBlock_ = 0;
    currentBlock_ = site.position.block;
    lowerInstruction(site);
  }
  chooseNaNsApart();
}

void FunctionLowering::moveBody() {
  target_ = shared_.functions.at(&original_);
  prologue_ = llvm::BasicBlock::Create(context_, "prologue", target_);
  llvm::BasicBlock *first = &copy_.getEntryBlock();
  target_->getBasicBlockList().splice(target_->end(), copy_.getBasicBlockList());
  state_ = target_->getArg(0);
  addresses_ = target_->getArg(1);

  Builder at(prologue_);
  if (shared_.tracing != Tracing::kOn) {
    instructions_ = at.CreateAlloca(int64_);
    marks_ = at.CreateAlloca(int64_);
    at.CreateStore(number(0), instructions_);
    at.CreateStore(number(0), marks_);
  }
  access_ = at.CreateAlloca(int64_);
  event_ = at.CreateAlloca(int64_);
  accessBegin_ = loadField(at, offsetof(State, trace.accessBegin), int64_);
  accessLimit_ = loadField(at, offsetof(State, trace.accessLimit), int64_);
  eventLimit_ = loadField(at, offsetof(State, trace.eventLimit), int64_);
  reload(at);
  at.CreateBr(first);
}

void FunctionLowering::bindArguments() {
  const bool isKernel = &original_ == &shared_.kernel;
  unsigned next = 2; // the first are ours
  for (unsigned i = 0; i < copy_.arg_size(); ++i) {
    const llvm::Argument &original = *original_.getArg(i);
    checkType(*original.getType());
    llvm::Argument *argument = copy_.getArg(i);
    keepWholeBytes(*argument);
    if (shared_.usesFrames && isPrivatePointer(*original.getType())) {
      frames_[&original] = {target_->getArg(next), target_->getArg(next + 1),
                            target_->getArg(next + 2)};
      next += kFrameArguments;
      argument->replaceAllUsesWith(llvm::UndefValue::get(argument->getType()));
      continue;
    }
    const bool isOfBuffer =
        original.getType()->isPointerTy() && !isPrivatePointer(*original.getType());
    if (const llvm::Value *base = isOfBuffer ? shared_.knownBase(&original) : nullptr)
      slotValue(*base, argument->getType());
    llvm::Value *const passed = isKernel ? nullptr : target_->getArg(next++);
    shared_.usesPrivateMemory |= original.hasByValAttr();
    argument->replaceAllUsesWith(isKernel ? slotValue(original, argument->getType()) : passed);
    if (!isKernel && original.hasByValAttr()) { // the caller has made the copy
      Builder at(prologue_->getTerminator());
      allocations_.push_back(at.CreatePtrToInt(passed, int64_));
    }
  }
}

llvm::Value *FunctionLowering::stateField(Builder &at, size_t offset, llvm::Type *type) {
  return at.CreateBitCast(at.CreateConstGEP1_64(at.getInt8Ty(), state_, offset),
                          type->getPointerTo());
}

llvm::Value *FunctionLowering::loadField(Builder &at, size_t offset, llvm::Type *type) {
  llvm::LoadInst *load = at.CreateLoad(type, stateField(at, offset, type));
  load->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
  return load;
}

/// Loaded once, in the prologue: arguments do not change during a launch.
llvm::Value *FunctionLowering::slotValue(const llvm::Value &original, llvm::Type *type) {
  llvm::Value *&value = slotValues_[&original];
  if (!value) {
    const ValueSlot &slot = shared_.slotOf(original);
    if (shared_.module.getDataLayout().getTypeStoreSize(type) > slot.size)
      throw NotCompilable("an argument has another size in memory than in the interpreter");
    Builder at(prologue_->getTerminator());
    llvm::Value *values = loadField(at, offsetof(State, values), bytePointer_);
    value = loadNative(at, at.CreateConstGEP1_64(at.getInt8Ty(), values, slot.offset), type);
  }
  return value->getType() == type // else a function has a pointer to a part of it
             ? value
             : Builder(prologue_->getTerminator()).CreateBitCast(value, type);
}

llvm::Value *FunctionLowering::processAddress(Builder &at, const void *address) {
  return loadProcessAddress(at, shared_, addresses_, address);
}

llvm::Value *FunctionLowering::processFunction(Builder &at, const void *function,
                                               llvm::FunctionType *type) {
  return at.CreateBitCast(processAddress(at, function), type->getPointerTo());
}

llvm::CallInst *FunctionLowering::callRuntime(Builder &at, const void *function, llvm::Type *result,
                                              llvm::ArrayRef<llvm::Value *> arguments) {
  shared_.code.callsRuntime = true;
  return callWithState(at, processAddress(at, function), state_, result, arguments);
}

void FunctionLowering::spill(Builder &at) {
  if (shared_.tracing != Tracing::kOn) {
    for (const auto &[counter, offset] :
         {std::pair{instructions_, offsetof(State, executed.instructions)},
          std::pair{marks_, offsetof(State, executed.marks)}}) {
      llvm::Value *sum =
          at.CreateAdd(loadField(at, offset, int64_), at.CreateLoad(int64_, counter));
      at.CreateStore(sum, stateField(at, offset, int64_))
          ->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
      at.CreateStore(number(0), counter);
    }
    return;
  }
  for (const auto &[cursor, offset] : {std::pair{access_, offsetof(State, trace.access)},
                                       std::pair{event_, offsetof(State, trace.event)}})
    at.CreateStore(at.CreateLoad(int64_, cursor), stateField(at, offset, int64_))
        ->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
}

void FunctionLowering::reload(Builder &at) {
  if (shared_.tracing != Tracing::kOn)
    return;
  at.CreateStore(loadField(at, offsetof(State, trace.access), int64_), access_);
  at.CreateStore(loadField(at, offsetof(State, trace.event), int64_), event_);
}

llvm::BasicBlock *FunctionLowering::failureBlock(Failure failure) {
  llvm::BasicBlock *&block = failures_[static_cast<uint64_t>(failure)];
  if (!block) {
    block = llvm::BasicBlock::Create(context_, "failure", target_);
    Builder at(block);
    call(at, &calls::fail, at.getVoidTy(), {number(static_cast<uint64_t>(failure))})
        ->setDoesNotReturn();
    at.CreateUnreachable();
  }
  return block;
}

/// A block is lowered from its first instruction to its last, so the part before `before` is short
/// and the rest may be long. LLVM's `splitBasicBlock` moves the rest, which makes lowering
/// quadratic in the length of the block.
llvm::BasicBlock *FunctionLowering::splitBefore(llvm::Instruction &before) {
  llvm::BasicBlock *tail = before.getParent();
  llvm::BasicBlock *head = llvm::BasicBlock::Create(context_, "", target_, tail);
  head->getInstList().splice(head->end(), tail->getInstList(), tail->begin(), before.getIterator());
  const llvm::SmallVector<llvm::BasicBlock *> predecessors(llvm::pred_begin(tail),
                                                           llvm::pred_end(tail));
  for (llvm::BasicBlock *predecessor : predecessors)
    predecessor->getTerminator()->replaceSuccessorWith(tail, head);
  return head;
}

void FunctionLowering::failIf(llvm::Value *bad, llvm::Instruction &before, Failure failure) {
  if (const auto *known = llvm::dyn_cast<llvm::ConstantInt>(bad); known && known->isZero())
    return;
  llvm::BasicBlock *head = splitBefore(before);
  Builder(head).CreateCondBr(bad, failureBlock(failure), before.getParent(),
                             llvm::MDBuilder(context_).createBranchWeights(1, 1 << 20));
}

llvm::Instruction *FunctionLowering::detourIf(llvm::Value *condition, llvm::Instruction &before,
                                              const char *name) {
  llvm::BasicBlock *head = splitBefore(before), *tail = before.getParent();
  llvm::BasicBlock *detour = llvm::BasicBlock::Create(context_, name, target_, tail);
  Builder(head).CreateCondBr(condition, detour, tail,
                             llvm::MDBuilder(context_).createBranchWeights(1, 1 << 20));
  return Builder(detour).CreateBr(tail);
}

llvm::Constant *FunctionLowering::number(uint64_t value) const {
  return llvm::ConstantInt::get(int64_, value);
}

/// Replaces operands that are known only at launch, such as the address of a variable, and
/// undefined operands, which become 0.
void FunctionLowering::materialiseConstants(llvm::Instruction &instruction) {
  for (llvm::Use &operand : instruction.operands()) {
    auto *constant = llvm::dyn_cast<llvm::Constant>(operand.get());
    if (!constant || llvm::isa<llvm::Function>(constant))
      continue;
    llvm::Instruction *before = &instruction;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      before = phi->getIncomingBlock(operand)->getTerminator();
    llvm::Value *value = materialise(*constant, *before);
    if (value != constant)
      operand.set(value);
  }
}

llvm::Value *FunctionLowering::materialise(llvm::Constant &constant, llvm::Instruction &before) {
  llvm::Type *kept = keptType(constant.getType());
  if (llvm::isa<llvm::UndefValue>(constant) || constant.isNullValue())
    return llvm::Constant::getNullValue(kept);
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    const llvm::GlobalVariable *original =
        original_.getParent()->getNamedGlobal(variable->getName());
    if (!original)
      throw NotCompilable("a variable without a name");
    if (original->getAddressSpace() == oclgrind::AddrSpaceLocal &&
        !original->getName().startswith(shared_.kernel.getName()))
      throw NotCompilable("a variable in local memory without the kernel's name before its own, "
                          "which Oclgrind does not find");
    return slotValue(*original, variable->getType());
  }
  if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
    llvm::Instruction *instruction = expression->getAsInstruction(&before);
    for (llvm::Use &operand : instruction->operands())
      operand.set(materialise(*llvm::cast<llvm::Constant>(operand.get()), *instruction));
    if (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
      Builder at(instruction);
      std::vector<llvm::Value *> operands(gep->op_begin(), gep->op_end());
      std::vector<ArrayIndex> unchecked;
      llvm::Value *address =
          at.CreateIntToPtr(addressOf(at, *llvm::cast<llvm::GEPOperator>(gep),
                                      at.CreatePtrToInt(operands[0], int64_), operands, unchecked),
                            gep->getType());
      replace(*instruction, address);
      return address;
    }
    if (!llvm::isa<llvm::CastInst>(instruction) ||
        llvm::isa<llvm::AddrSpaceCastInst>(instruction) || kept != instruction->getType())
      throw NotCompilable("the constant expression " + std::string(instruction->getOpcodeName()));
    return instruction;
  }
  if (isHalf(*constant.getType()))
    return llvm::ConstantExpr::getBitCast(&constant, kept);
  if (const auto *integer = llvm::dyn_cast<llvm::ConstantInt>(&constant))
    return llvm::ConstantInt::get(kept, integer->getZExtValue());
  if (!llvm::isa<llvm::ConstantAggregate>(constant))
    return &constant;
  std::vector<llvm::Constant *> elements;
  for (const llvm::Use &element : constant.operands()) {
    auto *value = llvm::dyn_cast<llvm::Constant>(
        materialise(*llvm::cast<llvm::Constant>(element.get()), before));
    if (!value)
      throw NotCompilable("a constant made of addresses");
    elements.push_back(value);
  }
  if (auto *structure = llvm::dyn_cast<llvm::StructType>(kept))
    return llvm::ConstantStruct::get(structure, elements);
  if (auto *array = llvm::dyn_cast<llvm::ArrayType>(kept))
    return llvm::ConstantArray::get(array, elements);
  return llvm::ConstantVector::get(elements);
}

} // namespace aiwc::engine
