// Calls: functions with a body, work-item functions, synchronisation, copies and atomics.
#include "decoding/builtins.h"
#include "engine_passes/function_lowering.h"
#include "engine_passes/runtime_calls.h"
#include "simulator/intrinsics.h"
#include "simulator/meetings.h"

namespace aiwc::engine {

namespace {

struct IdFunction {
  llvm::StringRef name;
  size_t offset; ///< of the three values in the State
};

const IdFunction kIdFunctions[] = {
    {"get_global_id", offsetof(State, globalId)},
    {"get_local_id", offsetof(State, localId)},
    {"get_group_id", offsetof(State, groupId)},
    {"get_global_size", offsetof(State, globalSize)},
    {"get_global_offset", offsetof(State, globalOffset)},
    {"get_local_size", offsetof(State, localSize)},
    {"get_enqueued_local_size", offsetof(State, enqueuedLocalSize)},
    {"get_num_groups", offsetof(State, numGroups)},
};

/// Whether Oclgrind ignores calls of this function.
bool doesNothing(llvm::StringRef name) {
  return name.startswith("llvm.lifetime.") || name.startswith("llvm.dbg.") ||
         simulator::isHintToCompiler({name.data(), name.size()}) || name == "mem_fence" ||
         name == "read_mem_fence" || name == "write_mem_fence" || name == "prefetch";
}

} // namespace

void FunctionLowering::lowerCall(const Site &site) {
  const auto *original = llvm::cast<llvm::CallInst>(site.original);
  const llvm::Function *callee = decoding::calledFunction(*original);
  if (!callee)
    refuse("an indirect call");
  if (!callee->isDeclaration())
    return lowerFunctionCall(site, *callee);
  const oclgrind::InterpreterCache::Builtin builtin = shared_.cache.getBuiltin(callee);
  const llvm::StringRef name = builtin.name;
  if (doesNothing(name)) {
    if (!site.instruction->getType()->isVoidTy())
      refuse("a call of " + builtin.name);
    site.instruction->eraseFromParent();
    return;
  }
  if (lowerWorkItemFunction(site, name) || lowerSynchronisation(site, name))
    return;
  if (name.startswith("atom_") || (name.startswith("atomic_") && !builtin.overload.empty()))
    return lowerAtomic(site, name, builtin.overload.back());
  if (lowerMemoryBuiltin(site, builtin) || lowerIntegerIntrinsic(site))
    return;
  if (lowerRealFunction(site, name) || lowerIntegerFunction(site, builtin) ||
      lowerThroughPointer(site, builtin) || lowerConversion(site, builtin) ||
      lowerUnlessNaN(site, builtin))
    return;
  lowerGeneric(site, builtin);
}

void FunctionLowering::lowerFunctionCall(const Site &site, const llvm::Function &callee) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  if (made.arg_size() != callee.arg_size())
    refuse("a call with more or fewer arguments than the function has");
  Builder at(&made);
  std::vector<llvm::Value *> arguments = {state_, addresses_};
  for (unsigned i = 0; i < made.arg_size(); ++i) {
    llvm::Value *argument = made.getArgOperand(i);
    const llvm::Argument *parameter = callee.getArg(i);
    if (shared_.usesFrames && isPrivatePointer(*parameter->getType())) {
      const FramePointer passed = passInFrame(site, at, i, *parameter);
      arguments.insert(arguments.end(), {passed.begin, passed.offset, passed.size});
      continue;
    }
    if (parameter->hasByValAttr()) {
      const unsigned size = oclgrind::getTypeSize(parameter->getType()->getPointerElementType());
      llvm::Value *passed = at.CreatePtrToInt(argument, int64_);
      shared_.usesPrivateMemory = true;
      llvm::Value *copy = call(at, &calls::duplicate, int64_, {passed, number(size)});
      llvm::Value *traced = number(
          callee.getParent()->getDataLayout().getTypeAllocSize(parameter->getParamByValType()));
      recordAccess(at, passed, traced, site.position, {0});
      recordAccess(at, copy, traced, site.position, {0, true});
      argument = at.CreateIntToPtr(copy, argument->getType());
    }
    arguments.push_back(argument);
  }
  endBlock(site.position, made);
  at.SetInsertPoint(&made);
  spill(at);
  llvm::Function *target = shared_.functions.at(&callee);
  llvm::CallInst *result = at.CreateCall(target, arguments);
  reload(at);
  if (made.getType()->isVoidTy())
    made.eraseFromParent();
  else
    replace(made, result);
}

