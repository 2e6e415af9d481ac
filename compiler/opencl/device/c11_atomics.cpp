#include "functions.h"
#include "lowering/address_spaces.h"
#include "lowering/builtins.h"
#include "lowering/locations.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace aiwc::opencl {
namespace {

using llvm::AtomicRMWInst;
using llvm::CallInst;
using llvm::IRBuilder;
using llvm::StringRef;
using llvm::Value;

constexpr llvm::AtomicOrdering kOrder = llvm::AtomicOrdering::Monotonic;

/// A pointer to `type`, without the cast to the generic address space that the declaration asks
/// for.
Value *pointerTo(IRBuilder<> &at, llvm::Type *type, Value *pointer) {
  if (auto *same = llvm::dyn_cast<llvm::BitCastOperator>(pointer))
    pointer = same->getOperand(0);
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer);
      cast && lowering::isGeneric(cast->getType()))
    pointer = cast->getPointerOperand();
  return at.CreateBitCast(pointer,
                          type->getPointerTo(pointer->getType()->getPointerAddressSpace()));
}

llvm::Align alignOf(const llvm::Type &type) {
  return llvm::Align(type.getPrimitiveSizeInBits() / 8);
}

/// The letter of the operand's type: 'j' of "_Z16atomic_fetch_maxPU3AS4VU7_Atomicjj".
char operandLetter(StringRef mangled) {
  const size_t at = mangled.find("_Atomic");
  return at == StringRef::npos || at + 7 >= mangled.size() ? 'i' : mangled[at + 7];
}

AtomicRMWInst::BinOp operationOf(StringRef name, char letter) {
  const bool isReal = letter == 'f' || letter == 'd' || letter == 'D';
  const bool isUnsigned = letter == 'j' || letter == 'm';
  if (isReal)
    return llvm::StringSwitch<AtomicRMWInst::BinOp>(name)
        .Case("add", AtomicRMWInst::FAdd)
        .Case("sub", AtomicRMWInst::FSub)
        .Default(AtomicRMWInst::BAD_BINOP);
  return llvm::StringSwitch<AtomicRMWInst::BinOp>(name)
      .Case("add", AtomicRMWInst::Add)
      .Case("sub", AtomicRMWInst::Sub)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("and", AtomicRMWInst::And)
      .Case("min", isUnsigned ? AtomicRMWInst::UMin : AtomicRMWInst::Min)
      .Case("max", isUnsigned ? AtomicRMWInst::UMax : AtomicRMWInst::Max)
      .Case("umin", AtomicRMWInst::UMin)
      .Case("umax", AtomicRMWInst::UMax)
      .Default(AtomicRMWInst::BAD_BINOP);
}

Value *load(IRBuilder<> &at, llvm::Type *type, Value *pointer) {
  auto *made = at.CreateAlignedLoad(type, pointer, alignOf(*type));
  made->setAtomic(kOrder);
  return made;
}

void store(IRBuilder<> &at, Value *value, Value *pointer) {
  at.CreateAlignedStore(value, pointer, alignOf(*value->getType()))->setAtomic(kOrder);
}

/// Exchanges integers, also for real numbers, which LLVM's instruction does not take.
Value *compareAndExchange(IRBuilder<> &at, CallInst &call) {
  Value *desired = call.getArgOperand(2);
  llvm::Type *type = at.getIntNTy(desired->getType()->getPrimitiveSizeInBits());
  Value *expected = pointerTo(at, type, call.getArgOperand(1));
  Value *pointer = pointerTo(at, type, call.getArgOperand(0));
  Value *old = at.CreateAlignedLoad(type, expected, alignOf(*type));
  Value *result = at.CreateAtomicCmpXchg(pointer, old, at.CreateBitCast(desired, type),
                                         alignOf(*type), kOrder, kOrder);
  at.CreateAlignedStore(at.CreateExtractValue(result, 0), expected, alignOf(*type));
  return at.CreateExtractValue(result, 1);
}

