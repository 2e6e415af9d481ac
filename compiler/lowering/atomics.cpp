#include "lowering/locations.h"
#include "lowering/passes.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::AtomicCmpXchgInst;
using llvm::AtomicRMWInst;
using llvm::IRBuilder;
using llvm::Value;

constexpr llvm::AtomicOrdering kOrder = llvm::AtomicOrdering::Monotonic;

std::optional<AtomicRMWInst::BinOp> operationNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<AtomicRMWInst::BinOp>>(name)
      .Case("exchange", AtomicRMWInst::Xchg)
      .Case("fetch_add", AtomicRMWInst::Add)
      .Case("fetch_sub", AtomicRMWInst::Sub)
      .Case("fetch_and", AtomicRMWInst::And)
      .Case("fetch_or", AtomicRMWInst::Or)
      .Case("fetch_xor", AtomicRMWInst::Xor)
      .Case("fetch_nand", AtomicRMWInst::Nand)
      .Case("fetch_max", AtomicRMWInst::Max)
      .Case("fetch_min", AtomicRMWInst::Min)
      .Case("fetch_umax", AtomicRMWInst::UMax)
      .Case("fetch_umin", AtomicRMWInst::UMin)
      .Default(std::nullopt);
}

/// `pointer` as a pointer to `type`.
Value *to(IRBuilder<> &at, Value *pointer, llvm::Type *type) {
  return at.CreateBitCast(pointer,
                          type->getPointerTo(pointer->getType()->getPointerAddressSpace()));
}

Value *compareAndExchange(IRBuilder<> &at, llvm::CallBase &call, llvm::Type *type,
                          llvm::Align align) {
  Value *expected = to(at, call.getArgOperand(1), type);
  Value *pointer = to(at, call.getArgOperand(0), type);
  Value *old = at.CreateAlignedLoad(type, expected, align);
  Value *desired = at.CreateZExtOrTrunc(call.getArgOperand(2), type);
  Value *result = at.CreateAtomicCmpXchg(pointer, old, desired, align, kOrder, kOrder);
  at.CreateAlignedStore(at.CreateExtractValue(result, 0), expected, align);
  return at.CreateExtractValue(result, 1);
}

/// The value of a call of the function `operation` for integers of `type`; null for an unknown one.
Value *instructionFor(llvm::CallBase &call, llvm::StringRef operation, llvm::Type *type) {
  IRBuilder<> at(&call);
  const llvm::Align align(type->getIntegerBitWidth() / 8);
  if (operation == "compare_exchange")
    return compareAndExchange(at, call, type, align);
  const std::optional<AtomicRMWInst::BinOp> change = operationNamed(operation);
  if (!change && operation != "load" && operation != "store")
    return nullptr;
  Value *pointer = to(at, call.getArgOperand(0), type);
  if (operation == "load")
    return at.CreateAlignedLoad(type, pointer, align, true);
  Value *operand = at.CreateZExtOrTrunc(call.getArgOperand(1), type);
  if (operation == "store")
    return at.CreateAlignedStore(operand, pointer, align, true);
  return at.CreateAtomicRMW(*change, pointer, operand, align, kOrder);
}

void replaceAtomicCall(llvm::CallBase &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (!name.consume_front("__atomic_"))
    return;
  const auto [operation, bytes] = name.rsplit('_');
  unsigned size = 0;
  if (bytes.getAsInteger(10, size) || (size != 1 && size != 2 && size != 4 && size != 8) ||
      call.arg_size() < 2)
    return;
  Value *result =
      instructionFor(call, operation, llvm::Type::getIntNTy(call.getContext(), size * 8));
  if (!result)
    return;
  if (!call.getType()->isVoidTy()) {
    IRBuilder<> at(&call);
    call.replaceAllUsesWith(at.CreateZExtOrTrunc(result, call.getType()));
  }
  call.eraseFromParent();
}

/// OpenCL's name of an operation, and whether its operands are signed.
struct Builtin {
  const char *name = nullptr;
  bool isSigned = true;
};

Builtin builtinFor(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return {"xchg"};
  case AtomicRMWInst::Add:
    return {"add"};
  case AtomicRMWInst::Sub:
    return {"sub"};
  case AtomicRMWInst::And:
    return {"and"};
  case AtomicRMWInst::Or:
    return {"or"};
  case AtomicRMWInst::Xor:
    return {"xor"};
  case AtomicRMWInst::Max:
    return {"max"};
  case AtomicRMWInst::Min:
    return {"min"};
  case AtomicRMWInst::UMax:
    return {"max", false};
  case AtomicRMWInst::UMin:
    return {"min", false};
  default:
    return {};
  }
}