bool FunctionLowering::lowerWorkItemFunction(const Site &site, llvm::StringRef name) {
  llvm::Instruction &made = *site.instruction;
  Builder at(&made);
  if (name == "get_work_dim") {
    replace(made, at.CreateTrunc(loadField(at, offsetof(State, workDim), int64_), made.getType()));
    return true;
  }
  for (const IdFunction &function : kIdFunctions) {
    if (name != function.name)
      continue;
    llvm::Value *dimension = at.CreateZExt(made.getOperand(0), int64_);
    failIf(at.CreateICmpUGE(dimension, number(3)), made, Failure::kDimension);
    at.SetInsertPoint(&made);
    llvm::Value *first = stateField(at, function.offset, int64_);
    llvm::LoadInst *load = at.CreateLoad(int64_, at.CreateGEP(int64_, first, dimension));
    load->setMetadata(llvm::LLVMContext::MD_tbaa, stateTag_);
    replace(made, at.CreateTrunc(load, made.getType()));
    return true;
  }
  if (name != "get_global_linear_id" && name != "get_local_linear_id")
    return false;
  const bool isGlobal = name == "get_global_linear_id";
  llvm::Value *id = number(0);
  for (size_t d = 3; d-- > 0;) { // x fastest
    const auto field = [&](size_t offset) {
      return loadField(at, offset + d * sizeof(uint64_t), int64_);
    };
    id = at.CreateMul(id,
                      field(isGlobal ? offsetof(State, globalSize) : offsetof(State, localSize)));
    id = at.CreateAdd(id, field(isGlobal ? offsetof(State, globalId) : offsetof(State, localId)));
    if (isGlobal)
      id = at.CreateSub(id, field(offsetof(State, globalOffset)));
  }
  replace(made, at.CreateTrunc(id, made.getType()));
  return true;
}

bool FunctionLowering::lowerSynchronisation(const Site &site, llvm::StringRef name) {
  if (name == "wait_group_events") {
    lowerWait(site);
    return true;
  }
  if (name.startswith("async_work_group")) {
    lowerAsyncCopy(site, name);
    return true;
  }
  if (name == decoding::kMeetingFunction) {
    lowerMeeting(site);
    return true;
  }
  if (const auto function = decoding::matrixFunction(name)) {
    lowerMatrixProduct(site, *function);
    return true;
  }
  if (name != "barrier" && name != "work_group_barrier")
    return false;
  llvm::Instruction &made = *site.instruction;
  shared_.code.synchronises = true;
  endBlock(site.position, made);
  Builder at(&made);
  spill(at);
  llvm::CallInst *barrier =
      call(at, &calls::barrier, at.getVoidTy(),
           {processAddress(at, site.original), at.CreateZExt(made.getOperand(0), int64_), number(0),
            llvm::ConstantPointerNull::get(int64_->getPointerTo())});
  barrier->setMetadata(kBarrierMark, llvm::MDNode::get(context_, {}));
  reload(at);
  made.eraseFromParent();
  return true;
}

void FunctionLowering::lowerMeeting(const Site &site) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  if (made.arg_size() != simulator::kMeetingArguments)
    refuse("a call of " + decoding::kMeetingFunction.str() + " of an unknown form");
  shared_.code.synchronises = shared_.code.meets = true;
  endBlock(site.position, made);
  Builder at(&made);
  std::vector<llvm::Value *> arguments;
  for (const llvm::Use &argument : made.args())
    arguments.push_back(at.CreateZExtOrTrunc(argument, int64_));
  spill(at);
  llvm::CallInst *result = call(at, &calls::meet, int64_, arguments);
  result->setMetadata(kBarrierMark, llvm::MDNode::get(context_, {}));
  result->setMetadata(kMeetingMark, llvm::MDNode::get(context_, {}));
  reload(at);
  replace(made, at.CreateTrunc(result, made.getType()));
}

