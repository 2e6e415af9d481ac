// Code that writes the trace and code that accesses memory.
#include "engine_passes/function_lowering.h"
#include "engine_passes/runtime_calls.h"
#include "engine_passes/value_types.h"

#include <algorithm>
#include <cstring>

namespace aiwc::engine {

/// The size, 0 here, is the lower half of the word.
uint64_t FunctionLowering::accessWord(const Position &position, AccessKind kind) {
  trace::Access access;
  access.opOffset = position.offset;
  access.space = kind.space;
  access.write = kind.write;
  access.atomic = kind.atomic;
  uint64_t words[2];
  static_assert(sizeof access == sizeof words);
  std::memcpy(words, &access, sizeof words);
  return words[1];
}

void FunctionLowering::reserveAccesses(uint64_t count) {
  accessesInBlock_ += static_cast<uint32_t>(count);
  shared_.code.blockAccesses = std::max(shared_.code.blockAccesses, accessesInBlock_);
}

void FunctionLowering::recordAccess(Builder &at, llvm::Value *address, llvm::Value *size,
                                    const Position &position, AccessKind kind) {
  reserveAccesses(1);
  if (shared_.tracing == Tracing::kOn)
    recordReserved(at, address, size, position, kind);
}

void FunctionLowering::recordReserved(Builder &at, llvm::Value *address, llvm::Value *size,
                                      const Position &position, AccessKind kind,
                                      llvm::Value *happens) {
  const uint64_t word = accessWord(position, kind);
  llvm::Value *cursor = at.CreateLoad(int64_, access_);
  llvm::Value *place = at.CreateIntToPtr(cursor, int64_->getPointerTo());
  at.CreateStore(address, place)->setMetadata(llvm::LLVMContext::MD_tbaa, traceTag_);
  llvm::Value *second = at.CreateOr(size, number(word));
  at.CreateStore(second, at.CreateConstGEP1_64(int64_, place, 1))
      ->setMetadata(llvm::LLVMContext::MD_tbaa, traceTag_);
  llvm::Value *next = at.CreateAdd(cursor, number(sizeof(trace::Access)));
  at.CreateStore(happens ? at.CreateSelect(happens, next, cursor) : next, access_);
}

void FunctionLowering::recordBytes(Builder &at, llvm::Value *address, uint64_t count,
                                   const Position &position, AccessKind kind) {
  reserveAccesses(count);
  if (shared_.tracing != Tracing::kOn)
    return;
  spill(at);
  call(at, &calls::readText, at.getVoidTy(),
       {address, number(count), number(accessWord(position, kind))});
  reload(at);
}

void FunctionLowering::endBlock(const Position &position, llvm::Instruction &before) {
  Builder at(&before);
  if (shared_.tracing != Tracing::kOn) {
    for (const auto &[counter, more] : {std::pair{instructions_, uint64_t{position.offset} + 1},
                                        std::pair{marks_, trace::markOf(position.block)}})
      at.CreateStore(at.CreateAdd(at.CreateLoad(int64_, counter), number(more)), counter);
    return;
  }
  static_assert(sizeof(trace::Access) == 16 && sizeof(trace::BlockEvent) == 8);
  llvm::Value *accessCursor = at.CreateLoad(int64_, access_);
  llvm::Value *accessEnd = at.CreateLShr(at.CreateSub(accessCursor, accessBegin_), 4);
  llvm::Value *event = at.CreateOr(at.CreateShl(accessEnd, 32), number(index(position.block)));
  llvm::Value *cursor = at.CreateLoad(int64_, event_);
  at.CreateStore(event, at.CreateIntToPtr(cursor, int64_->getPointerTo()))
      ->setMetadata(llvm::LLVMContext::MD_tbaa, traceTag_);
  llvm::Value *next = at.CreateAdd(cursor, number(sizeof(trace::BlockEvent)));
  at.CreateStore(next, event_);
  llvm::Value *full = at.CreateICmpUGE(next, eventLimit_);
  if (accessesInBlock_ > 0)
    full = at.CreateOr(full, at.CreateICmpUGE(accessCursor, accessLimit_));
  Builder inFlush(detourIf(full, before, "full"));
  spill(inFlush);
  call(inFlush, &calls::flush, inFlush.getVoidTy(), {});
  reload(inFlush);
}

void FunctionLowering::checkWork(llvm::Instruction &before) {
  Builder at(&before);
  llvm::Value *executed =
      at.CreateAdd(loadField(at, offsetof(State, executed.instructions), int64_),
                   at.CreateLoad(int64_, instructions_));
  llvm::Value *asks = at.CreateICmpUGE(executed, loadField(at, offsetof(State, workLimit), int64_));
  Builder inAsk(detourIf(asks, before, "work"));
  spill(inAsk);
  call(inAsk, &calls::checkWork, inAsk.getVoidTy(), {});
}

namespace {

const llvm::Value *withoutBitcasts(const llvm::Value *pointer) {
  while (llvm::Operator::getOpcode(pointer) == llvm::Instruction::BitCast)
    pointer = llvm::cast<llvm::Operator>(pointer)->getOperand(0);
  return pointer;
}

} // namespace

const llvm::Value *ModuleLowering::knownBase(const llvm::Value *pointer) const {
  const auto targets = pointers.of(*pointer);
  const llvm::Value *base = targets && targets->size() == 1 ? targets->front() : nullptr;
  return base && !llvm::isa<llvm::AllocaInst>(base) &&
                 base->getType()->getPointerAddressSpace() ==
                     pointer->getType()->getPointerAddressSpace()
             ? base
             : nullptr;
}

const llvm::Type *FunctionLowering::localPart(const llvm::Value *pointer,
                                              uint64_t alignment) const {
  pointer = withoutBitcasts(pointer);
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer))
    return variable->getAddressSpace() == oclgrind::AddrSpaceLocal && slotValues_.contains(variable)
               ? variable->getValueType()
               : nullptr;
  const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  const llvm::Type *part = gep ? localPart(gep->getPointerOperand(), alignment) : nullptr;
  const auto *first = part ? llvm::dyn_cast<llvm::ConstantInt>(gep->getOperand(1)) : nullptr;
  if (!first || !first->isZero() || part != gep->getSourceElementType())
    return nullptr;
  for (unsigned i = 2; i < gep->getNumOperands(); ++i) {
    uint64_t step = 0;
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(part)) {
      const auto member =
          static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(gep->getOperand(i))->getZExtValue());
      step = oclgrind::getStructMemberOffset(structure, member);
      part = structure->getElementType(member);
    } else if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(part)) {
      const auto *index = llvm::dyn_cast<llvm::ConstantInt>(gep->getOperand(i));
      const bool isInside =
          index && static_cast<uint64_t>(index->getSExtValue()) < array->getNumElements();
      if (llvm::isa<llvm::Constant>(gep) && !isInside)
        return nullptr; // checkArrayIndices checks only instructions
      part = array->getElementType();
      step = oclgrind::getTypeSize(part);
    } else {
      return nullptr;
    }
    if (step % alignment != 0)
      return nullptr;
  }
  return part;
}

