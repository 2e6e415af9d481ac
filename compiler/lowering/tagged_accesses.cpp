#include "lowering/address_spaces.h"
#include "lowering/builtins.h"
#include "lowering/inlining.h"
#include "lowering/passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

// Oclgrind's addresses have the number of the buffer in the upper 16 bits, 32 in private memory.
constexpr unsigned kTagShift = 46;
constexpr uint64_t kTagMask = uint64_t{3} << kTagShift;
constexpr unsigned kLocalTag = 1, kPrivateTag = 2;

uint64_t tagOf(unsigned space) {
  return space == kLocalSpace ? kLocalTag : space == kPrivateSpace ? kPrivateTag : 0;
}

/// The operands by which an instruction accesses memory.
std::vector<unsigned> accessedOperands(const Instruction &instruction) {
  if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::AtomicRMWInst>(instruction) ||
      llvm::isa<llvm::AtomicCmpXchgInst>(instruction) || llvm::isa<llvm::MemSetInst>(instruction))
    return {0};
  if (llvm::isa<llvm::StoreInst>(instruction))
    return {1};
  if (llvm::isa<llvm::MemTransferInst>(instruction))
    return {0, 1};
  return {};
}

/// A copy of the access with another address, before `end`.
Instruction *accessAt(const Instruction &access, unsigned operand, Value *address,
                      Instruction *end) {
  IRBuilder<> at(end);
  at.SetCurrentDebugLocation(access.getDebugLoc());
  if (const auto *set = llvm::dyn_cast<llvm::MemSetInst>(&access))
    return at.CreateMemSet(address, set->getValue(), set->getLength(), set->getDestAlign(),
                           set->isVolatile());
  if (const auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(&access)) {
    Value *to = operand == 0 ? address : transfer->getRawDest();
    Value *from = operand == 1 ? address : transfer->getRawSource();
    return at.CreateMemTransferInst(
        llvm::isa<llvm::MemMoveInst>(transfer) ? llvm::Intrinsic::memmove : llvm::Intrinsic::memcpy,
        to, transfer->getDestAlign(), from, transfer->getSourceAlign(), transfer->getLength(),
        transfer->isVolatile());
  }
  Instruction *copy = access.clone();
  copy->setOperand(operand, address);
  copy->insertBefore(end);
  return copy;
}

/// Splits the block at `access`, and makes a block for each address space, which ends up behind it.
void lowerAccess(Instruction &access, unsigned operand, const Origins &origins,
                 std::vector<Instruction *> &made) {
  Value *pointer = access.getOperand(operand);
  llvm::BasicBlock *before = access.getParent();
  llvm::BasicBlock *after = before->splitBasicBlock(access.getIterator());
  before->getTerminator()->eraseFromParent();
  IRBuilder<> at(before);
  at.SetCurrentDebugLocation(access.getDebugLoc());
  Value *number = at.CreatePtrToInt(pointer, at.getInt64Ty());
  Value *tag = at.CreateAnd(at.CreateLShr(number, kTagShift), 3);
  Value *address = at.CreateAnd(number, ~kTagMask);
  std::vector<unsigned> spaces = {kGlobalSpace};
  if (origins.anyLocal())
    spaces.push_back(kLocalSpace);
  if (origins.anyPrivate())
    spaces.push_back(kPrivateSpace);
  llvm::PHINode *result = nullptr;
  if (!access.getType()->isVoidTy())
    result = llvm::PHINode::Create(access.getType(), 3, "", &after->front());
  llvm::SwitchInst *choice = nullptr;
  for (const unsigned space : spaces) {
    auto *block = llvm::BasicBlock::Create(access.getContext(), "", before->getParent(), after);
    Instruction *end = llvm::BranchInst::Create(after, block);
    end->setDebugLoc(access.getDebugLoc());
    IRBuilder<> in(end);
    Value *there = space == kGlobalSpace
                       ? in.CreateAddrSpaceCast(pointer, inSpace(pointer->getType(), space))
                       : in.CreateIntToPtr(address, inSpace(pointer->getType(), space));
    Instruction *copy = accessAt(access, operand, there, end);
    made.push_back(copy);
    if (result)
      result->addIncoming(copy, block);
    if (choice)
      choice->addCase(at.getInt64(tagOf(space)), block);
    else
      choice = at.CreateSwitch(tag, block);
  }
  if (result)
    access.replaceAllUsesWith(result);
  access.eraseFromParent();
}

