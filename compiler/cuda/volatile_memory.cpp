#include "volatile_memory.h"

#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "meeting.h"

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
  llvm::Value *none = at.getInt32(0);
  callMeeting(at, Exchange::kBarrier, none, none, none, none);
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
