#pragma once

#include "plugin/execution_tracker.h"

namespace aiwc::plugin {

/// Oclgrind's callbacks about what work-groups execute, handed to the trackers of whoever derives
/// from it.
class TracingPlugin : public oclgrind::Plugin {
public:
  explicit TracingPlugin(const oclgrind::Context *context)
      : Plugin(context), globalMemory_(context->getGlobalMemory()) {}

  void workGroupBegin(const oclgrind::WorkGroup *workGroup) override;
  void workGroupComplete(const oclgrind::WorkGroup *workGroup) override;
  void workGroupBarrier(const oclgrind::WorkGroup *workGroup, uint32_t flags) override;
  void instructionExecuted(const oclgrind::WorkItem *workItem, const llvm::Instruction *instruction,
                           const oclgrind::TypedValue &result) override;
  void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                  size_t address, size_t size) override;
  void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                   size_t address, size_t size, const uint8_t *storeData) override;
  void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                        oclgrind::AtomicOp op, size_t address, size_t size) override;
  void memoryAtomicStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                         oclgrind::AtomicOp op, size_t address, size_t size) override;
  void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkGroup *workGroup,
                  size_t address, size_t size) override;
  void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkGroup *workGroup,
                   size_t address, size_t size, const uint8_t *storeData) override;

protected:
  /// The tracker that follows this work-group, on the calling thread; null where nothing does.
  virtual ExecutionTracker *trackerFor(const oclgrind::WorkGroup &workGroup) = 0;
  /// A work-group is complete, followed or not.
  virtual void groupDone() {}
  /// The invocation is over, and with it whatever the calling thread was in the middle of.
  static void stopFollowing();

private:
  trace::AddressSpace spaceOf(const ExecutionTracker &tracker,
                              const oclgrind::Memory *memory) const;
  template <bool Write, bool Atomic>
  void access(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem, size_t address,
              size_t size) const;

  const oclgrind::Memory *globalMemory_;
};

} // namespace aiwc::plugin
