#include "vector_copies.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace aiwc::cuda {

namespace {

constexpr unsigned kLanes = 4;
constexpr unsigned kBytes = 16;

bool copiesVector(const llvm::MemCpyInst &copy) {
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
  return length && length->equalsInt(kBytes) && !copy.isVolatile() &&
         copy.getSourceAlign().valueOrOne() >= kBytes && copy.getDestAlign().valueOrOne() >= kBytes;
}

void replace(llvm::MemCpyInst &copy) {
  llvm::IRBuilder<> builder(&copy);
  llvm::Type *vector = llvm::FixedVectorType::get(builder.getInt32Ty(), kLanes);
  const auto pointerTo = [&](llvm::Value *bytes) {
    return builder.CreateBitCast(bytes,
                                 vector->getPointerTo(bytes->getType()->getPointerAddressSpace()));
  };
  const llvm::Align align(kBytes);
  llvm::Value *value = builder.CreateAlignedLoad(vector, pointerTo(copy.getRawSource()), align);
  builder.CreateAlignedStore(value, pointerTo(copy.getRawDest()), align);
  copy.eraseFromParent();
}

} // namespace

void loadVectorsToCopy(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction); copy && copiesVector(*copy))
        replace(*copy);
}

} // namespace aiwc::cuda
