#pragma once

#include "engine_passes/state.h"
#include "plugin/engine/memory_rules.h"
#include "simulator/compat.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <vector>

namespace aiwc::engine {

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};
/// An array of zeros. The operating system provides memory only for what is touched.
template <typename Element> using Zeros = std::unique_ptr<Element, FreeMemory>;
template <typename Element> Zeros<Element> zeros(size_t count) {
  Zeros<Element> made(static_cast<Element *>(std::calloc(count, sizeof(Element))));
  if (!made)
    throw std::bad_alloc();
  return made;
}

/// Consecutive granules of a buffer that were saved together.
struct SavedGranules {
  uint8_t *data;
  const uint8_t *copy;
  size_t size;

  void restore() const { std::memcpy(data, copy, size); }
};

/// Memory for copies of granules, in blocks.
class GranuleCopies {
public:
  /// Most bytes that are copied at once.
  static constexpr size_t kMost = 4096;

  SavedGranules copy(std::span<uint8_t> granules);
  /// Forgets all copies; keeps some of the memory.
  void clear();

private:
  std::vector<std::unique_ptr<uint8_t[]>> blocks_;
  size_t block_ = 0, used_ = 0; ///< where there is room for the next copy
};

/// The buffers of Oclgrind's global memory that a launch may access, and saved copies of the
/// granules that it changes.
class GlobalView {
public:
  static constexpr unsigned kOffsetBits = kGlobalOffsetBits;
  static constexpr uint64_t kOffsetMask = (uint64_t{1} << kOffsetBits) - 1;
  static constexpr size_t kBuffers = size_t{1} << 16;

  enum GranuleState : uint8_t { kUnsaved, kSaved, kSavedInRound };

  struct Buffer {
    uint64_t number;
    uint64_t size; ///< in bytes
    cl_mem_flags flags;
    Zeros<uint8_t> dirty; ///< a GranuleState per granule
    Zeros<uint8_t> read;  ///< BufferEntry::read
  };

  GlobalView();

  /// Begins a launch during which these regions are mapped. Call it before `add`.
  void begin(std::vector<MappedRegion> mapped) { mapped_ = std::move(mapped); }
  /// Makes the buffer at `address` accessible; ignores an address that is in no buffer, because
  /// every access to such an address is refused.
  void add(const oclgrind::Memory &memory, uint64_t address);
  /// Makes every buffer accessible.
  void addAll(const oclgrind::Memory &memory);
  /// Allows only accesses about which Oclgrind reports nothing.
  const BufferEntry *table() const { return table_.get(); }
  /// The native address of `address`; null if a byte of [address, address + size) is in no
  /// accessible buffer.
  uint8_t *find(uint64_t address, uint64_t size) const;
  /// Calls `report` for each error that Oclgrind reports about this access, in Oclgrind's order.
  /// The access is inside of an accessible buffer.
  template <typename Report>
  void check(uint64_t address, uint64_t size, bool write, Report report) const {
    const cl_mem_flags flags = bufferOf(address)->flags;
    if (write && flags & CL_MEM_READ_ONLY)
      report(Violation::kWriteToReadOnly);
    if (!write && flags & CL_MEM_WRITE_ONLY)
      report(Violation::kReadOfWriteOnly);
    for (const MappedRegion &region : mapped_)
      if ((write || region.forWriting) && region.touches(address, size))
        report(write ? Violation::kWriteToMapped : Violation::kReadOfMapped);
  }
  /// Saves the granules of [address, address + size) that have not been saved yet.
  void saveGranules(uint64_t address, uint64_t size);
  /// Notes that the granules have been read, so that code does not call again for them.
  void readGranules(uint64_t address, uint64_t size);
  /// Restores every saved granule.
  void restore();
  /// Call at the end of a launch: makes every buffer inaccessible.
  void clear();

  // For threads that run work-groups at once (ThreadViews).
  const std::vector<Buffer> &buffers() const { return buffers_; }
  /// The index in `buffers` of an accessible buffer.
  size_t indexOf(uint64_t address) const {
    return static_cast<size_t>(bufferOf(address) - buffers_.data());
  }
  static size_t granulesOf(uint64_t bytes) { return (bytes >> kGranuleBits) + 1; }
  /// The bytes of granules [begin, end) of a buffer.
  std::span<uint8_t> granules(size_t buffer, uint64_t begin, uint64_t end) const;
  /// Begins a round: granules that are saved become kSavedInRound. Until `endRound`, one thread at
  /// a time may call `saveGranules`, for granules that no other thread writes to; any thread may
  /// call `stateOf`.
  void beginRound();
  GranuleState stateOf(size_t buffer, uint64_t granule) const {
    return static_cast<GranuleState>(
        std::atomic_ref(buffers_[buffer].dirty.get()[granule]).load(std::memory_order_acquire));
  }
  /// Ends a round: granules that are kSavedInRound become kSaved, and are restored if `rollBack`.
  void endRound(bool rollBack);

private:
  /// The accessible buffer with the number of `address`; null if there is none.
  const Buffer *bufferOf(uint64_t address) const;
  uint64_t quietBytes(const Buffer &buffer, bool write) const;

  Zeros<BufferEntry> table_;
  std::vector<Buffer> buffers_; ///< those that are accessible
  std::vector<MappedRegion> mapped_;
  std::vector<SavedGranules> saved_;
  GranuleCopies copies_;
  GranuleState saves_ = kSaved;                 ///< the state that granules get
  size_t roundBegin_ = 0;                       ///< in `saved_`
  std::vector<std::span<uint8_t>> roundStates_; ///< of the granules that were saved since
};

/// Private memory of one work-item. Buffers have the same numbers as in Oclgrind, which reuses
/// freed numbers first.
class PrivateView {
public:
  static constexpr unsigned kOffsetBits = 32;

  /// Removes every buffer and creates the buffers of the `arguments`, with these contents.
  void begin(const std::vector<std::vector<uint8_t>> &arguments);
  /// Allocates `size` bytes, all 0, and returns their address.
  uint64_t allocate(uint64_t size);
  void release(uint64_t address);
  void expose(State &state) const {
    state.privateMemory = entries_.data();
    state.privateCount = entries_.size();
  }

private:
  struct Storage {
    std::unique_ptr<uint8_t[]> data;
    uint64_t size = 0;
  };

  std::vector<BufferEntry> entries_; ///< index 0 is no buffer
  std::deque<uint32_t> free_;
  std::vector<Storage> storage_; ///< by buffer number; kept from one work-item to the next
};

} // namespace aiwc::engine
