#include "lowering/address_spaces.h"

#include "lowering/inlining.h"
#include "lowering/optimisation.h"
#include "lowering/passes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::Instruction;
using llvm::Value;

/// Whether an integer that was made of an address is only computed and compared with.
bool onlyCompared(const Value &number, unsigned depth = 0) {
  for (const llvm::User *user : number.users()) {
    if (llvm::isa<llvm::ICmpInst>(user))
      continue;
    const bool computes = llvm::isa<llvm::BinaryOperator>(user) || llvm::isa<llvm::TruncInst>(user);
    if (!computes || depth > 8 || !onlyCompared(*user, depth + 1))
      return false;
  }
  return true;
}

bool isSource(const Instruction &instruction) {
  return isGeneric(instruction.getType()) &&
         (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::IntToPtrInst>(instruction) ||
          llvm::isa<llvm::ExtractValueInst>(instruction) || llvm::isa<llvm::CallBase>(instruction));
}

/// Lets the inference see pointers from memory as global ones.
bool takeForGlobal(llvm::Function &function, const Origins &origins) {
  std::vector<Instruction *> sources;
  for (Instruction &instruction : llvm::instructions(function))
    if (isSource(instruction) && !origins.mayBeUnlikeGlobal(&instruction))
      sources.push_back(&instruction);
  bool changed = false;
  for (Instruction *source : sources) {
    if (source->hasOneUse() && llvm::isa<llvm::AddrSpaceCastInst>(source->user_back()))
      continue; // done before
    llvm::IRBuilder<> at(source->getNextNode());
    Value *global = at.CreateAddrSpaceCast(source, inSpace(source->getType(), kGlobalSpace));
    Value *generic = at.CreateAddrSpaceCast(global, source->getType());
    source->replaceUsesWithIf(generic, [&](llvm::Use &use) { return use.getUser() != global; });
    changed = true;
  }
  return changed;
}

} // namespace

bool isGeneric(const llvm::Type *type) {
  return type->isPointerTy() && type->getPointerAddressSpace() == kGenericSpace;
}

llvm::PointerType *inSpace(llvm::Type *pointer, unsigned space) {
  return llvm::PointerType::getWithSamePointeeType(llvm::cast<llvm::PointerType>(pointer), space);
}

void joinIntegerCasts(llvm::Module &module) {
  std::vector<Instruction *> casts;
  for (llvm::Function &function : module)
    for (Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::IntToPtrInst>(instruction))
        casts.push_back(&instruction);
  for (Instruction *cast : casts) {
    const auto *number = llvm::dyn_cast<llvm::PtrToIntOperator>(cast->getOperand(0));
    if (!number)
      continue;
    llvm::IRBuilder<> at(cast);
    cast->replaceAllUsesWith(at.CreatePointerBitCastOrAddrSpaceCast(
        const_cast<Value *>(number->getPointerOperand()), cast->getType()));
    cast->eraseFromParent();
  }
}

Origins::Origins(llvm::Function &function) {
  for (Instruction &instruction : llvm::instructions(function)) {
    const auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
    if (!cast || cast->getDestAddressSpace() != kGenericSpace)
      continue;
    local_ |= cast->getSrcAddressSpace() == kLocalSpace;
    private_ |= cast->getSrcAddressSpace() == kPrivateSpace;
    if (cast->getSrcAddressSpace() == kLocalSpace || cast->getSrcAddressSpace() == kPrivateSpace)
      follow(&instruction);
  }
}

bool Origins::mayBeUnlikeGlobal(const Value *value) const {
  return values_.count(value) || (escape_ && any());
}

void Origins::follow(Value *value) {
  if (!values_.insert(value).second)
    return;
  for (llvm::User *user : value->users())
    if (auto *instruction = llvm::dyn_cast<Instruction>(user))
      followUser(value, *instruction);
}

void Origins::followUser(Value *value, Instruction &user) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
    escape_ |= store->getValueOperand() == value;
  } else if (llvm::isa<llvm::PtrToIntInst>(user)) {
    escape_ |= !onlyCompared(user);
  } else if (llvm::isa<llvm::AtomicRMWInst>(user) || llvm::isa<llvm::AtomicCmpXchgInst>(user)) {
    escape_ |= user.getOperand(0) != value;
  } else if (!llvm::isa<llvm::LoadInst>(user) && !llvm::isa<llvm::ICmpInst>(user) &&
             !llvm::isa<llvm::CallBase>(user)) {
    // Pointers in values that are structures, too.
    if (user.getType()->isPointerTy() ? isGeneric(user.getType()) : !user.getType()->isVoidTy())
      follow(&user);
  }
}

void inferAddressSpaces(llvm::Module &module) {
  inferSpaces(module);
  for (llvm::Function *kernel : kernelsOf(module)) {
    expandConstants(*kernel);
    if (Origins(*kernel).any()) {
      inferSpacesThoroughly(*kernel);
      expandConstants(*kernel);
    }
    const Origins origins(*kernel);
    if (!origins.any() || origins.escape())
      continue; // no pointer needs more, or none can be known
    if (takeForGlobal(*kernel, origins))
      inferSpaces(module);
  }
}

} // namespace aiwc::lowering