void FunctionLowering::checkArrayIndices(const llvm::Value *pointer, llvm::Instruction &before) {
  while (const auto *gep = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer->stripPointerCasts())) {
    for (const ArrayIndex &index : arrayIndices_.at(gep)) {
      Builder at(&before);
      failIf(at.CreateICmpUGE(index.index, number(index.size)), before, Failure::kArrayIndex);
    }
    pointer = gep->getPointerOperand();
  }
}

llvm::Value *FunctionLowering::examineAccess(Builder &at, const AccessSite &access,
                                             llvm::Value *address, llvm::Value *buffer) {
  shared_.code.accesses.push_back(std::make_unique<AccessSite>(access));
  // The call changes only memory of the runtime, to which no pointer exists before it returns one.
  // If it does not return, the launch is undone.
  llvm::CallInst *offset =
      call(at, &calls::examineAccess, int64_,
           {processAddress(at, shared_.code.accesses.back().get()), address, buffer});
  offset->setOnlyAccessesInaccessibleMemory();
  return offset;
}

/// If the base is known, the data of its buffer are constant during the launch, and LLVM can move
/// their loads out of loops. An address outside of that buffer is refused, even if it is in another
/// one.
llvm::Value *FunctionLowering::originOf(const llvm::Value *pointer, llvm::Value *address,
                                        unsigned space) {
  const llvm::Value *base = space == 0 ? nullptr : shared_.knownBase(pointer);
  const auto found = slotValues_.find(base);
  if (found == slotValues_.end())
    return address;
  Builder inPrologue(prologue_->getTerminator());
  return inPrologue.CreatePtrToInt(found->second, int64_);
}