/// Passes what the lane holds as simulator::Fragments in the frame, in which the result comes back.
void FunctionLowering::lowerMatrixProduct(const Site &site, size_t function) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  shared_.code.synchronises = shared_.code.meets = true;
  endBlock(site.position, made);
  llvm::AllocaInst *fragments =
      Builder(&*prologue_->begin())
          .CreateAlloca(int64_, number(sizeof(simulator::Fragments) / sizeof(uint64_t)));
  Builder at(&made);
  const llvm::Align kAligned(4);
  const auto place = [&](size_t offset, llvm::Type *type) {
    return at.CreateBitCast(at.CreateConstGEP1_64(at.getInt8Ty(),
                                                  at.CreateBitCast(fragments, at.getInt8PtrTy()),
                                                  offset),
                            type->getPointerTo());
  };
  const auto pass = [&](unsigned argument, size_t offset) {
    llvm::Value *value = made.getArgOperand(argument);
    at.CreateAlignedStore(value, place(offset, value->getType()), kAligned);
  };
  const unsigned last = made.arg_size() - 1;
  const unsigned words = (made.arg_size() - decoding::kMatrixArguments) / 2;
  const uint64_t wordBytes = made.getArgOperand(2)->getType()->getPrimitiveSizeInBits() / 8;
  for (unsigned i = 0; i < words; ++i) {
    pass(2 + i, offsetof(simulator::Fragments, left) + i * wordBytes);
    pass(2 + words + i, offsetof(simulator::Fragments, right) + i * wordBytes);
  }
  pass(last - 1, offsetof(simulator::Fragments, sum));
  spill(at);
  const auto integer = [&](unsigned argument) {
    return at.CreateZExt(made.getArgOperand(argument), int64_);
  };
  llvm::CallInst *call =
      this->call(at, &calls::multiply, at.getVoidTy(),
                 {integer(0), integer(1), number(function), integer(last), fragments});
  call->setMetadata(kBarrierMark, llvm::MDNode::get(context_, {}));
  call->setMetadata(kProductMark, llvm::MDNode::get(context_, {}));
  reload(at);
  llvm::Value *sum = place(offsetof(simulator::Fragments, sum), made.getType());
  replace(made, at.CreateAlignedLoad(made.getType(), sum, kAligned));
}

void FunctionLowering::lowerAsyncCopy(const Site &site, llvm::StringRef name) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto *original = llvm::cast<llvm::CallInst>(site.original);
  const bool strided = name == "async_work_group_strided_copy";
  shared_.copiesInGroups = true;
  if (made.arg_size() != (strided ? 5 : 4))
    refuse("a call of " + name.str() + " of an unknown form");
  const llvm::Type *destination = original->getArgOperand(0)->getType();
  const bool toLocal = destination->getPointerAddressSpace() == oclgrind::AddrSpaceLocal;
  const unsigned elementSize = oclgrind::getTypeSize(destination->getPointerElementType());
  Builder at(&made);
  const auto integer = [&](unsigned argument) {
    llvm::Value *value = made.getArgOperand(argument);
    return value->getType()->isPointerTy() ? at.CreatePtrToInt(value, int64_)
                                           : at.CreateZExt(value, int64_);
  };
  llvm::Value *event =
      call(at, &calls::asyncCopy, int64_,
           {processAddress(at, site.original->getDebugLoc().get()), number(toLocal), integer(0),
            integer(1), number(elementSize), integer(2), strided ? integer(3) : number(1),
            integer(strided ? 4 : 3)});
  replace(made, made.getType()->isPointerTy() ? at.CreateIntToPtr(event, made.getType())
                                              : at.CreateTrunc(event, made.getType()));
}

void FunctionLowering::lowerWait(const Site &site) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  const auto *count = llvm::dyn_cast<llvm::ConstantInt>(made.getArgOperand(0));
  constexpr uint64_t kMost = 16;
  if (!count || count->getZExtValue() > kMost)
    refuse("a wait for an unknown number of events");
  const llvm::Value *pointer = llvm::cast<llvm::CallInst>(site.original)->getArgOperand(1);
  const AccessKind kind{pointer->getType()->getPointerAddressSpace()};
  if (kind.space != oclgrind::AddrSpacePrivate)
    refuse("a wait for events that are not in private memory");
  shared_.code.synchronises = shared_.copiesInGroups = true;
  Builder inPrologue(&*prologue_->begin());
  llvm::Value *events = inPrologue.CreateAlloca(int64_, number(kMost));
  Builder at(&made);
  for (uint64_t i = 0; i < count->getZExtValue(); ++i) {
    at.SetInsertPoint(&made);
    llvm::Value *address =
        at.CreateAdd(at.CreatePtrToInt(made.getArgOperand(1), int64_), number(8 * i));
    llvm::Value *native = nativePointer(site, pointer, address, 8, 1, kind);
    at.SetInsertPoint(&made);
    recordAccess(at, address, number(8), site.position, kind);
    at.CreateStore(loadNative(at, native, int64_), at.CreateConstGEP1_64(int64_, events, i));
  }
  endBlock(site.position, made);
  at.SetInsertPoint(&made);
  spill(at);
  constexpr uint64_t kBothFences = CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
  call(at, &calls::barrier, at.getVoidTy(),
       {processAddress(at, site.original), number(kBothFences), number(count->getZExtValue()),
        events});
  reload(at);
  made.eraseFromParent();
}

