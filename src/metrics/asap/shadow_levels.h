#pragma once

#include "trace/chunk.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace aiwc::metrics {

/// How deep something lies in the two ASAP schedules of docs/metrics.md: the longest chain of
/// floating-point operations and the longest chain of instructions that end in it.
struct Level {
  uint32_t fp = 0;
  uint32_t instruction = 0;

  bool operator==(const Level &) const = default;
};

/// What depends on both.
inline Level join(Level a, Level b) {
  return {a.fp > b.fp ? a.fp : b.fp, a.instruction > b.instruction ? a.instruction : b.instruction};
}

/// The level of every byte of memory that a work-group has written: that of the last write.
///
/// Levels stand in pages of 128 bytes of memory, one per 4-byte word; a page in which something
/// other than whole words is written gets one per byte. A read or write of aligned words is one
/// look-up in a table of pages and an array access per word. What was not written has no page, so
/// that inputs cost nothing but the look-up. Memory: at most 18 bytes per byte of a 128-byte line
/// that one work-group writes, and kept for the next group.
class ShadowLevels {
public:
  ShadowLevels() : entries_(kFirstEntries) {}

  /// Whose memory an access of `item` (or Run::kWorkGroup) touches. Constant memory is global
  /// memory that is reached by another name.
  static uint32_t ownerOf(const trace::Access &access, uint32_t item) {
    switch (access.addressSpace()) {
    case trace::AddressSpace::kLocal:
      return kLocalOwner;
    case trace::AddressSpace::kPrivate:
      return item;
    default:
      return kGlobalOwner;
    }
  }

  /// Everything is at level 0 again, in constant time: the pages are forgotten, not cleared.
  void reset();

  /// The level of what was last written to any of these bytes.
  Level read(uint32_t owner, uint64_t address, uint32_t size) const {
    return mayBeWritten(owner, address, size) ? readWritten(owner, address, size) : Level{};
  }

  void write(uint32_t owner, uint64_t address, uint32_t size, Level level) {
    noteWritten(owner, address, size);
    if (areWordsOfOnePage(address, size)) [[likely]] {
      Page &page = findOrAdd(owner, address / kPageBytes);
      if (!page.bytes) [[likely]] {
        Level *word = page.words.data() + address % kPageBytes / kWordBytes;
        for (Level *const end = word + size / kWordBytes; word != end; ++word)
          *word = level;
        return;
      }
    }
    writeBytes(owner, address, size, level);
  }

  /// Where an access found its level last, in memory that the group shares: the next work-item's
  /// mostly is beside it. Good for accesses of that size, until the next `reset`.
  struct Hint {
    uint64_t begin = 0, bytes = 0; ///< where accesses may start, all of which are in one buffer
    Level *levels = nullptr;       ///< from `begin` on; null: nothing has been written there
    uint32_t changes = 0;          ///< `changes_` while it is good
    uint8_t shift = 0;             ///< a level is that of 2^shift bytes
  };
  /// As the other, where `owner` is no work-item.
  Level read(uint32_t owner, uint64_t address, uint32_t size, Hint &hint) const {
    const uint64_t offset = address - hint.begin;
    if (!isGood(hint, offset)) [[unlikely]]
      return readAndNote(owner, address, size, hint);
    if (!hint.levels)
      return {};
    if (size == kWordBytes && hint.shift == kWordShift) [[likely]]
      return hint.levels[offset >> kWordShift];
    return joined(hint.levels + (offset >> hint.shift), size >> hint.shift);
  }

  /// What stood somewhere before.
  struct Overwritten {
    Level *place = nullptr; ///< of a word or byte
    Level level;
  };
  /// As `write`, and appends to `overwritten` what it takes to undo that; or, where that is not
  /// simple, changes no level and returns false.
  bool writeRevocably(uint32_t owner, uint64_t address, uint32_t size, Level level,
                      std::vector<Overwritten> &overwritten, Hint &hint) {
    uint64_t offset = address - hint.begin;
    if (!isGood(hint, offset) || !hint.levels) [[unlikely]] {
      if (!noteForWriting(owner, address, size, hint))
        return false;
      offset = address - hint.begin;
    }
    Level *place = hint.levels + (offset >> hint.shift);
    for (Level *const end = place + (size >> hint.shift); place != end; ++place) {
      overwritten.push_back({place, *place});
      *place = level;
    }
    return true;
  }
  /// Undoes writes, of which none but revocable ones followed.
  static void revoke(const std::vector<Overwritten> &overwritten) {
    for (auto last = overwritten.rbegin(); last != overwritten.rend(); ++last)
      *last->place = last->level;
  }

private:
  struct Page;