/// Calls OpenCL's function, such as `atomic_add(volatile global int *, int)`: those of 64 bits are
/// called `atom_add`.
Value *callBuiltin(IRBuilder<> &at, Builtin builtin, Value *pointer,
                   llvm::ArrayRef<Value *> operands) {
  llvm::Type *type = operands[0]->getType();
  const bool isWide = type->isIntegerTy(64);
  const std::string name = (isWide ? "atom_" : "atomic_") + std::string(builtin.name);
  const char letter = isWide ? (builtin.isSigned ? 'l' : 'm') : (builtin.isSigned ? 'i' : 'j');
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const std::string mangled = "_Z" + std::to_string(name.size()) + name + "PU3AS" +
                              std::to_string(space) + "V" +
                              std::string(operands.size() + 1, letter);
  std::vector<Value *> arguments = {to(at, pointer, type)};
  arguments.insert(arguments.end(), operands.begin(), operands.end());
  std::vector<llvm::Type *> types;
  types.reserve(arguments.size());
  for (const Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::Module *module = at.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee =
      module->getOrInsertFunction(mangled, llvm::FunctionType::get(type, types, false));
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  llvm::CallInst *call = at.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

Value *callCompareAndExchange(IRBuilder<> &at, Value *pointer, Value *expected, Value *desired) {
  return callBuiltin(at, {"cmpxchg"}, pointer, {expected, desired});
}

bool isWord(const llvm::Type &type) {
  return type.isIntegerTy(32) || type.isIntegerTy(64);
}

/// A number that lies in a word of 32 or 64 bits.
struct Word {
  Value *pointer = nullptr; ///< of the word
  llvm::Type *type = nullptr;
  Value *shift = nullptr; ///< of the number in the word; null: it is the word
  llvm::Type *numberType = nullptr;

  Value *extract(IRBuilder<> &at, Value *word) const {
    if (shift)
      word = at.CreateTrunc(at.CreateLShr(word, shift),
                            at.getIntNTy(numberType->getPrimitiveSizeInBits()));
    return at.CreateBitCast(word, numberType);
  }
  Value *insert(IRBuilder<> &at, Value *word, Value *number) const {
    const unsigned bits = numberType->getPrimitiveSizeInBits();
    number = at.CreateBitCast(number, at.getIntNTy(bits));
    if (!shift)
      return number;
    Value *mask = at.CreateShl(at.getInt32((1U << bits) - 1), shift);
    Value *others = at.CreateAnd(word, at.CreateNot(mask));
    return at.CreateOr(others, at.CreateShl(at.CreateZExt(number, at.getInt32Ty()), shift));
  }
};

Word wordOf(IRBuilder<> &at, Value *pointer, llvm::Type *numberType) {
  Word word;
  word.numberType = numberType;
  const unsigned bits = numberType->getPrimitiveSizeInBits();
  if (bits >= 32) {
    word.type = at.getIntNTy(bits);
    word.pointer = to(at, pointer, word.type);
    return word;
  }
  word.type = at.getInt32Ty();
  Value *address = at.CreatePtrToInt(pointer, at.getInt64Ty());
  word.shift = at.CreateTrunc(at.CreateShl(at.CreateAnd(address, 3), 3), word.type);
  word.pointer =
      at.CreateIntToPtr(at.CreateAnd(address, ~uint64_t{3}),
                        word.type->getPointerTo(pointer->getType()->getPointerAddressSpace()));
  return word;
}

/// What the operation makes of the old number and its operand.
Value *changed(IRBuilder<> &at, AtomicRMWInst::BinOp operation, Value *old, Value *operand) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return operand;
  case AtomicRMWInst::Add:
    return at.CreateAdd(old, operand);
  case AtomicRMWInst::Sub:
    return at.CreateSub(old, operand);
  case AtomicRMWInst::And:
    return at.CreateAnd(old, operand);
  case AtomicRMWInst::Nand:
    return at.CreateNot(at.CreateAnd(old, operand));
  case AtomicRMWInst::Or:
    return at.CreateOr(old, operand);
  case AtomicRMWInst::Xor:
    return at.CreateXor(old, operand);
  case AtomicRMWInst::Max:
    return at.CreateSelect(at.CreateICmpSGT(old, operand), old, operand);
  case AtomicRMWInst::Min:
    return at.CreateSelect(at.CreateICmpSLE(old, operand), old, operand);
  case AtomicRMWInst::UMax:
    return at.CreateSelect(at.CreateICmpUGT(old, operand), old, operand);
  case AtomicRMWInst::UMin:
    return at.CreateSelect(at.CreateICmpULE(old, operand), old, operand);
  case AtomicRMWInst::FAdd:
    return at.CreateFAdd(old, operand);
  case AtomicRMWInst::FSub:
    return at.CreateFSub(old, operand);
  default:
    llvm::report_fatal_error("an unknown atomic operation", false);
  }
}

