#pragma once

#include "metrics/asap/shadow_levels.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// The result of the ASAP replay of one run. A run that repeats it at other addresses has the same
/// schedule if it starts from the same levels and reads the same levels from memory. So only the
/// accesses of such a run must be replayed.
struct AsapRecording {
  /// An access that affects the schedule.
  struct Found {
    uint32_t index = 0; ///< among the run's accesses
    uint32_t size = 0;
    Level level;        ///< the level that was read or written
    uint32_t owner = 0; ///< of the memory, if it is shared
    bool shared = true; ///< whether the group shares the memory; else it is private
    bool write = false;
    ShadowLevels::Hint hint; ///< from the previous run's access
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

  /// Adds the floating-point operations of the runs that repeated the recorded one to `widths`.
  void account(std::vector<uint64_t> &widths) {
    if (times > 0)
      for (const auto &[level, operations] : scheduled)
        widths[level] += times * operations;
    times = 0;
  }

  uint32_t item = 0;
  bool usable = false;                  ///< false: replaying the accesses in order is not enough
  bool onlyReadsShared = true;          ///< no access writes or is to private memory
  const trace::Access *first = nullptr; ///< the run's first access
  std::vector<Found> accesses;          ///< in program order
  std::vector<std::pair<uint32_t, uint32_t>> scheduled; ///< levels and floating-point operations
  uint64_t nodes = 0;
  uint64_t times = 0; ///< runs that repeated it and are not in the widths yet
};

/// Counts attempts to skip after a failed attempt. The number grows with each failure, so that
/// attempts that always fail cost little.
class Pause {
public:
  void lengthen() {
    length_ = length_ < kLongest ? 2 * length_ + 1 : kLongest;
    left_ = length_;
  }
  /// Call once per possible attempt; returns whether to try.
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
