#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// What the cell of a word says once its page has cells for single bytes.
enum class WordCell {
  kOfEveryByte, ///< the same about each byte of the word
  kOfFirstByte, ///< something about the word's own address alone
};

/// One cell for each word or byte of memory about which something has been noted.
///
/// Kernels access memory in 4-byte words, and close together. So cells stand in pages of
/// `kBytesOfPage` bytes of memory, one cell per word; a page in which a single byte has to be told
/// from the rest of its word is split: it gets one cell per byte. A page is found in a table with
/// open addressing: one multiplication and, mostly, one entry, whether it is there or not.
///
/// `owner` tells memories apart that use the same addresses. Memory: a quarter of a cell per byte
/// of a page, one and a quarter where the page was split; at most 96 bytes per page for the table.
/// `reset` keeps the pages for what is noted next.
template <typename Cell, uint64_t kBytesOfPage, WordCell kWordCell> class PagedMemory {
public:
  static constexpr uint64_t kPageBytes = kBytesOfPage;
  static constexpr uint64_t kWordBytes = 4;

  using Bytes = std::array<Cell, kPageBytes>;
  struct Page {
    std::array<Cell, kPageBytes / kWordBytes> words{};
    Bytes *bytes = nullptr; ///< in place of `words` where it is not null: the page was split
    uint32_t owner = 0;
    uint64_t number = 0; ///< address / kPageBytes

  private:
    friend class PagedMemory;
    std::unique_ptr<Bytes> room; ///< for `bytes`, kept when the page is used again
  };

  PagedMemory() : entries_(kFirstEntries) {}

  static uint64_t pageOf(uint64_t address) { return address / kPageBytes; }
  /// Where `address` is in its page.
  static uint64_t offsetOf(uint64_t address) { return address % kPageBytes; }

  /// Null where nothing has been noted.
  Page *find(uint32_t owner, uint64_t number) const {
    return look(owner, number, [] { return static_cast<Page *>(nullptr); });
  }

  /// A page that was not there has default cells.
  Page &findOrAdd(uint32_t owner, uint64_t number) {
    return *look(owner, number, [&] { return &add(owner, number); });
  }

  /// The cells of the page's bytes, which it has from here on.
  static Bytes &split(Page &page) {
    if (!page.bytes) [[unlikely]]
      makeBytes(page);
    return *page.bytes;
  }

  /// Sets the cells of `size` bytes. Splits the pages in which these are not whole words; returns
  /// whether it has split one.
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

  /// Calls visit(cell) for the cell of each byte, or of each word that one of the bytes is in.
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
    if (++epoch_ == 0) { // after 2^32 times: no entry may look like one of the new epoch
      std::fill(entries_.begin(), entries_.end(), Entry{});
      epoch_ = 1;
    }
  }

  /// Takes over the pages of `other` and leaves it empty. Calls combine(owner, address, mine,
  /// theirs) for the cells of a page that both have: it is to note in `mine` what `theirs` says.
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

  /// In increasing order of (owner, number).
  std::vector<const Page *> sortedPages() const {
    std::vector<const Page *> sorted;
    sorted.reserve(used_);
    for (size_t i = 0; i < used_; ++i)
      sorted.push_back(pages_[i].get());
    std::sort(sorted.begin(), sorted.end(), [](const Page *a, const Page *b) {
      return std::pair(a->owner, a->number) < std::pair(b->owner, b->number);
    });
    return sorted;
  }

private:
  static_assert(std::has_single_bit(kPageBytes) && kPageBytes >= kWordBytes);
  static constexpr size_t kFirstEntries = 256;

  struct Entry {
    uint64_t number = 0; ///< of the page
    uint64_t user = 0;   ///< its owner and the epoch; the entry is free in other epochs
    Page *page = nullptr;
  };

  uint64_t userOf(uint32_t owner) const { return uint64_t{owner} << 32 | epoch_; }

  /// By the upper bits of the product, on which all bits of a page's number have an effect: those
  /// of a buffer's number, too, which stands above the offsets.
  size_t slotOf(uint64_t user, uint64_t number) const {
    return ((number ^ user) * 0x9E3779B97F4A7C15U) >> shift_;
  }

  /// The page, or what `missing` returns where there is none.
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

  /// Calls piece(number, first byte, one past the last) for each page that the bytes are in.
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

  /// The page, which stands first among the unused ones, can be found from here on.
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

  std::vector<Entry> entries_; ///< a power of two of them, half of them free at least
  unsigned shift_ = 64 - std::countr_zero(kFirstEntries); ///< leaves the bits of a slot
  uint32_t epoch_ = 1;                                    ///< counts resets
  std::vector<std::unique_ptr<Page>> pages_;              ///< the first `used_` are in the table
  size_t used_ = 0;
};

} // namespace aiwc::metrics
