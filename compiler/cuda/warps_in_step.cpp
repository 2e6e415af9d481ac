#include "decoding/builtins.h"
#include "decoding/pointers.h"
#include "decoding/source_text.h"
#include "lowering/address_spaces.h"
#include "lowering/inlining.h"
#include "passes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace aiwc::cuda {
namespace {

/// Accesses to shared memory.
struct Accesses {
  bool reads = false;
  bool writes = false;
  bool volatileWrites = false;

  bool operator==(const Accesses &) const = default;
  void add(Accesses more) {
    reads |= more.reads;
    writes |= more.writes;
    volatileWrites |= more.volatileWrites;
  }
};

bool mayBeShared(const llvm::Value *address) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(address, objects, nullptr, /*MaxLookup=*/0);
  return llvm::any_of(objects, [](const llvm::Value *object) {
    const unsigned space = object->getType()->getPointerAddressSpace();
    return space == lowering::kLocalSpace || space == lowering::kGenericSpace;
  });
}

Accesses accessesOf(const llvm::Instruction &instruction) {
  if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return {mayBeShared(copy->getSource()), mayBeShared(copy->getDest())};
  const bool sets = llvm::isa<llvm::MemSetInst>(instruction);
  const bool isOther = llvm::isa<llvm::CallBase>(instruction) && !sets;
  const llvm::Value *address = isOther ? nullptr : decoding::pointerOperand(instruction);
  if (!address || !mayBeShared(address))
    return {};
  return {!llvm::isa<llvm::StoreInst>(instruction) && !sets,
          !llvm::isa<llvm::LoadInst>(instruction)};
}

/// Whether the lanes of a warp wait for one another there.
bool bringsTogether(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration())
    return false;
  return decoding::builtinTraits(*call, *callee).waits();
}

class Exchanges {
public:
  explicit Exchanges(bool all) : all_(all) {}

  /// Where the lanes of a warp have to meet: before these instructions.
  std::vector<llvm::Instruction *> in(llvm::Function &kernel) {
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock &block : kernel) {
        const Accesses after = through(block);
        Accesses &known = atEndOf_[&block];
        const Accesses before = known;
        known.add(after);
        changed |= !(known == before);
      }
    }
    std::vector<llvm::Instruction *> found;
    for (llvm::BasicBlock &block : kernel)
      through(block, &found);
    return found;
  }

private:
  /// The accesses since the lanes last met, at the end of the block.
  Accesses through(llvm::BasicBlock &block, std::vector<llvm::Instruction *> *found = nullptr) {
    Accesses since;
    for (llvm::BasicBlock *before : llvm::predecessors(&block))
      since.add(atEndOf_.lookup(before));
    for (llvm::Instruction &instruction : block) {
      if (bringsTogether(instruction))
        since = {};
      Accesses now = accessesOf(instruction);
      now.volatileWrites = now.writes && instruction.isVolatile();
      const bool relies =
          (now.reads && since.writes) || (now.writes && (since.reads || since.writes));
      if (relies && (all_ || since.volatileWrites || instruction.isVolatile())) {
        if (found)
          found->push_back(&instruction);
        since = {};
      }
      since.add(now);
    }
    return since;
  }

  const bool all_;
  llvm::DenseMap<const llvm::BasicBlock *, Accesses> atEndOf_;
};

} // namespace

void runAllInStep(llvm::Module &module) {
  module.getOrInsertNamedMetadata(decoding::kWarpsInStep);
}

void meetBetweenExchanges(llvm::Module &module) {
  const bool all = decoding::runsWarpsInStep(module);
  for (llvm::Function *kernel : lowering::kernelsOf(module))
    for (llvm::Instruction *instruction : Exchanges(all).in(*kernel)) {
      llvm::IRBuilder<> at(instruction); // has its line
      llvm::Value *none = at.getInt32(0);
      callMeeting(at, Exchange::kBarrier, none, none, none, none);
    }
}

llvm::CallInst *callMeeting(llvm::IRBuilder<> &at, Exchange exchange, llvm::Value *value,
                            llvm::Value *argument, llvm::Value *width, llvm::Value *mask) {
  constexpr unsigned kWarp = 32;
  llvm::Type *number = at.getInt32Ty();
  llvm::FunctionCallee meet = at.GetInsertBlock()->getModule()->getOrInsertFunction(
      decoding::kMeetingFunction, number, number, number, number, number, number, number, number);
  auto *function = llvm::cast<llvm::Function>(meet.getCallee());
  function->addFnAttr(llvm::Attribute::Convergent);
  llvm::CallInst *call =
      at.CreateCall(meet, {at.getInt32(static_cast<unsigned>(exchange)), value, argument, width,
                           mask, at.getInt32(kWarp), at.getInt32(0)});
  call->setCallingConv(function->getCallingConv());
  return call;
}

} // namespace aiwc::cuda