llvm::Value *FunctionLowering::accessed(const Site &site, const llvm::Value *pointer,
                                        llvm::Value *operand, uint64_t size, uint64_t alignment,
                                        AccessKind kind) {
  Builder at(site.instruction);
  llvm::Value *address = at.CreatePtrToInt(operand, int64_);
  const llvm::Type *part = kind.space == 3 ? localPart(pointer, alignment) : nullptr;
  llvm::Value *native = part && oclgrind::getTypeSize(part) >= size
                            ? localPointer(at, pointer)
                            : nativePointer(site, pointer, address, size, alignment, kind);
  at.SetInsertPoint(site.instruction);
  recordAccess(at, address, number(size), site.position, kind);
  return native;
}

llvm::Value *FunctionLowering::loadEntryField(Builder &at, llvm::Value *table, llvm::Value *buffer,
                                              size_t offset) {
  llvm::Value *entry =
      at.CreateGEP(at.getInt8Ty(), table, at.CreateMul(buffer, number(sizeof(BufferEntry))));
  llvm::LoadInst *load =
      at.CreateLoad(int64_, at.CreateBitCast(at.CreateConstGEP1_64(at.getInt8Ty(), entry, offset),
                                             int64_->getPointerTo()));
  load->setMetadata(llvm::LLVMContext::MD_tbaa, tableTag_);
  return load;
}

llvm::Value *FunctionLowering::baseField(const llvm::Value *base, unsigned space, size_t offset) {
  llvm::Value *&field = baseFields_[{base, offset}];
  if (!field) {
    Builder at(prologue_->getTerminator());
    llvm::Value *table = loadField(
        at, space == oclgrind::AddrSpaceLocal ? offsetof(State, local) : offsetof(State, global),
        bytePointer_);
    llvm::Value *address = at.CreatePtrToInt(slotValues_.at(base), int64_);
    field = loadEntryField(at, table, at.CreateLShr(address, 48), offset);
  }
  return field;
}

/// Computed from the indices and not from the address: that would keep LLVM from using the
/// addressing modes of the processor.
llvm::Value *FunctionLowering::localOffset(Builder &at, const llvm::Value *pointer) {
  const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(withoutBitcasts(pointer));
  if (!gep) // a variable begins where its buffer does
    return number(0);
  llvm::Value *offset = localOffset(at, gep->getPointerOperand());
  const llvm::Type *part = gep->getSourceElementType();
  const auto checked = arrayIndices_.find(gep); // none if it is constant
  size_t array = 0;
  for (unsigned i = 2; i < gep->getNumOperands(); ++i) {
    const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(gep->getOperand(i));
    llvm::Value *step = nullptr;
    if (const auto *structure = llvm::dyn_cast<llvm::StructType>(part)) {
      const auto member = static_cast<unsigned>(constant->getZExtValue());
      step = number(oclgrind::getStructMemberOffset(structure, member));
      part = structure->getElementType(member);
    } else {
      llvm::Value *index = checked == arrayIndices_.end()
                               ? number(static_cast<uint64_t>(constant->getSExtValue()))
                               : checked->second[array++].index;
      part = llvm::cast<llvm::ArrayType>(part)->getElementType();
      step = at.CreateMul(index, number(oclgrind::getTypeSize(part)));
    }
    offset = at.CreateAdd(offset, step);
  }
  return offset;
}

llvm::Value *FunctionLowering::localPointer(Builder &at, const llvm::Value *pointer) {
  llvm::Value *data =
      baseField(shared_.knownBase(pointer), oclgrind::AddrSpaceLocal, offsetof(BufferEntry, data));
  return at.CreateIntToPtr(at.CreateAdd(data, localOffset(at, pointer)), bytePointer_);
}

void FunctionLowering::callForGranules(llvm::Instruction &before, const void *function,
                                       llvm::Value *states, llvm::Value *address,
                                       llvm::Value *offset, uint64_t size, uint64_t alignment) {
  Builder at(&before);
  const auto stateOf = [&](llvm::Value *byte) {
    llvm::Value *place =
        at.CreateIntToPtr(at.CreateAdd(states, at.CreateLShr(byte, kGranuleBits)), bytePointer_);
    llvm::LoadInst *load = at.CreateLoad(at.getInt8Ty(), place);
    load->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
    return load;
  };
  llvm::Value *state = stateOf(offset);
  if (alignment < size)
    state = at.CreateAnd(state, stateOf(at.CreateAdd(offset, number(size - 1))));
  llvm::Value *fresh = at.CreateICmpEQ(state, at.getInt8(0));
  if (size > uint64_t{1} << kGranuleBits)
    fresh = at.getTrue(); // there are granules between the first and the last
  Builder inFetch(detourIf(fresh, before, "granules"));
  inFetch.GetInsertBlock()->getSinglePredecessor()->getTerminator()->setMetadata(
      kSaveMark, llvm::MDNode::get(context_, {}));
  callRuntime(inFetch, function, inFetch.getVoidTy(), {address, number(size)});
}

