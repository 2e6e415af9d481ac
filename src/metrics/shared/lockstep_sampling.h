#pragma once

#include <cstdint>

namespace aiwc::metrics {

/// Which k are looked at where the k-th things that many work-items do in a barrier interval are
/// compared. Work-items are simulated one after another, so the k-th of one has to be kept until
/// the last one's is known; this bounds how many are kept, whatever the length of a loop.
///
/// Every k below 1024 is looked at. From there on, each range [1024 · 2^o, 1024 · 2^(o+1)) is cut
/// into 256 strata, and one k of each, chosen by a hash, stands for all of its stratum. The choice
/// depends on k alone, so it is the same for all work-items, groups and threads; it is irregular,
/// so a pattern that repeats every power of two of k is met everywhere.
class LockstepSampling {
public:
  static constexpr uint32_t kExact = 1024;
  static constexpr uint32_t kStrata = 256; ///< per doubling of k
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The k that is looked at as the slot-th, from 0 on.
  static uint64_t kOf(uint32_t slot) {
    if (slot < kExact) [[likely]]
      return slot;
    return sampledKOf(slot);
  }

  /// How many k the one with this slot stands for.
  static uint64_t weightOf(uint32_t slot) {
    if (slot < kExact)
      return 1;
    return uint64_t{kExact / kStrata} << (slot - kExact) / kStrata;
  }

private:
  static uint64_t sampledKOf(uint32_t slot);
};

/// Counts k for one work-item. Costs a comparison for a k that is not looked at.
class LockstepCounter {
public:
  bool operator==(const LockstepCounter &) const = default;
  /// The slot of the next k; kNone where it is not looked at.
  uint32_t count() {
    if (k_++ != next_) [[unlikely]]
      return LockstepSampling::kNone;
    next_ = LockstepSampling::kOf(++slots_);
    return slots_ - 1;
  }
  uint64_t counted() const { return k_; }
  /// Number of those that were looked at: their slots are 0, 1, ...
  uint32_t slots() const { return slots_; }

private:
  uint64_t k_ = 0;
  uint64_t next_ = 0; ///< k to look at
  uint32_t slots_ = 0;
};

} // namespace aiwc::metrics
