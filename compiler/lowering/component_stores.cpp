#include "lowering/passes.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <iterator>
#include <utility>
#include <vector>

namespace aiwc::lowering {
namespace {

using llvm::Value;

/// Component `index` of a value.
struct Component {
  Value *of;
  unsigned index;
};

/// Where component `index` of a vector comes from: of a scalar, which is not a vector then, or of
/// the vector that is neither an insertion nor a rearrangement of others.
Component originOf(Value *vector, unsigned index) {
  for (;;) {
    if (const auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(vector)) {
      const auto *place = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
      if (!place)
        return {vector, index};
      if (place->getZExtValue() == index)
        return {insert->getOperand(1), 0};
      vector = insert->getOperand(0);
    } else if (const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(vector)) {
      const int from = shuffle->getMaskValue(index);
      const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType());
      if (from < 0 || !type)
        return {vector, index};
      const bool isFirst = static_cast<unsigned>(from) < type->getNumElements();
      vector = shuffle->getOperand(isFirst ? 0 : 1);
      index = static_cast<unsigned>(from) - (isFirst ? 0 : type->getNumElements());
    } else {
      return {vector, index};
    }
  }
}

/// Whether `load` gives what memory has at the store's place until the store.
bool isUnchangedUntil(const llvm::LoadInst &load, const llvm::StoreInst &store) {
  if (!load.isSimple() || load.getPointerOperand() != store.getPointerOperand() ||
      load.getParent() != store.getParent())
    return false;
  for (auto at = std::next(load.getIterator()); at != load.getParent()->end(); ++at) {
    if (&*at == &store)
      return true;
    if (at->mayWriteToMemory())
      return false;
  }
  return false;
}

/// Makes stores of the components that change of a store, if others keep what memory has.
bool split(llvm::StoreInst &store) {
  const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(store.getValueOperand()->getType());
  if (!type || !store.isSimple() || type->getScalarSizeInBits() % 8 != 0)
    return false;
  std::vector<std::pair<unsigned, Component>> changed;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    const Component origin = originOf(store.getValueOperand(), i);
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(origin.of);
    if (!load || origin.index != i || load->getType() != type || !isUnchangedUntil(*load, store))
      changed.emplace_back(i, origin);
  }
  if (changed.size() == type->getNumElements())
    return false;
  llvm::IRBuilder<> at(&store);
  const uint64_t bytes = type->getScalarSizeInBits() / 8;
  for (const auto &[index, origin] : changed) {
    Value *value = origin.of->getType()->isVectorTy()
                       ? at.CreateExtractElement(origin.of, origin.index)
                       : origin.of;
    Value *place =
        at.CreateInBoundsGEP(store.getValueOperand()->getType(), store.getPointerOperand(),
                             {at.getInt32(0), at.getInt32(index)});
    at.CreateAlignedStore(value, place, llvm::commonAlignment(store.getAlign(), index * bytes))
        ->setAAMetadata(store.getAAMetadata());
  }
  Value *whole = store.getValueOperand();
  store.eraseFromParent();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(whole);
  return true;
}

} // namespace

bool storeComponents(llvm::Module &module) {
  bool isChanged = false;
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (auto next = block.begin(); next != block.end();)
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&*next++))
          isChanged |= split(*store);
  return isChanged;
}

} // namespace aiwc::lowering
