#pragma once

#include "plugin/execution_tracker.h"

namespace aiwc::plugin {

/// Receives Oclgrind's callbacks about the execution of work-groups and passes them to the trackers
/// that the derived class supplies.
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
  /// The tracker that follows this work-group, on the calling thread; null if the group is not
  /// followed.
  virtual ExecutionTracker *trackerFor(const oclgrind::WorkGroup &workGroup) = 0;
  /// Called after each work-group. `followed`: whether it had a tracker.
  virtual void groupDone(bool /*followed*/) {}
  /// Call at the end of an invocation: the calling thread stops following its work-group, if it
  /// still follows one.
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