/// Repeats `change` of the number at `pointer` until nobody else changed its word meanwhile.
/// `change` may leave the loop by another condition. Returns the old number.
template <typename Change>
Value *loopUntilExchanged(llvm::Instruction &instruction, Value *pointer, llvm::Type *numberType,
                          Change change) {
  IRBuilder<> at(&instruction);
  const Word word = wordOf(at, pointer, numberType);
  Value *first = at.CreateAlignedLoad(word.type, word.pointer,
                                      llvm::Align(word.type->getPrimitiveSizeInBits() / 8), true);
  llvm::BasicBlock *before = instruction.getParent();
  llvm::BasicBlock *after = before->splitBasicBlock(instruction.getIterator());
  auto *loop = llvm::BasicBlock::Create(instruction.getContext(), "", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  at.SetInsertPoint(loop);
  llvm::PHINode *seen = at.CreatePHI(word.type, 2);
  seen->addIncoming(first, before);
  Value *number = word.extract(at, seen);
  Value *desired = word.insert(at, seen, change(at, number));
  Value *found = callCompareAndExchange(at, word.pointer, seen, desired);
  seen->addIncoming(found, loop);
  at.CreateCondBr(at.CreateICmpEQ(found, seen), after, loop);
  return number;
}

void lower(AtomicRMWInst &instruction) {
  IRBuilder<> at(&instruction);
  Value *operand = instruction.getValOperand();
  llvm::Type *type = operand->getType();
  const AtomicRMWInst::BinOp operation = instruction.getOperation();
  Value *old = nullptr;
  if (instruction.getPointerAddressSpace() == 0) { // nobody else sees it
    old = at.CreateLoad(type, instruction.getPointerOperand());
    at.CreateStore(changed(at, operation, old, operand), instruction.getPointerOperand());
    instruction.replaceAllUsesWith(old);
    instruction.eraseFromParent();
    return;
  }
  if (operation == AtomicRMWInst::Xchg && type->isFloatingPointTy())
    operand = at.CreateBitCast(operand, at.getIntNTy(type->getPrimitiveSizeInBits()));
  if (const Builtin builtin = builtinFor(operation); builtin.name && isWord(*operand->getType()))
    old = at.CreateBitCast(callBuiltin(at, builtin, instruction.getPointerOperand(), {operand}),
                           type);
  else
    old = loopUntilExchanged(instruction, instruction.getPointerOperand(), type,
                             [&](IRBuilder<> &in, Value *number) {
                               return changed(in, operation, number, instruction.getValOperand());
                             });
  instruction.replaceAllUsesWith(old);
  instruction.eraseFromParent();
}

void lower(AtomicCmpXchgInst &instruction) {
  IRBuilder<> at(&instruction);
  Value *expected = instruction.getCompareOperand();
  Value *desired = instruction.getNewValOperand();
  Value *old = nullptr;
  if (instruction.getPointerAddressSpace() == 0) {
    old = at.CreateLoad(expected->getType(), instruction.getPointerOperand());
    at.CreateStore(at.CreateSelect(at.CreateICmpEQ(old, expected), desired, old),
                   instruction.getPointerOperand());
  } else if (isWord(*expected->getType()))
    old = callCompareAndExchange(at, instruction.getPointerOperand(), expected, desired);
  else // the rest of the word is exchanged for what it was
    old = loopUntilExchanged(instruction, instruction.getPointerOperand(), expected->getType(),
                             [&](IRBuilder<> &in, Value *number) {
                               return in.CreateSelect(in.CreateICmpEQ(number, expected), desired,
                                                      number);
                             });
  at.SetInsertPoint(&instruction);
  Value *pair = at.CreateInsertValue(llvm::UndefValue::get(instruction.getType()), old, 0);
  pair = at.CreateInsertValue(pair, at.CreateICmpEQ(old, expected), 1);
  instruction.replaceAllUsesWith(pair);
  instruction.eraseFromParent();
}

void lower(llvm::FenceInst &fence) {
  IRBuilder<> at(&fence);
  llvm::FunctionCallee callee =
      fence.getModule()->getOrInsertFunction("_Z9mem_fencej", at.getVoidTy(), at.getInt32Ty());
  llvm::cast<llvm::Function>(callee.getCallee())->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  constexpr unsigned kLocalAndGlobal = 3;
  at.CreateCall(callee, at.getInt32(kLocalAndGlobal))->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  fence.eraseFromParent();
}

void lowerAtomicsOf(llvm::Function &function) {
  std::vector<llvm::Instruction *> instructions;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (instruction.isAtomic())
      instructions.push_back(&instruction);
  for (llvm::Instruction *instruction : instructions) {
    if (auto *change = llvm::dyn_cast<AtomicRMWInst>(instruction)) {
      lower(*change);
    } else if (auto *exchange = llvm::dyn_cast<AtomicCmpXchgInst>(instruction)) {
      lower(*exchange);
    } else if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(instruction)) {
      lower(*fence);
    } else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      load->setAtomic(llvm::AtomicOrdering::NotAtomic);
      load->setVolatile(true);
    } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
      store->setAtomic(llvm::AtomicOrdering::NotAtomic);
      store->setVolatile(true);
    }
  }
}

} // namespace

void replaceAtomicCalls(llvm::Module &module) {
  std::vector<llvm::CallBase *> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call && call->getCalledFunction() && call->getCalledFunction()->isDeclaration())
        calls.push_back(call);
  for (llvm::CallBase *call : calls)
    replaceAtomicCall(*call);
}

void lowerAtomics(llvm::Module &module) {
  for (llvm::Function &function : module)
    lowerAtomicsOf(function);
}

} // namespace aiwc::lowering
