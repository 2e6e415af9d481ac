#pragma once

#include "plugin/engine/memory_rules.h"
#include "plugin/engine/state.h"
#include "plugin/program/compat.h"

#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

namespace aiwc::plugin::engine {

/// The buffers of Oclgrind's global memory that a launch may access, and saved copies of the pages
/// that it changes.
class GlobalView {
public:
  static constexpr unsigned kOffsetBits = 48;

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
  /// Saves the pages of [address, address + size) that have not been saved yet.
  void savePages(uint64_t address, uint64_t size);
  /// Restores every saved page.
  void restore();
  /// Call at the end of a launch: makes every buffer inaccessible.
  void clear();

private:
  static constexpr size_t kBuffers = size_t{1} << 16;

  /// Consecutive pages of a buffer that were saved together.
  struct Saved {
    uint8_t *data;
    const uint8_t *copy;
    size_t size;
  };
  struct FreeMemory {
    void operator()(void *memory) const { std::free(memory); }
  };
  struct Buffer {
    uint64_t number;
    uint64_t size; ///< in bytes
    cl_mem_flags flags;
    std::unique_ptr<uint8_t, FreeMemory> dirty; ///< per page, whether it has been saved
  };

  /// Memory for the next copy, of so many bytes.
  uint8_t *nextCopy(size_t size);
  /// The accessible buffer with the number of `address`; null if there is none.
  const Buffer *bufferOf(uint64_t address) const;
  uint64_t quietBytes(const Buffer &buffer, bool write) const;

  /// 2 MiB of addresses; the operating system provides a page of memory when it is first accessed.
  std::unique_ptr<BufferEntry, FreeMemory> table_;
  std::vector<Buffer> buffers_; ///< those that are accessible
  std::vector<MappedRegion> mapped_;
  std::vector<Saved> saved_;
  /// Memory for copies, in blocks; some are kept for the next launch.
  std::vector<std::unique_ptr<uint8_t[]>> copies_;
  size_t block_ = 0, usedOfBlock_ = 0; ///< in `copies_`: where there is room for the next copy
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

} // namespace aiwc::plugin::engine
