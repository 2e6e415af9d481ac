#pragma once

#include "metrics/asap/shadow_levels.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// What the ASAP replay of one run came upon and did. A work-item that does the same at other
/// addresses, from the same levels, and finds the same levels there, gets the same schedule: all
/// that it takes to know is a look at its accesses.
struct AsapRecording {
  /// An access of which the schedule takes notice.
  struct Found {
    uint32_t index = 0; ///< in the run
    uint32_t size = 0;
    Level level;        ///< that was read or written
    uint32_t owner = 0; ///< of what is shared
    bool shared = true; ///< by the group; else it is the work-item's own
    bool write = false;
    ShadowLevels::Hint hint; ///< where the last one like it was
  };

  void begin(uint32_t ofItem, std::span<const trace::Access> made) {
    item = ofItem;
    usable = true;
    onlyReadsShared = true;
    first = made.data();
    accesses.clear();
    scheduled.clear();
  }

  void add(const trace::Access &access, Level level) {
    const bool shared = access.addressSpace() != trace::AddressSpace::kPrivate;
    accesses.push_back({static_cast<uint32_t>(&access - first),
                        access.size,
                        level,
                        ShadowLevels::ownerOf(access, item),
                        shared,
                        access.write != 0,
                        {}});
    onlyReadsShared &= !access.write && shared;
  }

  /// Adds to `widths` what the runs did that were the recorded one over again.
  void account(std::vector<uint64_t> &widths) {
    if (times > 0)
      for (const auto &[level, operations] : scheduled)
        widths[level] += times * operations;
    times = 0;
  }

  uint32_t item = 0;
  bool usable = false;                  ///< false: it cannot be told from the accesses in turn
  bool onlyReadsShared = true;          ///< no access writes, or is to private memory
  const trace::Access *first = nullptr; ///< of its accesses
  std::vector<Found> accesses;          ///< in their order
  std::vector<std::pair<uint32_t, uint32_t>> scheduled; ///< levels and floating-point operations
  uint64_t nodes = 0;
  uint64_t times = 0; ///< runs that were it over again, not accounted for yet
};

/// How many chances to be skipped, for each that failed: more each time, so that trying in vain
/// costs next to nothing.
class Pause {
public:
  void lengthen() {
    length_ = length_ < kLongest ? 2 * length_ + 1 : kLongest;
    left_ = length_;
  }
  /// Asks at each chance.
  bool over() {
    if (left_ == 0)
      return true;
    --left_;
    return false;
  }

private:
  static constexpr uint32_t kLongest = 63;

  uint32_t length_ = 0, left_ = 0;
};

} // namespace aiwc::metrics
