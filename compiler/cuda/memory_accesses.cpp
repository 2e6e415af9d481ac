#include "memory_accesses.h"

#include "lowering/inlining.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

namespace aiwc::cuda {
namespace {

bool isInUnsizedArray(const llvm::GetElementPtrInst &address) {
  const auto *array = llvm::dyn_cast<llvm::ArrayType>(address.getSourceElementType());
  const auto *first = llvm::dyn_cast<llvm::ConstantInt>(address.idx_begin()->get());
  return array && array->getNumElements() == 0 && address.getNumIndices() > 1 && first &&
         first->isZero();
}

constexpr unsigned kVectorLanes = 4;
constexpr unsigned kVectorBytes = 16;

bool copiesVector(const llvm::MemCpyInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  // Of an array of shared memory, clang knows the alignment of its elements only.
  return length && length->equalsInt(kVectorBytes) && !copy.isVolatile() &&
         std::max(copy.getSourceAlign().valueOrOne(), copy.getDestAlign().valueOrOne()) >=
             kVectorBytes;
}

void copyAsVector(llvm::MemCpyInst &copy) {
  llvm::IRBuilder<> builder(&copy);
  llvm::Type *vector = llvm::FixedVectorType::get(builder.getInt32Ty(), kVectorLanes);
  const auto pointerTo = [&](llvm::Value *bytes) {
    return builder.CreateBitCast(bytes,
                                 vector->getPointerTo(bytes->getType()->getPointerAddressSpace()));
  };
  const llvm::Align align(kVectorBytes); // of the type that is copied
  llvm::Value *value = builder.CreateAlignedLoad(vector, pointerTo(copy.getRawSource()), align);
  builder.CreateAlignedStore(value, pointerTo(copy.getRawDest()), align);
  copy.eraseFromParent();
}

} // namespace

void indexUnsizedArrays(llvm::Module &module) {
  std::vector<llvm::GetElementPtrInst *> found;
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
          address && isInUnsizedArray(*address))
        found.push_back(address);
  for (llvm::GetElementPtrInst *address : found) {
    llvm::IRBuilder<> at(address);
    llvm::Type *element = address->getSourceElementType()->getArrayElementType();
    llvm::Value *first =
        at.CreateBitCast(address->getPointerOperand()->stripPointerCastsSameRepresentation(),
                         element->getPointerTo(address->getPointerAddressSpace()));
    const std::vector<llvm::Value *> indices(address->idx_begin() + 1, address->idx_end());
    llvm::Value *made = at.CreateGEP(element, first, indices);
    address->replaceAllUsesWith(made);
    made->takeName(address);
    address->eraseFromParent();
  }
}

void loadVectorsToCopy(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction); copy && copiesVector(*copy))
        copyAsVector(*copy);
}

void forgetPrivateTypes(llvm::Module &module) {
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    for (llvm::Instruction &instruction : llvm::instructions(*kernel)) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (pointer && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
        instruction.setMetadata(llvm::LLVMContext::MD_tbaa, nullptr);
    }
}

} // namespace aiwc::cuda
