#pragma once

#include "trace/chunk.h"

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// How often each address was read and written, and how many bytes from it on were touched.
///
/// Addresses of a kernel lie close together and mostly on 4-byte boundaries, so counters stand in
/// pages of 256 bytes of address space, one counter per 4-byte word; a page that meets an address
/// between words gets counters for those as well. A small direct-mapped cache finds the page of an
/// access without a hash look-up in the common case. Memory: at most 12 bytes per byte of a
/// 256-byte page that was touched at all (48 where addresses lie between words).
class AddressCounts {
public:
  /// What is known of one address. `extent`: the size of its largest access, in bytes.
  struct Counts {
    uint64_t reads = 0;
    uint64_t writes = 0;
    uint32_t extent = 0;
  };

  AddressCounts();

  /// `times`: how often it was made, less than 2^31.
  void add(const trace::Access &access, uint32_t times = 1) {
    add(page(access.space, access.address >> kPageBits), access, times);
  }

private:
  struct Page;

public:
  /// Where the last of some accesses to one address space was.
  struct Hint {
    uint64_t pageNumber = 0;
    Page *page = nullptr;
  };
  /// As the other.
  void add(const trace::Access &access, uint32_t times, Hint &last) {
    const uint64_t pageNumber = access.address >> kPageBits;
    if (!last.page || last.pageNumber != pageNumber)
      last = {pageNumber, &page(access.space, pageNumber)};
    add(*last.page, access, times);
  }

  /// Takes over what `other` has counted.
  void merge(AddressCounts &&other);

  /// Calls visit(space, address, counts, alone) for every address that was accessed, in increasing
  /// order of (space, address). `alone`: it is on a 4-byte boundary, and no address of its page is
  /// not.
  template <typename Visit> void forEach(Visit visit) const;

private:
  static constexpr unsigned kPageBits = 8;
  static constexpr unsigned kSpaceShift = 62; ///< of keys
  static constexpr uint64_t kPageSize = uint64_t{1} << kPageBits;
  static constexpr uint32_t kSlotMax = UINT32_MAX;
  static constexpr unsigned kCacheBits = 12;

  struct Slot {
    uint32_t reads = 0;
    uint32_t writes = 0;
    uint32_t extent = 0;
  };
  struct Page {
    std::array<Slot, kPageSize / 4> words{};
    std::unique_ptr<std::array<Slot, kPageSize>> between; ///< by offset; words' own unused
  };
  struct CacheEntry {
    uint64_t key = UINT64_MAX;
    Page *page = nullptr;
  };

  /// Page numbers have at most 56 bits, so the address space fits above them; keys sort as
  /// (space, address) does.
  static uint64_t keyOf(uint32_t space, uint64_t pageNumber) {
    return uint64_t{space} << kSpaceShift | pageNumber;
  }
  static uint32_t spaceOf(uint64_t key) { return static_cast<uint32_t>(key >> kSpaceShift); }
  /// Where the page begins.
  static uint64_t addressOf(uint64_t key) {
    return (key & ((uint64_t{1} << kSpaceShift) - 1)) << kPageBits;
  }
  Page &page(uint32_t space, uint64_t pageNumber) {
    const uint64_t key = keyOf(space, pageNumber);
    // Buffers begin alike, so that their numbers and spaces must not cancel out.
    CacheEntry &entry = cache_[(key * 0x9E3779B97F4A7C15U) >> (64 - kCacheBits)];
    if (entry.key != key) [[unlikely]]
      entry = {key, &findPage(key)};
    return *entry.page;
  }
  Page &findPage(uint64_t key);
  void add(Page &page, const trace::Access &access, uint32_t times) {
    Slot &slot = slotOf(page, access.address);
    uint32_t &count = access.write ? slot.writes : slot.reads;
    if (count > kSlotMax - times) [[unlikely]]
      spill(access.space, access.address, slot);
    count += times;
    if (access.size > slot.extent)
      slot.extent = access.size;
  }
  static Slot &slotOf(Page &page, uint64_t address) {
    const uint64_t offset = address & (kPageSize - 1);
    if (offset % 4 == 0) [[likely]]
      return page.words[offset / 4];
    if (!page.between)
      page.between = std::make_unique<std::array<Slot, kPageSize>>();
    return (*page.between)[offset];
  }
  /// Moves a slot's full counters into `overflow_`.
  void spill(uint32_t space, uint64_t address, Slot &slot);
  void add(Slot &slot, uint32_t space, uint64_t address, const Slot &more);
  std::vector<std::pair<uint64_t, const Page *>> sortedPages() const;
  Counts countsOf(uint64_t pageKey, uint64_t offset, const Slot &slot) const;

  std::vector<CacheEntry> cache_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  /// What 32 bits did not hold, per (page key, offset).
  std::unordered_map<uint64_t, std::unordered_map<uint64_t, Counts>> overflow_;
};

template <typename Visit> void AddressCounts::forEach(Visit visit) const {
  for (const auto &[key, page] : sortedPages()) {
    const auto space = static_cast<trace::AddressSpace>(spaceOf(key));
    const uint64_t base = addressOf(key);
    const bool alone = !page->between;
    for (uint64_t offset = 0; offset < kPageSize; offset += alone ? 4 : 1) {
      const Slot &slot = offset % 4 == 0 ? page->words[offset / 4] : (*page->between)[offset];
      if (slot.reads || slot.writes)
        visit(space, base + offset, countsOf(key, offset, slot), alone);
    }
  }
}

} // namespace aiwc::metrics
