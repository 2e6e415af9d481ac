#pragma once

#include "plugin/compat.h"
#include "plugin/engine/state.h"

#include <deque>
#include <memory>
#include <vector>

namespace aiwc::plugin::engine {

/// The buffers of Oclgrind's global memory that a launch may touch, and how they were before it.
class GlobalView {
public:
  static constexpr unsigned kOffsetBits = 48;

  GlobalView();

  /// Makes the buffer at `address` accessible; an address of no buffer is none of our business:
  /// whatever the kernel does with it will be refused.
  void add(const oclgrind::Memory &memory, uint64_t address);
  const BufferEntry *table() const { return table_.get(); }
  /// Saves the pages of [address, address + size), of which one at least has not been saved.
  void savePages(uint64_t address, uint64_t size);
  /// Puts every saved page back.
  void restore();
  /// The launch is over: no buffer is accessible.
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

  /// Two megabytes, of which the operating system provides what is touched.
  std::unique_ptr<BufferEntry, FreeMemory> table_;
  std::vector<uint64_t> used_;                    ///< numbers of accessible buffers
  std::vector<std::unique_ptr<uint8_t[]>> dirty_; ///< their maps
  std::vector<Page> pages_;
};

/// Private memory of one work-item: numbered as Oclgrind numbers it, freed numbers first.
class PrivateView {
public:
  static constexpr unsigned kOffsetBits = 32;

  /// Forgets every buffer but the `arguments`, which begin anew with these contents.
  void begin(const std::vector<std::vector<uint8_t>> &arguments);
  /// The address of `size` bytes, all 0.
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

  std::vector<BufferEntry> entries_; ///< the first is no buffer
  std::deque<uint32_t> free_;
  std::vector<Storage> storage_; ///< by buffer number; kept from one work-item to the next
};

} // namespace aiwc::plugin::engine