llvm::Value *FunctionLowering::nativePointer(const Site &site, const llvm::Value *pointer,
                                             llvm::Value *address, uint64_t size,
                                             uint64_t alignment, AccessKind kind,
                                             llvm::Value *happens) {
  llvm::Instruction &before = *site.instruction;
  if (const auto frame = frames_.find(pointer); frame != frames_.end())
    return framePlace(frame->second, before, size, alignment);
  Builder at(&before);
  const bool isPrivate = kind.space == 0;
  const bool isLocal = kind.space == 3;
  const uint64_t bits = isPrivate ? 32 : 48;
  const llvm::Value *base = isPrivate ? nullptr : shared_.knownBase(pointer);
  // An argument may be no buffer of local memory.
  const bool isKnown =
      slotValues_.contains(base) && (!isLocal || llvm::isa<llvm::GlobalVariable>(base));
  llvm::Value *table = isKnown ? nullptr
                               : loadField(at,
                                           isPrivate ? offsetof(State, privateMemory)
                                           : isLocal ? offsetof(State, local)
                                                     : offsetof(State, global),
                                           bytePointer_);
  llvm::Value *buffer = at.CreateLShr(originOf(pointer, address, kind.space), bits);
  if ((isPrivate || isLocal) && !isKnown) {
    llvm::Value *count = loadField(
        at, isPrivate ? offsetof(State, privateCount) : offsetof(State, localCount), int64_);
    failIf(at.CreateICmpUGE(buffer, count), before, Failure::kAccess);
    at.SetInsertPoint(&before);
  }
  const auto entryField = [&](size_t offset) {
    return isKnown ? baseField(base, kind.space, offset)
                   : loadEntryField(at, table, buffer, offset);
  };
  llvm::Value *offset = at.CreateSub(address, at.CreateShl(buffer, bits));
  if (shared_.code.inBounds.contains(site.original))
    return at.CreateIntToPtr(at.CreateAdd(entryField(offsetof(BufferEntry, data)), offset),
                             bytePointer_);
  llvm::Value *limit =
      entryField(kind.write ? offsetof(BufferEntry, writeSize) : offsetof(BufferEntry, readSize));
  // Number of offsets at which an access of `size` bytes may start; 0 if the buffer is too small.
  llvm::Value *starts = at.CreateSelect(at.CreateICmpUGE(limit, number(size)),
                                        at.CreateSub(limit, number(size - 1)), number(0));
  // One branch for bounds and alignment: there are many accesses, and branches take long to
  // compile.
  llvm::Value *bad = at.CreateICmpUGE(offset, starts);
  if (alignment > 1)
    bad =
        at.CreateOr(bad, at.CreateICmpNE(at.CreateAnd(address, number(alignment - 1)), number(0)));
  if (happens)
    bad = at.CreateAnd(bad, happens);
  if (isPrivate) {
    failIf(bad, before, Failure::kAccess);
    at.SetInsertPoint(&before);
  } else {
    const bool mayBeWritten =
        !base || shared_.writesAnywhere || shared_.code.written.contains(base);
    const bool asksForGranules =
        !isLocal && !shared_.code.isApart && (kind.write || (shared_.tellsOfReads && mayBeWritten));
    llvm::Instruction *detour = detourIf(bad, before, "examine");
    llvm::BasicBlock *head = detour->getParent()->getSinglePredecessor();
    if (asksForGranules) { // only for what is inside
      llvm::BasicBlock *inside =
          llvm::BasicBlock::Create(context_, "inside", target_, before.getParent());
      llvm::Instruction *end = Builder(inside).CreateBr(before.getParent());
      head->getTerminator()->setSuccessor(1, inside);
      at.SetInsertPoint(end);
      callForGranules(
          *end,
          kind.write ? reinterpret_cast<const void *>(&calls::saveGranules)
                     : reinterpret_cast<const void *>(&calls::readGranules),
          entryField(kind.write ? offsetof(BufferEntry, dirty) : offsetof(BufferEntry, read)),
          address, offset, size, alignment);
      head = end->getParent();
    }
    Builder inExamine(detour);
    llvm::Value *examined = examineAccess(inExamine,
                                          {site.original, size / kind.count, kind.count, alignment,
                                           kind.write, isLocal, kind.mayBeOutside},
                                          address, buffer);
    at.SetInsertPoint(&before);
    llvm::PHINode *place = at.CreatePHI(int64_, 2);
    place->addIncoming(examined, detour->getParent());
    place->addIncoming(offset, head);
    offset = place;
  }
  if (kind.atomic && !isPrivate && !isLocal)
    shared_.code.runsAtOnce = false;
  llvm::Value *data = entryField(offsetof(BufferEntry, data));
  return at.CreateIntToPtr(at.CreateAdd(data, offset), bytePointer_);
}

