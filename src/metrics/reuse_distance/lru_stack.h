#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// The stack of least recently used lines [MAT]: tells at every access how many distinct other
/// lines were accessed since the last access of the same line.
///
/// The most recent lines stand in an array, in order, which is all that most accesses need. The
/// others hold one slot each of a row of time slots, oldest first; the lines behind a slot are
/// counted by a bit per slot and a Fenwick tree over the words of bits [OLK], so an access beyond
/// the array costs O(log lines). Slots that lines have left are reclaimed when the row is full.
/// Memory: about 40 bytes per distinct line where lines are neighbours, 100 where they are not.
class LruStack {
public:
  /// "Infinite": the line was never accessed before.
  static constexpr uint64_t kCold = std::numeric_limits<uint64_t>::max();

  /// Moves `line` (below 2^62) to the top. Returns how deep it stood, from 0, or kCold.
  uint64_t access(uint64_t line) {
    // Places that are not in use hold no line.
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

  /// Distinct lines in the order of their first access. A line's position is its number.
  const std::vector<uint64_t> &lines() const { return lines_; }
  /// The numbers of all lines, most recently accessed last.
  std::vector<uint32_t> order() const;
  /// Forgets everything, and gives memory back that the lines so far did not need.
  void clear();

private:
  /// Number and line together, so that neither array has to be looked up for the other.
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
  /// Pushes the least recent line of the array to the row of slots.
  void age(const Recent &oldest);
  uint64_t leaveSlot(uint32_t slot);
  void reclaimSlots();

  std::array<Recent, kRecent> recent_{};
  uint32_t recentCount_ = 0;

  std::vector<uint64_t> lines_;
  std::vector<uint32_t> slotOf_;     ///< by number; meaningless while the line is in `recent_`
  std::vector<PageEntry> pageTable_; ///< open addressing, at most half full
  std::vector<Page> pages_;          ///< kNone where there is no such line

  std::vector<uint32_t> numberAt_; ///< by slot
  std::vector<uint64_t> occupied_; ///< a bit per slot
  /// Fenwick tree, from 1: occupied slots per word, but for the word that is being filled.
  std::vector<uint32_t> tree_;
  uint32_t nextSlot_ = 0;
  uint32_t inTree_ = 0; ///< sum of the whole tree
};

} // namespace aiwc::metrics
