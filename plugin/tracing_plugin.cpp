#include "plugin/tracing_plugin.h"

#include "plugin/waiting_items.h"

namespace aiwc::plugin {

using trace::AddressSpace;

namespace {

/// The tracker of this thread while it runs a work-group. Oclgrind runs a group on one thread from
/// begin to end. The tracker is read for every instruction. With the default TLS model of a library
/// that is opened at run time, each read is a call that costs more than the rest of the callback.
/// The initial-exec model avoids the call; the pointer fits the space that the C library reserves
/// for such variables.
[[gnu::tls_model("initial-exec")]] thread_local ExecutionTracker *activeTracker = nullptr;

} // namespace

void TracingPlugin::workGroupBegin(const oclgrind::WorkGroup *workGroup) {
  forgetMeetings(workGroup);
  activeTracker = trackerFor(*workGroup);
  if (activeTracker)
    activeTracker->beginGroup(*workGroup);
}

void TracingPlugin::workGroupComplete(const oclgrind::WorkGroup *) {
  const bool followed = activeTracker != nullptr;
  if (followed)
    activeTracker->endGroup();
  activeTracker = nullptr;
  groupDone(followed);
}

void TracingPlugin::workGroupBarrier(const oclgrind::WorkGroup *, uint32_t) {
  if (activeTracker)
    activeTracker->barrier();
}

void TracingPlugin::stopFollowing() {
  activeTracker = nullptr;
}

void TracingPlugin::instructionExecuted(const oclgrind::WorkItem *workItem,
                                        const llvm::Instruction *instruction,
                                        const oclgrind::TypedValue &) {
  if (ExecutionTracker *tracker = activeTracker)
    tracker->instruction(workItem, instruction);
}

AddressSpace TracingPlugin::spaceOf(const ExecutionTracker &tracker,
                                    const oclgrind::Memory *memory) const {
  if (memory == globalMemory_)
    return AddressSpace::kGlobal;
  return memory == tracker.localMemory() ? AddressSpace::kLocal : AddressSpace::kPrivate;
}

template <bool Write, bool Atomic>
void TracingPlugin::access(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                           size_t address, size_t size) const {
  if (ExecutionTracker *tracker = activeTracker)
    tracker->access(workItem, spaceOf(*tracker, memory), address, size, Write, Atomic);
}

void TracingPlugin::memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                               size_t address, size_t size) {
  access<false, false>(memory, workItem, address, size);
}

void TracingPlugin::memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *workItem,
                                size_t address, size_t size, const uint8_t *) {
  access<true, false>(memory, workItem, address, size);
}

void TracingPlugin::memoryAtomicLoad(const oclgrind::Memory *memory,
                                     const oclgrind::WorkItem *workItem, oclgrind::AtomicOp,
                                     size_t address, size_t size) {
  access<false, true>(memory, workItem, address, size);
}

void TracingPlugin::memoryAtomicStore(const oclgrind::Memory *memory,
                                      const oclgrind::WorkItem *workItem, oclgrind::AtomicOp,
                                      size_t address, size_t size) {
  access<true, true>(memory, workItem, address, size);
}

void TracingPlugin::memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkGroup *,
                               size_t address, size_t size) {
  if (ExecutionTracker *tracker = activeTracker)
    tracker->groupAccess(spaceOf(*tracker, memory), address, size, false);
}

void TracingPlugin::memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkGroup *,
                                size_t address, size_t size, const uint8_t *) {
  if (ExecutionTracker *tracker = activeTracker)
    tracker->groupAccess(spaceOf(*tracker, memory), address, size, true);
}

} // namespace aiwc::plugin