void lowerAccesses(llvm::Function &function, const Origins &origins) {
  std::vector<Instruction *> instructions;
  for (Instruction &instruction : llvm::instructions(function))
    instructions.push_back(&instruction);
  while (!instructions.empty()) {
    Instruction *instruction = instructions.back();
    instructions.pop_back();
    for (const unsigned operand : accessedOperands(*instruction)) {
      Value *pointer = instruction->getOperand(operand);
      if (isGeneric(pointer->getType()) && origins.mayBeUnlikeGlobal(pointer)) {
        lowerAccess(*instruction, operand, origins, instructions);
        break; // the copies have the other operand
      }
    }
  }
}

bool isVariable(const Value &pointer) {
  const Value *base = pointer.stripInBoundsOffsets();
  const auto *argument = llvm::dyn_cast<llvm::Argument>(base);
  return llvm::isa<llvm::GlobalVariable>(base) || llvm::isa<llvm::AllocaInst>(base) ||
         (argument && argument->hasByValAttr());
}

void lowerCast(llvm::AddrSpaceCastInst &cast) {
  const unsigned from = cast.getSrcAddressSpace(), to = cast.getDestAddressSpace();
  IRBuilder<> at(&cast);
  Value *pointer = cast.getPointerOperand();
  Value *number = nullptr;
  if (to == kGenericSpace && tagOf(from) != 0) {
    Value *address = at.CreatePtrToInt(pointer, at.getInt64Ty());
    number = at.CreateOr(address, tagOf(from) << kTagShift);
    if (!isVariable(*pointer)) // it may be null
      number = at.CreateSelect(at.CreateICmpEQ(address, at.getInt64(0)), at.getInt64(0), number);
  } else if (from == kGenericSpace && tagOf(to) != 0) {
    number = at.CreateAnd(at.CreatePtrToInt(pointer, at.getInt64Ty()), ~kTagMask);
  } else {
    return; // another name for the same address
  }
  cast.replaceAllUsesWith(at.CreateIntToPtr(number, cast.getType()));
  cast.eraseFromParent();
}

void lowerTaggedAccessesOf(llvm::Function &function) {
  expandConstants(function);
  if (const Origins origins(function); origins.any())
    lowerAccesses(function, origins);
  std::vector<llvm::AddrSpaceCastInst *> casts;
  for (Instruction &instruction : llvm::instructions(function))
    if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction))
      casts.push_back(cast);
  for (llvm::AddrSpaceCastInst *cast : casts)
    lowerCast(*cast);
}

constexpr unsigned kLocalFence = 1, kGlobalFence = 2; // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE

std::optional<unsigned> askedTag(llvm::StringRef name) {
  return name == "__to_global"    ? std::optional(0U)
         : name == "__to_local"   ? std::optional(kLocalTag)
         : name == "__to_private" ? std::optional(kPrivateTag)
                                  : std::nullopt;
}

void answer(llvm::CallInst &call, std::optional<unsigned> asked) {
  IRBuilder<> at(&call);
  Value *number = at.CreatePtrToInt(call.getArgOperand(0), at.getInt64Ty());
  Value *tag = at.CreateAnd(at.CreateLShr(number, kTagShift), 3);
  Value *result = nullptr;
  if (asked) {
    Value *address = at.CreateIntToPtr(at.CreateAnd(number, ~kTagMask), call.getType());
    result = at.CreateSelect(at.CreateICmpEQ(tag, at.getInt64(*asked)), address,
                             llvm::Constant::getNullValue(call.getType()));
  } else {
    result = at.CreateSelect(at.CreateICmpEQ(tag, at.getInt64(kLocalTag)), at.getInt32(kLocalFence),
                             at.getInt32(kGlobalFence));
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

void lowerTaggedAccesses(llvm::Module &module) {
  for (llvm::Function *kernel : kernelsOf(module))
    lowerTaggedAccessesOf(*kernel);
}

void answerAddressQuestions(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.arg_size() != 1 ||
        !isGeneric(function.getArg(0)->getType()))
      continue;
    const std::optional<unsigned> asked = askedTag(function.getName());
    if (!asked && baseName(function.getName()) != "get_fence")
      continue;
    std::vector<llvm::CallInst *> calls;
    for (llvm::User *user : function.users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user))
        calls.push_back(call);
    for (llvm::CallInst *call : calls)
      answer(*call, asked);
    if (function.use_empty())
      function.eraseFromParent();
  }
}

} // namespace aiwc::lowering
