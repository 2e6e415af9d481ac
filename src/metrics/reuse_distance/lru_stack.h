#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// An LRU stack of cache lines [MAT]. At each access it returns the reuse distance: the number of
/// distinct other lines accessed since the last access of the same line.
///
/// The most recent lines are in a small sorted array, which is enough for most accesses. Each other
/// line has one of a row of time slots, oldest first. The occupied slots after a slot are counted
/// with one bit per slot and a Fenwick tree over the words of bits [OLK], so an access beyond the
/// array costs O(log lines). Free slots are reclaimed when the row is full. Memory: about 40 bytes
/// per distinct line if lines are adjacent, else 100.
class LruStack {
public:
  /// The infinite distance: the line was never accessed before.
  static constexpr uint64_t kCold = std::numeric_limits<uint64_t>::max();

  /// Moves `line` (below 2^62) to the top. Returns its previous depth, from 0, or kCold.
  uint64_t access(uint64_t line) {
    // Unused entries hold kCold, which is not a line.
    if (recent_[0].line == line)
      return 0;
    if (recent_[1].line == line) {
      std::swap(recent_[0], recent_[1]);
      return 1;
    }
    for (uint32_t depth = 2; depth < kRecent; ++depth)
      if (recent_[depth].line == line) {
        const Recent hit = recent_[depth];
        for (uint32_t i = depth; i > 0; --i)
          recent_[i] = recent_[i - 1];
        recent_[0] = hit;
        return depth;
      }
    return accessBeyond(line);
  }

  /// The distinct lines in the order of their first access. A line's index here is its number.
  const std::vector<uint64_t> &lines() const { return lines_; }
  /// The numbers of all lines; the most recently accessed is last.
  std::vector<uint32_t> order() const;
  /// Forgets all lines, and frees memory if much more is allocated than these lines needed.
  void clear();

private:
  /// A line and its number, so that no second look-up is needed.
  struct Recent {
    uint64_t line = kCold;
    uint32_t number = 0;
  };
  static constexpr uint32_t kRecent = 8;
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  static constexpr unsigned kPageBits = 4;
  /// The numbers of neighbouring lines: one cache line of the processor.
  using Page = std::array<uint32_t, size_t{1} << kPageBits>;
  struct PageEntry {
    uint64_t key = kFree;
    uint32_t page = 0;
  };
  static constexpr uint64_t kFree = std::numeric_limits<uint64_t>::max();

  uint64_t accessBeyond(uint64_t line);
  uint32_t &numberOf(uint64_t line);
  void growPageTable();
  /// Moves the least recent line of the array to the row of slots.
  void age(const Recent &oldest);
  uint64_t leaveSlot(uint32_t slot);
  void reclaimSlots();

  std::array<Recent, kRecent> recent_{};
  uint32_t recentCount_ = 0;

  std::vector<uint64_t> lines_;
  std::vector<uint32_t> slotOf_;     ///< by number; meaningless while the line is in `recent_`
  std::vector<PageEntry> pageTable_; ///< open addressing, at most half full
  std::vector<Page> pages_;          ///< the lines' numbers, or kNone

  std::vector<uint32_t> numberAt_; ///< by slot
  std::vector<uint64_t> occupied_; ///< a bit per slot
  /// Fenwick tree, 1-based: occupied slots per word, except for the word that is being filled.
  std::vector<uint32_t> tree_;
  uint32_t nextSlot_ = 0;
  uint32_t inTree_ = 0; ///< sum of the whole tree
};

} // namespace aiwc::metrics