llvm::LoadInst *FunctionLowering::loadNative(Builder &at, llvm::Value *native, llvm::Type *type) {
  llvm::LoadInst *load = at.CreateAlignedLoad(type, at.CreateBitCast(native, type->getPointerTo()),
                                              llvm::MaybeAlign(1));
  load->setMetadata(llvm::LLVMContext::MD_tbaa, dataTag_);
  return load;
}

llvm::StoreInst *FunctionLowering::storeNative(Builder &at, llvm::Value *native,
                                               llvm::Value *value) {
  llvm::StoreInst *store = at.CreateAlignedStore(
      value, at.CreateBitCast(native, value->getType()->getPointerTo()), llvm::MaybeAlign(1));
  store->setMetadata(llvm::LLVMContext::MD_tbaa, dataTag_);
  return store;
}

void FunctionLowering::markConsecutive(const Site &site, llvm::Instruction &native) const {
  const auto known = shared_.code.inBounds.find(site.original);
  if (known != shared_.code.inBounds.end() && known->second)
    native.setMetadata(kConsecutiveMark, llvm::MDNode::get(context_, {}));
}

void FunctionLowering::lowerLoad(const Site &site) {
  auto &load = llvm::cast<llvm::LoadInst>(*site.instruction);
  if (load.isAtomic())
    refuse("an atomic load");
  const auto [elementSize, lanes] = oclgrind::getValueSize(site.original);
  const uint64_t size = uint64_t{elementSize} * lanes;
  if (shared_.module.getDataLayout().getTypeStoreSize(load.getType()) != size)
    refuse("a load of a type with another size in the interpreter");
  shared_.code.loadsAddresses |= pointsToBuffer(*load.getType());
  AccessKind kind{load.getPointerAddressSpace()};
  kind.mayBeOutside = true;
  checkArrayIndices(llvm::cast<llvm::LoadInst>(site.original)->getPointerOperand(), load);
  llvm::Value *native =
      accessed(site, llvm::cast<llvm::LoadInst>(site.original)->getPointerOperand(),
               load.getPointerOperand(), size, load.getAlign().value(), kind);
  Builder at(&load);
  llvm::LoadInst *made = loadNative(at, native, load.getType());
  markConsecutive(site, *made);
  replace(load, made);
}

void FunctionLowering::lowerStore(const Site &site) {
  auto &store = llvm::cast<llvm::StoreInst>(*site.instruction);
  if (store.isAtomic())
    refuse("an atomic store");
  const auto *original = llvm::cast<llvm::StoreInst>(site.original);
  const auto [elementSize, lanes] = oclgrind::getValueSize(original->getValueOperand());
  const uint64_t size = uint64_t{elementSize} * lanes;
  llvm::Value *value = store.getValueOperand();
  if (shared_.module.getDataLayout().getTypeStoreSize(value->getType()) != size)
    refuse("a store of a type with another size in the interpreter");
  AccessKind kind{store.getPointerAddressSpace(), true};
  kind.mayBeOutside = true;
  checkArrayIndices(original->getPointerOperand(), store);
  llvm::Value *native = accessed(site, original->getPointerOperand(), store.getPointerOperand(),
                                 size, store.getAlign().value(), kind);
  Builder at(&store);
  markConsecutive(site, *storeNative(at, native, value));
  store.eraseFromParent();
}

void FunctionLowering::lowerAlloca(const Site &site) {
  auto &allocation = llvm::cast<llvm::AllocaInst>(*site.instruction);
  const auto *original = llvm::cast<llvm::AllocaInst>(site.original);
  const bool isKernel = &original_ == &shared_.kernel;
  if (allocation.isArrayAllocation())
    refuse("an allocation of variable size");
  if (!isKernel && original->getParent() != &original_.getEntryBlock())
    refuse("an allocation in the middle of a function");
  if (shared_.usesFrames)
    return allocateInFrame(site);
  shared_.usesPrivateMemory = true;
  Builder at(&allocation);
  llvm::Value *address = call(at, &calls::allocate, int64_,
                              {number(oclgrind::getTypeSize(original->getAllocatedType()))});
  if (!isKernel)
    allocations_.push_back(address);
  replace(allocation, at.CreateIntToPtr(address, allocation.getType()));
}

} // namespace aiwc::engine
