#include "plugin/engine/stacks.h"

#include <sys/mman.h>

#include <algorithm>

namespace aiwc::engine {

namespace {

constexpr size_t kPageBytes = 4096;

/// The functions that compiled code calls need at most this much. When the buffer of the trace is
/// full, the analyses are among them.
constexpr size_t kRuntimeBytes = size_t{256} << 10;

// The top is shifted per stack: if all tops had the same offset in a page, they would compete for
// few sets of the processor's cache.
constexpr size_t kColours = 31;
constexpr size_t kColourBytes = size_t{5} * 64;

/// Memory of stacks that is kept from one launch to the next: that of a group of 1024 work-items
/// with small frames.
constexpr size_t kMostKeptBytes = size_t{32} << 20;

/// Bytes that a stack with such frames is likely to have accessed.
size_t likelyBytes(size_t frameBytes) {
  return frameBytes + kColours * kColourBytes + 2 * kPageBytes;
}

} // namespace

bool Stacks::fit(size_t count, size_t frameBytes) {
  return count <= kMostStacks && frameBytes <= kMostFrameBytes / count;
}

bool Stacks::provide(size_t count, size_t frameBytes) {
  if (memory_ && count <= count_ && frameBytes <= frameBytes_)
    return true;
  if (!fit(count, frameBytes)) {
    release();
    return false;
  }
  // Launches with many small frames and with few large ones may take turns.
  const size_t most = std::max(count, count_), largest = std::max(frameBytes, frameBytes_);
  if (fit(most, largest) && most * likelyBytes(largest) <= kMostKeptBytes) {
    count = most;
    frameBytes = largest;
  }
  release();
  const size_t wanted = frameBytes + kRuntimeBytes + kColours * kColourBytes;
  const size_t stride = (wanted + kPageBytes - 1) / kPageBytes * kPageBytes + kPageBytes;
  void *memory = ::mmap(nullptr, count * stride, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  memory_ = static_cast<uint8_t *>(memory);
  count_ = count;
  frameBytes_ = frameBytes;
  stride_ = stride;
  ++generation_;
  for (size_t i = 0; i < count; ++i)
    if (::mprotect(memory_ + i * stride, kPageBytes, PROT_NONE) != 0) {
      release();
      return false;
    }
  return true;
}

Stack Stacks::at(size_t index) const {
  return {memory_ + index * stride_ + kPageBytes, stride_ - kPageBytes};
}

uint8_t *Stacks::top(size_t index) const {
  return memory_ + (index + 1) * stride_ - index % kColours * kColourBytes;
}

void Stacks::releaseIfLarge() {
  if (count_ * likelyBytes(frameBytes_) > kMostKeptBytes)
    release();
}

void Stacks::release() {
  if (memory_)
    ::munmap(memory_, count_ * stride_);
  memory_ = nullptr;
  count_ = frameBytes_ = stride_ = 0;
}

} // namespace aiwc::engine