/// The value of the call; null for a function that the simulator has not.
Value *replacement(IRBuilder<> &at, CallInst &call, StringRef name, char letter) {
  llvm::Type *word = at.getInt32Ty(); // of a flag
  if (name == "load")
    return load(at, call.getType(), pointerTo(at, call.getType(), call.getArgOperand(0)));
  if (name == "flag_clear") {
    store(at, llvm::ConstantInt::get(word, 0), pointerTo(at, word, call.getArgOperand(0)));
    return llvm::ConstantInt::get(word, 0);
  }
  if (name == "flag_test_and_set")
    return at.CreateICmpNE(
        at.CreateAtomicRMW(AtomicRMWInst::Xchg, pointerTo(at, word, call.getArgOperand(0)),
                           llvm::ConstantInt::get(word, 1), llvm::Align(4), kOrder),
        llvm::ConstantInt::get(word, 0));
  if (call.arg_size() < 2)
    return nullptr;
  if ((name == "compare_exchange_strong" || name == "compare_exchange_weak") && call.arg_size() > 2)
    return compareAndExchange(at, call);
  Value *operand = call.getArgOperand(1);
  Value *pointer = pointerTo(at, operand->getType(), call.getArgOperand(0));
  const llvm::Align align = alignOf(*operand->getType());
  if (name == "init") {
    at.CreateAlignedStore(operand, pointer, align);
    return operand;
  }
  if (name == "store") {
    store(at, operand, pointer);
    return operand;
  }
  if (name == "exchange")
    return at.CreateAtomicRMW(AtomicRMWInst::Xchg, pointer, operand, align, kOrder);
  if (!name.consume_front("fetch_"))
    return nullptr;
  const AtomicRMWInst::BinOp operation = operationOf(name, letter);
  return operation == AtomicRMWInst::BAD_BINOP
             ? nullptr
             : at.CreateAtomicRMW(operation, pointer, operand, align, kOrder);
}

void replace(CallInst &call, StringRef name, char letter) {
  IRBuilder<> at(&call);
  Value *result = replacement(at, call, name, letter);
  if (!result)
    lowering::refuse(call, "the function atomic_" + name.str() + " of this type");
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(result->getType() == call.getType()
                                ? result
                                : at.CreateZExtOrTrunc(result, call.getType()));
  call.eraseFromParent();
}

/// A fence for the flags of the call, which are its first argument.
void replaceFence(CallInst &call) {
  IRBuilder<> at(&call);
  llvm::FunctionCallee fence =
      call.getModule()->getOrInsertFunction("_Z9mem_fencej", at.getVoidTy(), at.getInt32Ty());
  llvm::cast<llvm::Function>(fence.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  at.CreateCall(fence, call.getArgOperand(0))->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call.eraseFromParent();
}

/// What the function does ("fetch_add"): of OpenCL's names, and of those that clang gives its own
/// builtins. Empty for another function.
StringRef operationName(StringRef mangled) {
  StringRef name = lowering::baseName(mangled);
  if (name.consume_front("__opencl_atomic_"))
    return name.rsplit('_').first; // the number of bytes
  if (!mangled.contains("_Atomic") || !name.consume_front("atomic_"))
    return "";
  name.consume_back("_explicit");
  return name;
}

} // namespace

bool replaceAtomicFunctions(llvm::Module &module) {
  bool found = false;
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration())
      continue;
    const std::string mangled = function.getName().str();
    const StringRef name = operationName(mangled);
    const bool isFence = lowering::baseName(mangled) == "atomic_work_item_fence";
    if (!isFence && name.empty())
      continue;
    std::vector<CallInst *> calls;
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == &function)
        calls.push_back(call);
    for (CallInst *call : calls)
      isFence ? replaceFence(*call) : replace(*call, name, operandLetter(mangled));
    found |= !calls.empty();
    if (function.use_empty())
      function.eraseFromParent();
  }
  return found;
}

} // namespace aiwc::opencl
