// async_work_group_copy: every work-item requests the copy; it is made once, when the group waits
// for it.
#include "plugin/engine/thread_runtime.h"

#include <cstring>

namespace aiwc::engine {

using namespace trace;

/// Makes the copies that wait for `event`. Returns false if no more errors can be saved.
bool ThreadRuntime::performCopies(uint64_t event) {
  const llvm::Instruction *barrier = fibers_[0].barrier;
  for (const AsyncCopy &copy : copies_) {
    if (copy.event != event)
      continue;
    const auto size = static_cast<uint32_t>(copy.elementSize);
    const AddressSpace from = copy.toLocal ? AddressSpace::kGlobal : AddressSpace::kLocal;
    const AddressSpace to = copy.toLocal ? AddressSpace::kLocal : AddressSpace::kGlobal;
    uint64_t source = copy.source, destination = copy.destination;
    for (uint64_t i = 0; i < copy.count; ++i) {
      Access access;
      access.address = source;
      access.size = size;
      access.space = static_cast<uint32_t>(from);
      trace_.groupAccess(access);
      if (copy.toLocal && !report(barrier, false, source, size, false))
        return false;
      access.address = destination;
      access.space = static_cast<uint32_t>(to);
      access.write = 1;
      trace_.groupAccess(access);
      if (!copy.toLocal && !report(barrier, false, destination, size, true))
        return false;
      // Both were checked when the copy was requested.
      std::memmove(bytes(index(to), destination, size, true),
                   bytes(index(from), source, size, false), size);
      source += size * (copy.toLocal ? copy.stride : 1);
      destination += size * (copy.toLocal ? 1 : copy.stride);
    }
  }
  std::erase_if(copies_, [event](const AsyncCopy &copy) { return copy.event == event; });
  return true;
}

uint64_t ThreadRuntime::asyncCopy(const void *site, bool toLocal, uint64_t destination,
                                  uint64_t source, uint64_t elementSize, uint64_t count,
                                  uint64_t stride, uint64_t event) {
  if (!launch_.kernel.code.synchronises) // no work-item waits for the copy
    fail(Failure::kCopies);
  AsyncCopy copy{site, toLocal, destination, source, elementSize, count, stride, event};
  size_t &asked = fibers_[slotOf(item_)].copies;
  if (asked < copies_.size()) {
    copy.event = copies_[asked].event;
    if (!(copy == copies_[asked]))
      fail(Failure::kCopies);
  } else {
    // Addresses outside of their buffers are refused now, while the work-item can still fail.
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t there = i * elementSize;
      bytes(toLocal ? 1 : 3, source + there * (toLocal ? stride : 1), elementSize, false);
      bytes(toLocal ? 3 : 1, destination + there * (toLocal ? 1 : stride), elementSize, true);
    }
    if (copy.event == 0)
      copy.event = nextEvent_++;
    copies_.push_back(copy);
  }
  ++asked;
  return copy.event;
}

} // namespace aiwc::engine
