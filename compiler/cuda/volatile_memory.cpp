#include "volatile_memory.h"

#include "decoding/builtins.h"
#include "lowering/address_spaces.h"
#include "lowering/inlining.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace aiwc::cuda {
namespace {

/// A barrier of those lanes of the warp that come to it together (simulator::Meeting).
void placeBarrier(llvm::Instruction &before, const llvm::DebugLoc &location) {
  llvm::IRBuilder<> at(&before);
  at.SetCurrentDebugLocation(location);
  llvm::Type *number = at.getInt32Ty();
  llvm::FunctionCallee meet = before.getModule()->getOrInsertFunction(
      decoding::kMeetingFunction, number, number, number, number, number, number, number, number);
  auto *function = llvm::cast<llvm::Function>(meet.getCallee());
  function->addFnAttr(llvm::Attribute::Convergent);
  constexpr unsigned kBarrier = 0, kWarp = 32;
  const auto value = [&](unsigned i) { return at.getInt32(i); };
  at.CreateCall(meet,
                {value(kBarrier), value(0), value(0), value(0), value(0), value(kWarp), value(0)})
      ->setCallingConv(function->getCallingConv());
}

} // namespace

void meetAtVolatileStores(llvm::Module &module) {
  for (llvm::Function *kernel : lowering::kernelsOf(module)) {
    std::vector<llvm::StoreInst *> stores;
    for (llvm::Instruction &instruction : llvm::instructions(*kernel))
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          store && store->isVolatile() && store->getPointerAddressSpace() == lowering::kLocalSpace)
        stores.push_back(store);
    for (llvm::StoreInst *store : stores) {
      placeBarrier(*store, store->getDebugLoc());
      placeBarrier(*store->getNextNode(), store->getDebugLoc());
    }
  }
}

} // namespace aiwc::cuda
