#pragma once

#include "common/hash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// How the cell of a word is copied when its page is split into cells for single bytes.
enum class WordCell {
  kOfEveryByte, ///< to each byte of the word
  kOfFirstByte, ///< only to the word's first byte; the others get default cells
};

/// A sparse map from memory addresses to cells, with one cell for each word or byte.
///
/// Kernels mostly access 4-byte words that are close together. So cells are stored in pages for
/// `kBytesOfPage` bytes of memory, with one cell per word. A page is split, with one cell per byte
/// from then on, when a byte needs another cell than the rest of its word. Pages are found through
/// a hash table with open addressing: a look-up costs one multiplication and usually one table
/// entry, whether the page exists or not.
///
/// `owner` distinguishes memories that use the same addresses. Memory: 1/4 of a cell per byte of a
/// page, 1 1/4 if the page was split; at most 96 bytes per page for the table. `reset` keeps the
/// pages for reuse.
template <typename Cell, uint64_t kBytesOfPage, WordCell kWordCell> class PagedMemory {
public:
  static constexpr uint64_t kPageBytes = kBytesOfPage;
  static constexpr uint64_t kWordBytes = 4;

  using Bytes = std::array<Cell, kPageBytes>;
  struct Page {
    std::array<Cell, kPageBytes / kWordBytes> words{};
    Bytes *bytes = nullptr; ///< if not null, the page is split and this replaces `words`
    uint32_t owner = 0;
    uint64_t number = 0; ///< address / kPageBytes

  private:
    friend class PagedMemory;
    std::unique_ptr<Bytes> room; ///< memory for `bytes`, kept when the page is reused
  };

  PagedMemory() : entries_(kFirstEntries) {}

  static uint64_t pageOf(uint64_t address) { return address / kPageBytes; }
  /// Offset of `address` in its page.
  static uint64_t offsetOf(uint64_t address) { return address % kPageBytes; }

  /// Returns null if the page does not exist.
  Page *find(uint32_t owner, uint64_t number) const {
    return look(owner, number, [] { return static_cast<Page *>(nullptr); });
  }

  /// Returns the page; a new page has default cells.
  Page &findOrAdd(uint32_t owner, uint64_t number) {
    return *look(owner, number, [&] { return &add(owner, number); });
  }

  /// Splits the page, if it is not split yet, and returns the cells of its bytes.
  static Bytes &split(Page &page) {
    if (!page.bytes) [[unlikely]]
      makeBytes(page);
    return *page.bytes;
  }

  /// Sets the cells of `size` bytes. Splits pages in which the bytes are not whole words; returns
  /// whether it split a page.
  bool fill(uint32_t owner, uint64_t address, uint64_t size, const Cell &cell) {
    bool splits = false;
    forEachPiece(address, size, [&](uint64_t number, uint64_t begin, uint64_t end) {
      Page &page = findOrAdd(owner, number);
      if (!page.bytes && (begin | end) % kWordBytes == 0) [[likely]] {
        std::fill(page.words.data() + begin / kWordBytes, page.words.data() + end / kWordBytes,
                  cell);
        return;
      }
      splits |= !page.bytes;
      Bytes &bytes = split(page);
      std::fill(bytes.data() + begin, bytes.data() + end, cell);
    });
    return splits;
  }

  /// Calls visit(cell) for the cell of each byte; in pages that are not split, for the cell of each
  /// word that contains one of the bytes.
  template <typename Visit>
  void forEach(uint32_t owner, uint64_t address, uint64_t size, Visit visit) const {
    forEachPiece(address, size, [&](uint64_t number, uint64_t begin, uint64_t end) {
      const Page *page = find(owner, number);
      if (!page)
        return;
      if (page->bytes)
        std::for_each(page->bytes->data() + begin, page->bytes->data() + end, visit);
      else
        std::for_each(page->words.data() + begin / kWordBytes,
                      page->words.data() + (end - 1) / kWordBytes + 1, visit);
    });
  }

  /// Forgets everything, in constant time.
  void reset() {
    used_ = 0;
    if (++epoch_ == 0) { // overflow: old entries must not look like entries of the new epoch
      std::fill(entries_.begin(), entries_.end(), Entry{});
      epoch_ = 1;
    }
  }

  /// Moves the pages of `other` here and leaves it empty. For each cell of a page that both have,
  /// calls combine(owner, address, mine, theirs), which must merge `theirs` into `mine`.
  template <typename Combine> void merge(PagedMemory &&other, Combine combine) {
    for (size_t i = 0; i < other.used_; ++i) {
      std::unique_ptr<Page> &theirs = other.pages_[i];
      if (Page *const mine = find(theirs->owner, theirs->number))
        merge(*mine, *theirs, combine);
      else
        takeOver(std::move(theirs));
    }
    other = PagedMemory();
  }

  /// All pages in increasing order of (owner, number).
  std::vector<const Page *> sortedPages() const {
    std::vector<Entry> sorted; // not of pages, which are far apart in memory
    sorted.reserve(used_);
    std::ranges::copy_if(entries_, std::back_inserter(sorted), [&](const Entry &entry) {
      return static_cast<uint32_t>(entry.user) == epoch_;
    });
    std::ranges::sort(sorted, {},
                      [](const Entry &entry) { return std::pair(entry.user, entry.number); });
    std::vector<const Page *> pages(sorted.size());
    std::ranges::transform(sorted, pages.begin(), &Entry::page);
    return pages;
  }

private:
  static_assert(std::has_single_bit(kPageBytes) && kPageBytes >= kWordBytes);
  static constexpr size_t kFirstEntries = 256;

  struct Entry {
    uint64_t number = 0; ///< of the page
    uint64_t user = 0;   ///< its owner and the epoch; entries of other epochs are free
    Page *page = nullptr;
  };

  uint64_t userOf(uint32_t owner) const { return uint64_t{owner} << 32 | epoch_; }

  /// A multiplicative hash. The upper bits of the product depend on all bits of the page's number,
  /// including its upper bits, which hold the number of the buffer.
  size_t slotOf(uint64_t user, uint64_t number) const {
    return fibonacciHash(number ^ user) >> shift_;
  }

  /// Returns the page, or the result of `missing` if the page does not exist.
  template <typename Missing> Page *look(uint32_t owner, uint64_t number, Missing missing) const {
    const uint64_t user = userOf(owner);
    for (size_t slot = slotOf(user, number);; slot = (slot + 1) & (entries_.size() - 1)) {
      const Entry &entry = entries_[slot];
      if (entry.number == number && entry.user == user) [[likely]]
        return entry.page;
      if (static_cast<uint32_t>(entry.user) != epoch_)
        return missing();
    }
  }

  /// Calls piece(page number, first offset, one past the last offset) for each page that contains
  /// some of the bytes.
  template <typename Piece> static void forEachPiece(uint64_t address, uint64_t size, Piece piece) {
    while (size > 0) {
      const uint64_t begin = offsetOf(address);
      const uint64_t length = std::min(size, kPageBytes - begin);
      piece(pageOf(address), begin, begin + length);
      address += length;
      size -= length;
    }
  }

  Page &add(uint32_t owner, uint64_t number) {
    if (used_ == pages_.size()) {
      pages_.push_back(std::make_unique<Page>());
    } else {
      pages_[used_]->words.fill(Cell{});
      pages_[used_]->bytes = nullptr;
    }
    Page &page = *pages_[used_];
    page.owner = owner;
    page.number = number;
    use(page);
    return page;
  }

  void takeOver(std::unique_ptr<Page> page) {
    Page &mine = *page;
    pages_.push_back(std::move(page));
    std::swap(pages_[used_], pages_.back());
    use(mine);
  }

  /// Adds `page`, the first of the unused pages, to the table.
  void use(Page &page) {
    ++used_;
    if (2 * used_ > entries_.size())
      grow();
    insert(page);
  }

  void insert(Page &page) {
    const uint64_t user = userOf(page.owner);
    size_t slot = slotOf(user, page.number);
    while (static_cast<uint32_t>(entries_[slot].user) == epoch_)
      slot = (slot + 1) & (entries_.size() - 1);
    entries_[slot] = {page.number, user, &page};
  }

  void grow() {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    --shift_;
    for (const Entry &entry : old)
      if (static_cast<uint32_t>(entry.user) == epoch_)
        insert(*entry.page);
  }

  static void makeBytes(Page &page) {
    if (!page.room)
      page.room = std::make_unique<Bytes>();
    page.bytes = page.room.get();
    for (uint64_t byte = 0; byte < kPageBytes; ++byte)
      (*page.bytes)[byte] = kWordCell == WordCell::kOfEveryByte || byte % kWordBytes == 0
                                ? page.words[byte / kWordBytes]
                                : Cell{};
  }

  template <typename Combine> static void merge(Page &mine, Page &theirs, Combine combine) {
    const uint64_t begin = mine.number * kPageBytes;
    if (!mine.bytes && !theirs.bytes) {
      for (uint64_t word = 0; word < mine.words.size(); ++word)
        combine(mine.owner, begin + kWordBytes * word, mine.words[word], theirs.words[word]);
      return;
    }
    Bytes &to = split(mine);
    const Bytes &from = split(theirs);
    for (uint64_t byte = 0; byte < kPageBytes; ++byte)
      combine(mine.owner, begin + byte, to[byte], from[byte]);
  }

  std::vector<Entry> entries_; ///< size is a power of two; at least half are free
  unsigned shift_ = 64 - std::countr_zero(kFirstEntries); ///< reduces a hash to a slot number
  uint32_t epoch_ = 1;                                    ///< counts resets
  std::vector<std::unique_ptr<Page>> pages_;              ///< the first `used_` are in the table
  size_t used_ = 0;
};

} // namespace aiwc::metrics
