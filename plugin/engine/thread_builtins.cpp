// Calls of Oclgrind's own functions, on a work-item of a work-group that never runs. Oclgrind
// reports none of their memory accesses to plugins, because none of its work-items is the current
// one.
#include "plugin/engine/thread_runtime.h"

#include <cstring>

namespace aiwc::engine {
namespace {

/// Calls on one work-item before it is replaced. Oclgrind frees the memory that its functions
/// allocate for a work-item only when it destroys the work-item.
constexpr uint32_t kEvaluations = 1 << 16;

/// Most bytes that a function stores: sixteen elements of eight bytes.
constexpr size_t kMostStored = 128;

} // namespace

void ThreadRuntime::makeScratch() {
  scratchGroup_ = std::make_unique<oclgrind::WorkGroup>(
      &launch_.invocation, oclgrind::Size3(0, 0, 0), oclgrind::Size3(1, 1, 1));
  scratchItem_ = scratchGroup_->getWorkItem(oclgrind::Size3(0, 0, 0));
  staging_ = 0;
  evaluations_ = 0;
}

oclgrind::WorkItem &ThreadRuntime::scratchForCall() {
  requireOrder(); // its functions are not made for several threads
  if (++evaluations_ > kEvaluations)
    makeScratch();
  return *scratchItem_;
}

void ThreadRuntime::evaluate(const BuiltinSite &site, const uint8_t *arguments, uint8_t *result) {
  site.evaluate(scratchForCall(), arguments, result);
}

/// A function that stores to global memory writes to Oclgrind's own buffers. The local memory of
/// the scratch work-item has the same addresses as ours, and a buffer in its private memory
/// receives stores to private memory; both are copied to `native` afterwards.
void ThreadRuntime::evaluateStore(const BuiltinSite &site, uint8_t *arguments, uint8_t *result,
                                  uint64_t address, uint8_t *native) {
  requireOrder();
  if (evaluations_ >= kEvaluations)
    makeScratch();
  if (site.space == oclgrind::AddrSpacePrivate) {
    if (staging_ == 0)
      staging_ = scratchItem_->getPrivateMemory()->allocateBuffer(kMostStored);
    // The function may add an offset to its pointer.
    uint64_t pointer = 0;
    std::memcpy(&pointer, arguments + site.pointer, sizeof pointer);
    pointer += staging_ - address;
    std::memcpy(arguments + site.pointer, &pointer, sizeof pointer);
    address = staging_;
  }
  evaluate(site, arguments, result);
  const oclgrind::Memory *memory =
      site.space == oclgrind::AddrSpacePrivate ? scratchItem_->getPrivateMemory()
      : site.space == oclgrind::AddrSpaceLocal ? scratchGroup_->getLocalMemory()
                                               : nullptr;
  if (memory)
    std::memcpy(native, memory->getPointer(address), site.storedBytes);
}

} // namespace aiwc::engine
