#pragma once

#include "trace/chunk.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// The last write to each byte of memory.
///
/// Kept per 4-byte word as long as a 256-byte page has met whole words alone, per byte from then
/// on. As in AddressCounts, a direct-mapped cache finds the page without a hash look-up in the
/// common case. Memory: 4 bytes per byte of a page that was written to, 20 where words were split.
class LastWrites {
public:
  struct Write {
    uint64_t time = 0; ///< 0: never written
    uint32_t line = 0; ///< source line that wrote
  };

  LastWrites() : cache_(kCacheEntries) {}

  void write(const trace::Access &access, const Write &write) {
    forEachPiece(access, [&](uint64_t key, uint32_t begin, uint32_t end) {
      Page &page = *findOrMake(key);
      if (!page.bytes && (begin % kWord != 0 || end % kWord != 0))
        split(page);
      if (page.bytes)
        std::fill(page.bytes->begin() + begin, page.bytes->begin() + end, write);
      else
        std::fill(page.words.begin() + begin / kWord, page.words.begin() + end / kWord, write);
    });
  }

  /// Calls visit(write) for the writes whose values the access reads, once or more for each.
  template <typename Visit> void read(const trace::Access &access, Visit visit) {
    forEachPiece(access, [&](uint64_t key, uint32_t begin, uint32_t end) {
      const Page *page = find(key);
      if (!page)
        return;
      if (page->bytes)
        for (uint32_t byte = begin; byte < end; ++byte)
          visit((*page->bytes)[byte]);
      else
        for (uint32_t word = begin / kWord; word <= (end - 1) / kWord; ++word)
          visit(page->words[word]);
    });
  }

  void clear();

private:
  static constexpr unsigned kPageBits = 8;
  static constexpr uint32_t kPageSize = 1U << kPageBits;
  static constexpr uint32_t kWord = 4;
  static constexpr size_t kCacheEntries = 1024;

  struct Page {
    std::array<Write, kPageSize / kWord> words{};
    std::unique_ptr<std::array<Write, kPageSize>> bytes; ///< in place of `words`, once there
  };
  struct CacheEntry {
    uint64_t key = UINT64_MAX;
    Page *page = nullptr; ///< null: there is none
  };

  /// Calls piece(page key, first byte, one past the last) for each page that the access touches.
  template <typename Piece> static void forEachPiece(const trace::Access &access, Piece piece) {
    uint64_t address = access.address;
    for (uint64_t left = access.size; left > 0;) {
      const auto begin = static_cast<uint32_t>(address & (kPageSize - 1));
      const auto length = static_cast<uint32_t>(std::min<uint64_t>(left, kPageSize - begin));
      // Page numbers have at most 56 bits.
      piece(uint64_t{access.space} << 62 | address >> kPageBits, begin, begin + length);
      address += length;
      left -= length;
    }
  }
  CacheEntry &cached(uint64_t key) {
    return cache_[(key ^ key >> 12 ^ key >> 40) & (kCacheEntries - 1)];
  }
  Page *find(uint64_t key) {
    CacheEntry &entry = cached(key);
    if (entry.key != key) [[unlikely]]
      entry = {key, lookUp(key)};
    return entry.page;
  }
  Page *findOrMake(uint64_t key) {
    Page *page = find(key);
    if (!page) [[unlikely]]
      page = cached(key).page = make(key);
    return page;
  }
  Page *lookUp(uint64_t key) const;
  Page *make(uint64_t key);
  static void split(Page &page);

  std::vector<CacheEntry> cache_;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
};

} // namespace aiwc::metrics
