// Calls that Oclgrind's own functions do, on a work-item of a work-group that is never run. Nobody
// is told of what they do to memory: no work-item of Oclgrind's is the current one.
#include "plugin/engine/thread_runtime.h"

#include <cstring>

namespace aiwc::plugin::engine {
namespace {

/// Oclgrind keeps what its functions allocate for a work-item until the work-item is gone.
constexpr uint32_t kEvaluations = 1 << 16;

/// The longest that a function stores: sixteen elements of eight bytes.
constexpr size_t kMostStored = 128;

/// What `printf` may hold back, in bytes: arguments, and one entry per call.
constexpr size_t kMostOutput = size_t{64} << 20;

} // namespace

void ThreadRuntime::makeScratch() {
  scratchGroup_ = std::make_unique<oclgrind::WorkGroup>(
      &launch_.invocation, oclgrind::Size3(0, 0, 0), oclgrind::Size3(1, 1, 1));
  scratchItem_ = scratchGroup_->getWorkItem(oclgrind::Size3(0, 0, 0));
  staging_ = 0;
  evaluations_ = 0;
}

void ThreadRuntime::evaluate(const BuiltinSite &site, const uint8_t *arguments, uint8_t *result) {
  if (++evaluations_ > kEvaluations)
    makeScratch();
  site.evaluate(*scratchItem_, arguments, result);
}

/// Global memory is Oclgrind's own. The work-item's local memory has the addresses of ours, and in
/// its private memory there is room made for what is stored.
void ThreadRuntime::evaluateStore(const BuiltinSite &site, uint8_t *arguments, uint8_t *result,
                                  uint64_t address, uint8_t *native) {
  if (evaluations_ >= kEvaluations)
    makeScratch();
  if (site.space == oclgrind::AddrSpacePrivate) {
    if (staging_ == 0)
      staging_ = scratchItem_->getPrivateMemory()->allocateBuffer(kMostStored);
    // The function may add something to its pointer.
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

bool ThreadRuntime::holdsBackTooMuch() const {
  return printed_.size() * sizeof printed_[0] + printedArguments_.size() > kMostOutput;
}

void ThreadRuntime::print(const BuiltinSite &site, const uint8_t *arguments) {
  printed_.push_back(&site);
  printedArguments_.insert(printedArguments_.end(), arguments, arguments + site.argumentBytes);
}

void ThreadRuntime::writeOutput() {
  const uint8_t *arguments = printedArguments_.data();
  for (const BuiltinSite *site : printed_) {
    int64_t unused = 0;
    evaluate(*site, arguments, reinterpret_cast<uint8_t *>(&unused));
    arguments += site->argumentBytes;
  }
  printed_.clear();
  printedArguments_.clear();
}

/// One byte after the other, as Oclgrind reads a format.
void ThreadRuntime::readText(trace::Access access, uint64_t count) {
  access.size = 1;
  for (uint64_t i = 0; i < count; ++i, ++access.address)
    *state_.trace.access++ = access;
}

} // namespace aiwc::plugin::engine
