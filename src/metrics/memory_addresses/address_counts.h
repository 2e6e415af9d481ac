#pragma once

#include "metrics/shared/paged_memory.h"
#include "trace/chunk.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>

namespace aiwc::metrics {

/// Counts the reads and writes of each address, and stores the size of its largest access.
///
/// Memory: 3 bytes per byte of each 256-byte page that was accessed, 15 if an access in the page
/// was not 4-byte aligned (PagedMemory).
class AddressCounts {
public:
  /// The counts of one address. `extent` is the size of its largest access in bytes.
  struct Counts {
    uint64_t reads = 0;
    uint64_t writes = 0;
    uint32_t extent = 0;
  };

private:
  struct Slot {
    uint32_t reads = 0;
    uint32_t writes = 0;
    uint32_t extent = 0;
  };
  using Memory = PagedMemory<Slot, 256, WordCell::kOfFirstByte>;

public:
  /// Counts `access` as if made `times` times; `times` must be less than 2^31.
  void add(const trace::Access &access, uint32_t times = 1) {
    add(memory_.findOrAdd(access.space, Memory::pageOf(access.address)), access, times);
  }

  /// The page of the previous access, for a sequence of accesses to one address space.
  struct Hint {
    uint64_t pageNumber = UINT64_MAX; ///< not the number of any page
    Memory::Page *page = nullptr;
  };
  /// Like the other `add`, but avoids the look-up if the access is in the page of `last`.
  void add(const trace::Access &access, uint32_t times, Hint &last) {
    const uint64_t pageNumber = Memory::pageOf(access.address);
    if (last.pageNumber != pageNumber)
      last = {pageNumber, &memory_.findOrAdd(access.space, pageNumber)};
    add(*last.page, access, times);
  }

  /// Adds the counts of `other` and leaves it empty.
  void merge(AddressCounts &&other);

  /// Calls visit(space, address, counts, alone) for every address that was accessed, in increasing
  /// order of (space, address). `alone` means that every accessed address of the page is 4-byte
  /// aligned.
  template <typename Visit> void forEach(Visit visit) const;

private:
  static constexpr uint32_t kSlotMax = UINT32_MAX;

  void add(Memory::Page &page, const trace::Access &access, uint32_t times) {
    Slot &slot = slotOf(page, access.address);
    uint32_t &count = access.write ? slot.writes : slot.reads;
    if (count > kSlotMax - times) [[unlikely]]
      spill(access.space, access.address, slot);
    count += times;
    if (access.size > slot.extent)
      slot.extent = access.size;
  }
  static Slot &slotOf(Memory::Page &page, uint64_t address) {
    const uint64_t offset = Memory::offsetOf(address);
    if (offset % Memory::kWordBytes == 0 && !page.bytes) [[likely]]
      return page.words[offset / Memory::kWordBytes];
    return Memory::split(page)[offset];
  }
  /// Moves a slot's full counters into `overflow_`.
  void spill(uint32_t space, uint64_t address, Slot &slot);
  void add(Slot &slot, uint32_t space, uint64_t address, const Slot &more);
  Counts countsOf(uint32_t space, uint64_t address, const Slot &slot) const;

  Memory memory_; ///< owners are address spaces
  /// Counts that exceed 32 bits, per (address space, address).
  std::map<std::pair<uint32_t, uint64_t>, Counts> overflow_;
};

template <typename Visit> void AddressCounts::forEach(Visit visit) const {
  for (const Memory::Page *page : memory_.sortedPages()) {
    const auto space = static_cast<trace::AddressSpace>(page->owner);
    const bool alone = !page->bytes;
    const auto slots =
        alone ? std::span<const Slot>(page->words) : std::span<const Slot>(*page->bytes);
    uint64_t address = page->number * Memory::kPageBytes;
    for (const Slot &slot : slots) {
      if (slot.reads || slot.writes)
        visit(space, address, countsOf(page->owner, address, slot), alone);
      address += alone ? Memory::kWordBytes : 1;
    }
  }
}

} // namespace aiwc::metrics
