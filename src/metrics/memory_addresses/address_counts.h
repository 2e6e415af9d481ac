#pragma once

#include "metrics/shared/paged_memory.h"
#include "trace/chunk.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

namespace aiwc::metrics {

/// Counts the reads and writes of each address, and stores the size of its largest access.
///
/// Memory: 1 byte per byte of each 256-byte page that was accessed, 5 if an access in the page was
/// not 4-byte aligned (PagedMemory), and 80 bytes per address with more than 4095 reads or writes,
/// or an access of 255 bytes or more.
class AddressCounts {
public:
  /// The counts of one address. `extent` is the size of its largest access in bytes.
  struct Counts {
    uint64_t reads = 0;
    uint64_t writes = 0;
    uint32_t extent = 0;
  };

private:
  /// What does not fit is in `overflow_`. `reads` or `writes` is not 0 if there was an access.
  struct Slot {
    uint32_t reads : 12 = 0;
    uint32_t writes : 12 = 0;
    uint32_t extent : 8 = 0; ///< kMostExtent: this or more

    Counts counts() const { return {reads, writes, extent}; }
    bool operator==(const Slot &) const = default;
  };
  using Memory = PagedMemory<Slot, 256, WordCell::kOfFirstByte>;

public:
  /// The page of the previous access, for a sequence of accesses to one address space.
  struct Hint {
    uint64_t pageNumber = 0;
    Memory::Page *page = nullptr; ///< null: there is no previous access
  };
  /// Counts `times` accesses: `access`, and others `stride` bytes (modulo 2^64) apart. `times` must
  /// be from 1 to 2^31.
  void add(trace::Access access, uint64_t stride, uint32_t times, Hint &last) {
    for (;;) {
      const uint64_t pageNumber = Memory::pageOf(access.address);
      if (!last.page || last.pageNumber != pageNumber)
        last = {pageNumber, &memory_.findOrAdd(access.space, pageNumber)};
      if (stride == 0)
        return add(*last.page, access, times);
      do {
        add(*last.page, access, 1);
        if (--times == 0)
          return;
        access.address += stride;
      } while (Memory::pageOf(access.address) == pageNumber);
    }
  }

  /// Adds the counts of `other` and leaves it empty.
  void merge(AddressCounts &&other);

  /// Calls visit(space, address, counts, alone) for every address that was accessed, in increasing
  /// order of (space, address). `alone` means that every accessed address of the page is 4-byte
  /// aligned. Instead, calls visitPage(space, address of the page, counts) for a page that consists
  /// of accessed elements of 4, 8, 16, ... bytes, which is their extent, all with these counts.
  template <typename Visit, typename VisitPage>
  void forEach(Visit visit, VisitPage visitPage) const;
  static constexpr uint64_t kPageBytes = Memory::kPageBytes;

private:
  static constexpr uint32_t kMostCount = (1 << 12) - 1;
  static constexpr uint32_t kMostExtent = (1 << 8) - 1;

  void add(Memory::Page &page, const trace::Access &access, uint32_t times) {
    Slot &slot = slotOf(page, access.address);
    const uint32_t count = access.write ? slot.writes : slot.reads;
    if (times > kMostCount - count || access.size >= kMostExtent) [[unlikely]]
      return addBeyond(slot, access.space, access.address,
                       {access.write ? 0 : times, access.write ? times : 0, access.size});
    if (access.write)
      slot.writes = count + times;
    else
      slot.reads = count + times;
    if (access.size > slot.extent)
      slot.extent = access.size;
  }
  static Slot &slotOf(Memory::Page &page, uint64_t address) {
    const uint64_t offset = Memory::offsetOf(address);
    if (offset % Memory::kWordBytes == 0 && !page.bytes) [[likely]]
      return page.words[offset / Memory::kWordBytes];
    return Memory::split(page)[offset];
  }
  /// Adds `more`, and leaves at most one access of each kind in the slot.
  void addBeyond(Slot &slot, uint32_t space, uint64_t address, Counts more);
  /// Whether `overflow_` has an address of the page.
  bool isBeyond(const Memory::Page &page) const;
  /// Whether `visitPage` is for these slots of words.
  static bool areAlike(std::span<const Slot> words);
  Counts countsOf(uint32_t space, uint64_t address, const Slot &slot) const;

  Memory memory_; ///< owners are address spaces
  /// What the slots lack, per (address space, address).
  std::map<std::pair<uint32_t, uint64_t>, Counts> overflow_;
};

template <typename Visit, typename VisitPage>
void AddressCounts::forEach(Visit visit, VisitPage visitPage) const {
  for (const Memory::Page *page : memory_.sortedPages()) {
    const auto space = static_cast<trace::AddressSpace>(page->owner);
    const bool alone = !page->bytes, beyond = isBeyond(*page);
    const auto slots =
        alone ? std::span<const Slot>(page->words) : std::span<const Slot>(*page->bytes);
    uint64_t address = page->number * Memory::kPageBytes;
    if (alone && !beyond && areAlike(slots)) {
      visitPage(space, address, slots[0].counts());
      continue;
    }
    for (const Slot &slot : slots) {
      if (slot.reads || slot.writes)
        visit(space, address, beyond ? countsOf(page->owner, address, slot) : slot.counts(), alone);
      address += alone ? Memory::kWordBytes : 1;
    }
  }
}

} // namespace aiwc::metrics
