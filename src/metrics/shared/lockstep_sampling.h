#pragma once

#include <cstdint>

namespace aiwc::metrics {

/// Selects which events are analysed when the k-th events (accesses or executions) of many
/// work-items in a barrier interval are compared. Work-items are simulated one after another, so
/// the k-th event of each must be kept until the last work-item's is known. Sampling k bounds the
/// memory for long loops.
///
/// Every k below 1024 is selected. Above that, each range [1024 · 2^o, 1024 · 2^(o+1)) is divided
/// into 256 strata, and one k of each stratum, chosen by a hash, represents the whole stratum. The
/// choice depends only on the stratum, so it is the same for all work-items, groups and threads. It
/// is irregular, so patterns with a period of a power of two are sampled at all their phases.
class LockstepSampling {
public:
  static constexpr uint32_t kExact = 1024;
  static constexpr uint32_t kStrata = 256; ///< per doubling of k
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The selected k with index `slot`, counted from 0.
  static uint64_t kOf(uint32_t slot) {
    if (slot < kExact) [[likely]]
      return slot;
    return sampledKOf(slot);
  }

  /// The number of k that this slot represents.
  static uint64_t weightOf(uint32_t slot) {
    if (slot < kExact)
      return 1;
    return uint64_t{kExact / kStrata} << (slot - kExact) / kStrata;
  }

private:
  static uint64_t sampledKOf(uint32_t slot);
};

/// Counts k for one work-item. A k that is not selected costs one comparison.
class LockstepCounter {
public:
  bool operator==(const LockstepCounter &) const = default;
  /// Advances to the next k and returns its slot, or kNone if it is not selected.
  uint32_t count() {
    if (k_++ != next_) [[unlikely]]
      return LockstepSampling::kNone;
    next_ = LockstepSampling::kOf(++slots_);
    return slots_ - 1;
  }
  uint64_t counted() const { return k_; }
  /// The number of selected k so far; their slots are 0, 1, ...
  uint32_t slots() const { return slots_; }

private:
  uint64_t k_ = 0;
  uint64_t next_ = 0; ///< the next selected k
  uint32_t slots_ = 0;
};

} // namespace aiwc::metrics
