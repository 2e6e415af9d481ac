#include "memory_accesses.h"

#include "decoding/builtins.h"
#include "lowering/inlining.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

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
  return length && length->equalsInt(kVectorBytes) && !copy.isVolatile() &&
         copy.getSourceAlign().valueOrOne() >= kVectorBytes &&
         copy.getDestAlign().valueOrOne() >= kVectorBytes;
}

void copyAsVector(llvm::MemCpyInst &copy) {
  llvm::IRBuilder<> builder(&copy);
  llvm::Type *vector = llvm::FixedVectorType::get(builder.getInt32Ty(), kVectorLanes);
  const auto pointerTo = [&](llvm::Value *bytes) {
    return builder.CreateBitCast(bytes,
                                 vector->getPointerTo(bytes->getType()->getPointerAddressSpace()));
  };
  const llvm::Align align(kVectorBytes);
  llvm::Value *value = builder.CreateAlignedLoad(vector, pointerTo(copy.getRawSource()), align);
  builder.CreateAlignedStore(value, pointerTo(copy.getRawDest()), align);
  copy.eraseFromParent();
}

bool multipliesMatrices(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() &&
         decoding::matrixFunction(call->getCalledFunction()->getName());
}

/// Adds the loops whose counters `index` is computed from.
void addCountingLoops(llvm::Value *index, const llvm::LoopInfo &loops,
                      llvm::SmallPtrSetImpl<llvm::Value *> &seen,
                      llvm::SmallPtrSetImpl<llvm::Loop *> &found) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(index);
  if (!instruction || !seen.insert(index).second)
    return;
  if (llvm::isa<llvm::PHINode>(instruction)) {
    llvm::Loop *loop = loops.getLoopFor(instruction->getParent());
    if (loop && loop->getHeader() == instruction->getParent())
      found.insert(loop);
  } else if (llvm::isa<llvm::CastInst>(instruction) ||
             llvm::isa<llvm::BinaryOperator>(instruction)) {
    for (llvm::Use &operand : instruction->operands())
      addCountingLoops(operand, loops, seen, found);
  }
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

void unrollOverFragments(llvm::Module &module) {
  for (llvm::Function *kernel : lowering::kernelsOf(module)) {
    if (std::none_of(inst_begin(kernel), inst_end(kernel), multipliesMatrices))
      continue;
    const llvm::DominatorTree dominators(*kernel);
    const llvm::LoopInfo loops(dominators);
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    llvm::SmallPtrSet<llvm::Loop *, 8> found;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
          address && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))
        for (llvm::Use &index : address->indices())
          addCountingLoops(index, loops, seen, found);
    for (llvm::Loop *loop : found)
      llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.full");
  }
}

} // namespace aiwc::cuda
