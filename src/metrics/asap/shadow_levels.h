#pragma once

#include "metrics/shared/paged_memory.h"
#include "trace/chunk.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// The level of a value in the two ASAP schedules of docs/metrics.md: the length of the longest
/// chain of floating-point operations, and of the longest chain of instructions, that ends in it.
struct Level {
  uint32_t fp = 0;
  uint32_t instruction = 0;

  bool operator==(const Level &) const = default;
};

/// The level of a value that depends on both.
inline Level join(Level a, Level b) {
  return {a.fp > b.fp ? a.fp : b.fp, a.instruction > b.instruction ? a.instruction : b.instruction};
}

/// The level of every byte of memory that a work-group has written, which is the level of the last
/// write.
///
/// A read or write of aligned words costs one look-up in a table of pages (PagedMemory) and an
/// array access per word. Memory that was not written has no page, so reading inputs costs only the
/// look-up. Memory: at most 10 bytes per byte of each 128-byte line that one work-group writes; it
/// is kept for the next group.
class ShadowLevels {
public:
  /// The owner (see PagedMemory) of the memory that `item` (or Run::kWorkGroup) accesses. Constant
  /// memory counts as global memory.
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

  /// Sets all levels to 0 in constant time: forgets the pages without clearing them.
  void reset() {
    memory_.reset();
    written_ = {};
  }

  /// The join of the levels of these bytes.
  Level read(uint32_t owner, uint64_t address, uint32_t size) const {
    return mayBeWritten(owner, address, size) ? readWritten(owner, address, size) : Level{};
  }

  void write(uint32_t owner, uint64_t address, uint32_t size, Level level) {
    noteWritten(owner, address, size);
    if (areWordsOfOnePage(address, size)) [[likely]] {
      Page &page = memory_.findOrAdd(owner, Memory::pageOf(address));
      if (!page.bytes) [[likely]] {
        Level *word = page.words.data() + Memory::offsetOf(address) / kWordBytes;
        for (Level *const end = word + size / kWordBytes; word != end; ++word)
          *word = level;
        return;
      }
    }
    writeBytes(owner, address, size, level);
  }

  /// Caches the place of an access in memory that the group shares, because the next work-item
  /// usually accesses a neighbouring address. Valid for accesses of the same size until `reset`.
  struct Hint {
    uint64_t begin = 0, bytes = 0; ///< range in which accesses may start; in one buffer
    Level *levels = nullptr;       ///< levels from `begin` on; null: nothing was written there
    uint32_t changes = 0;          ///< value of `changes_` for which it is valid
    uint8_t shift = 0;             ///< each level is for 2^shift bytes
  };
  /// Like the other `read`, but uses and updates `hint`. `owner` must not be a work-item.
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

  /// Whether `count` reads, of `size` bytes each and `stride` bytes (modulo 2^64) apart, all find
  /// `level`. Otherwise like `read`.
  bool haveLevel(uint32_t owner, uint64_t address, uint64_t stride, size_t count, uint32_t size,
                 Level level, Hint &hint) const {
    if (count == 0)
      return true;
    const uint64_t last = address + (count - 1) * stride;
    if (address >> kBufferShift == last >> kBufferShift && !mayBeWritten(owner, address, size) &&
        !mayBeWritten(owner, last, size))
      return level == Level{};
    if (stride == 0)
      count = 1;
    for (; count > 0; --count, address += stride)
      if (read(owner, address, size, hint) != level)
        return false;
    return true;
  }

  /// A level that was overwritten, for undoing the write.
  struct Overwritten {
    Level *place = nullptr; ///< cell of a word or byte
    Level level;
  };
  /// Like `write`, and appends to `overwritten` what `revoke` needs. If the write cannot be undone
  /// simply, changes no level and returns false.
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
  /// Undoes revocable writes. There must have been no other writes since.
  static void revoke(const std::vector<Overwritten> &overwritten) {
    for (auto last = overwritten.rbegin(); last != overwritten.rend(); ++last)
      *last->place = last->level;
  }

private:
  using Memory = PagedMemory<Level, 128, WordCell::kOfEveryByte>;
  using Page = Memory::Page;

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
    return readFrom(memory_.find(owner, Memory::pageOf(address)), owner, address, size);
  }
  /// `page` is the page of the first byte, or null.
  Level readFrom(const Page *page, uint32_t owner, uint64_t address, uint32_t size) const {
    if (!areWordsOfOnePage(address, size)) [[unlikely]]
      return readBytes(owner, address, size);
    if (!page)
      return {};
    if (page->bytes) [[unlikely]]
      return readBytes(owner, address, size);
    return joined(page->words.data() + Memory::offsetOf(address) / kWordBytes, size / kWordBytes);
  }

  static constexpr uint64_t kPageBytes = Memory::kPageBytes;
  static constexpr uint64_t kWordBytes = Memory::kWordBytes;
  static constexpr uint32_t kWordShift = std::countr_zero(kWordBytes);
  static constexpr unsigned kBufferShift =
      48; ///< a buffer's number is above this bit, offsets are below
  // No work-item has these local ids: the engines number those of a group from 0.
  static constexpr uint32_t kGlobalOwner = trace::Run::kWorkGroup - 1;
  static constexpr uint32_t kLocalOwner = trace::Run::kWorkGroup - 2;

  static bool areWordsOfOnePage(uint64_t address, uint32_t size) {
    return (address | size) % kWordBytes == 0 && Memory::offsetOf(address) + size <= kPageBytes;
  }
  /// The bits for the buffer (or the two buffers) of these bytes. Different buffers may share a
  /// bit.
  static uint64_t bufferBits(uint64_t address, uint32_t size) {
    const auto bit = [](uint64_t of) { return uint64_t{1} << ((of >> kBufferShift) & 63); };
    return bit(address) | bit(address + size);
  }
  static size_t kindOf(uint32_t owner) {
    return owner == kGlobalOwner ? 0 : owner == kLocalOwner ? 1 : 2;
  }
  /// False if nothing was written to the buffer since `reset`.
  bool mayBeWritten(uint32_t owner, uint64_t address, uint32_t size) const {
    return (written_[kindOf(owner)] & bufferBits(address, size)) != 0;
  }
  void noteWritten(uint32_t owner, uint64_t address, uint32_t size) {
    const uint64_t bits = bufferBits(address, size);
    uint64_t &written = written_[kindOf(owner)];
    changes_ += (written & bits) != bits;
    written |= bits;
  }
  Level readBytes(uint32_t owner, uint64_t address, uint32_t size) const;
  void writeBytes(uint32_t owner, uint64_t address, uint32_t size, Level level);

  uint32_t changes_ = 1; ///< counts what invalidates hints: split pages, first writes to a buffer
  /// Bits of the buffers that were written since `reset`, for global, local and private memory.
  std::array<uint64_t, 3> written_{};
  Memory memory_;
};

} // namespace aiwc::metrics