  bool isGood(const Hint &hint, uint64_t offset) const {
    return offset < hint.bytes && hint.changes == changes_ &&
           (offset & ((uint64_t{1} << hint.shift) - 1)) == 0;
  }
  static Level joined(const Level *levels, uint32_t count) {
    Level level;
    for (const Level *const end = levels + count; levels != end; ++levels)
      level = join(level, *levels);
    return level;
  }
  Level readAndNote(uint32_t owner, uint64_t address, uint32_t size, Hint &hint) const;
  bool noteForWriting(uint32_t owner, uint64_t address, uint32_t size, Hint &hint);
  Hint hintAt(Page &page, uint64_t number, uint32_t size) const;

  Level readWritten(uint32_t owner, uint64_t address, uint32_t size) const {
    if (!areWordsOfOnePage(address, size)) [[unlikely]]
      return readBytes(owner, address, size);
    const Page *page = find(owner, address / kPageBytes);
    if (!page)
      return {};
    if (page->bytes) [[unlikely]]
      return readBytes(owner, address, size);
    return joined(page->words.data() + address % kPageBytes / kWordBytes, size / kWordBytes);
  }

  static constexpr uint64_t kPageBytes = 128;
  static constexpr uint32_t kWordShift = 2;
  static constexpr uint64_t kWordBytes = uint64_t{1} << kWordShift;
  static constexpr unsigned kBufferShift = 48; ///< the number of a buffer stands above its offsets
  static constexpr size_t kFirstEntries = 256;
  // No work-item has these local ids: the engines number those of a group from 0.
  static constexpr uint32_t kGlobalOwner = trace::Run::kWorkGroup - 1;
  static constexpr uint32_t kLocalOwner = trace::Run::kWorkGroup - 2;

  using Bytes = std::array<Level, kPageBytes>;
  struct Page {
    std::array<Level, kPageBytes / kWordBytes> words;
    Bytes *bytes = nullptr; ///< where it is not null, `words` is out of date
  };
  struct Entry {
    uint64_t number = 0; ///< of the page: address / kPageBytes
    uint32_t owner = 0;
    uint32_t epoch = 0; ///< of another one, the entry is free
    Page *page = nullptr;
  };

  static bool areWordsOfOnePage(uint64_t address, uint32_t size) {
    return (address | size) % kWordBytes == 0 && address % kPageBytes + size <= kPageBytes;
  }
  /// Those of the buffer that the bytes are in, or of two; some buffers share a bit.
  static uint64_t bufferBits(uint64_t address, uint32_t size) {
    const auto bit = [](uint64_t of) { return uint64_t{1} << ((of >> kBufferShift) & 63); };
    return bit(address) | bit(address + size);
  }
  static size_t kindOf(uint32_t owner) {
    return owner == kGlobalOwner ? 0 : owner == kLocalOwner ? 1 : 2;
  }
  /// False where nothing has been written to the buffer.
  bool mayBeWritten(uint32_t owner, uint64_t address, uint32_t size) const {
    return (written_[kindOf(owner)] & bufferBits(address, size)) != 0;
  }
  void noteWritten(uint32_t owner, uint64_t address, uint32_t size) {
    const uint64_t bits = bufferBits(address, size);
    uint64_t &written = written_[kindOf(owner)];
    changes_ += (written & bits) != bits;
    written |= bits;
  }
  size_t slotOf(uint32_t owner, uint64_t number) const {
    const uint64_t hash = (number ^ uint64_t{owner} << 32) * 0x9E3779B97F4A7C15U;
    return (hash >> 32) & (entries_.size() - 1);
  }
  Page *find(uint32_t owner, uint64_t number) const {
    for (size_t slot = slotOf(owner, number);; slot = (slot + 1) & (entries_.size() - 1)) {
      const Entry &entry = entries_[slot];
      if (entry.epoch != epoch_)
        return nullptr;
      if (entry.number == number && entry.owner == owner)
        return entry.page;
    }
  }
  Page &findOrAdd(uint32_t owner, uint64_t number) {
    Page *page = find(owner, number);
    return page ? *page : add(owner, number);
  }
  Page &add(uint32_t owner, uint64_t number);
  void insert(uint32_t owner, uint64_t number, Page *page);
  void grow();
  /// From here on, the page has a level per byte.
  Bytes &split(Page &page);
  Level readBytes(uint32_t owner, uint64_t address, uint32_t size) const;
  void writeBytes(uint32_t owner, uint64_t address, uint32_t size, Level level);

  uint32_t changes_ = 1; ///< counts what makes hints untrue: pages split, buffers written to
  /// Bits of the buffers that this epoch has written to: global, local and work-items' own ones.
  std::array<uint64_t, 3> written_{};
  std::vector<Entry> entries_; ///< open addressing, a power of two of them
  uint32_t epoch_ = 1;         ///< counts work-groups
  std::deque<Page> pages_;     ///< the first `usedPages_` are this epoch's
  size_t usedPages_ = 0;
  std::deque<Bytes> bytes_; ///< likewise
  size_t usedBytes_ = 0;
};

} // namespace aiwc::metrics
