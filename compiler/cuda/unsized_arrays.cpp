#include "unsized_arrays.h"

#include "lowering/inlining.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace aiwc::cuda {
namespace {

bool isInUnsizedArray(const llvm::GetElementPtrInst &address) {
  const auto *array = llvm::dyn_cast<llvm::ArrayType>(address.getSourceElementType());
  const auto *first = llvm::dyn_cast<llvm::ConstantInt>(address.idx_begin()->get());
  return array && array->getNumElements() == 0 && address.getNumIndices() > 1 && first &&
         first->isZero();
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

} // namespace aiwc::cuda
