#pragma once

#include "plugin/compat.h"
#include "plugin/engine/state.h"

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

  /// Makes the buffer at `address` accessible; ignores an address that is in no buffer, because
  /// every access to such an address is refused.
  void add(const oclgrind::Memory &memory, uint64_t address);
  const BufferEntry *table() const { return table_.get(); }
  /// Saves the pages of [address, address + size) that have not been saved yet.
  void savePages(uint64_t address, uint64_t size);
  /// Restores every saved page.
  void restore();
  /// Call at the end of a launch: makes every buffer inaccessible.
  void clear();

private:
  static constexpr size_t kBuffers = size_t{1} << 16;

  struct Page {
    uint8_t *data;
    size_t size;
    std::unique_ptr<uint8_t[]> copy;
  };
  struct FreeMemory {
    void operator()(BufferEntry *table) const;
  };

  /// 2 MiB of addresses; the operating system provides a page of memory when it is first accessed.
  std::unique_ptr<BufferEntry, FreeMemory> table_;
  std::vector<uint64_t> used_;                    ///< numbers of accessible buffers
  std::vector<std::unique_ptr<uint8_t[]>> dirty_; ///< their maps of saved pages
  std::vector<Page> pages_;
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