void FunctionLowering::lowerAtomic(const Site &site, llvm::StringRef name, char overload) {
  auto &made = llvm::cast<llvm::CallInst>(*site.instruction);
  llvm::StringRef operation = name.substr(name.find('_') + 1);
  const auto *original = llvm::cast<llvm::CallInst>(site.original);
  const llvm::Value *pointer = original->getArgOperand(0);
  const unsigned bits = pointer->getType()->getPointerElementType()->getScalarSizeInBits();
  const AccessKind reads{pointer->getType()->getPointerAddressSpace(), false, true};
  AccessKind writes = reads;
  writes.write = true;
  if ((bits != 32 && bits != 64) || made.getType()->getPrimitiveSizeInBits() != bits ||
      (reads.space != oclgrind::AddrSpaceGlobal && reads.space != oclgrind::AddrSpaceLocal))
    refuse("a call of " + name.str() + " of an unknown form");
  llvm::Type *type = llvm::Type::getIntNTy(context_, bits);
  Builder at(&made);
  const uint64_t size = bits / 8;
  llvm::Value *address = at.CreatePtrToInt(made.getArgOperand(0), int64_);
  llvm::Value *native = nativePointer(site, pointer, address, size, size, reads);
  at.SetInsertPoint(&made);
  const auto operand = [&](unsigned argument) {
    return at.CreateBitCast(made.getArgOperand(argument), type);
  };
  recordAccess(at, address, number(size), site.position, reads);
  const bool isSigned = llvm::StringRef("casilxn").contains(overload);
  llvm::Value *place = at.CreateBitCast(native, type->getPointerTo());
  llvm::Value *old = at.CreateLoad(type, place);
  // The store of a compare-and-exchange happens only if the values are equal.
  llvm::Value *equal = operation == "cmpxchg" ? at.CreateICmpEQ(old, operand(1)) : nullptr;
  nativePointer(site, pointer, address, size, 1, writes, equal);
  at.SetInsertPoint(&made);
  llvm::Value *next = nullptr;
  if (equal) {
    llvm::Value *before = at.CreateLoad(int64_, access_);
    recordAccess(at, address, number(size), site.position, writes);
    if (shared_.tracing == Tracing::kOn)
      at.CreateStore(at.CreateSelect(equal, at.CreateLoad(int64_, access_), before), access_);
    next = at.CreateSelect(equal, operand(2), old);
  } else {
    recordAccess(at, address, number(size), site.position, writes);
    if (operation == "add")
      next = at.CreateAdd(old, operand(1));
    else if (operation == "sub")
      next = at.CreateSub(old, operand(1));
    else if (operation == "inc")
      next = at.CreateAdd(old, llvm::ConstantInt::get(type, 1));
    else if (operation == "dec")
      next = at.CreateSub(old, llvm::ConstantInt::get(type, 1));
    else if (operation == "and")
      next = at.CreateAnd(old, operand(1));
    else if (operation == "or")
      next = at.CreateOr(old, operand(1));
    else if (operation == "xor")
      next = at.CreateXor(old, operand(1));
    else if (operation == "xchg")
      next = operand(1);
    else if (operation == "max")
      next = at.CreateSelect(isSigned ? at.CreateICmpSGT(old, operand(1))
                                      : at.CreateICmpUGT(old, operand(1)),
                             old, operand(1));
    else if (operation == "min")
      next = at.CreateSelect(isSigned ? at.CreateICmpSLT(old, operand(1))
                                      : at.CreateICmpULT(old, operand(1)),
                             old, operand(1));
    else
      refuse("a call of " + name.str());
  }
  at.CreateStore(next, place);
  replace(made, at.CreateBitCast(old, made.getType()));
}

} // namespace aiwc::engine
