#pragma once

#include <bit>
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
  static constexpr uint64_t kExact = 1024;
  static constexpr uint64_t kStrata = 256; ///< per doubling of k
  static constexpr uint32_t kNone = UINT32_MAX;

  /// The place of k, from 0 on, among those that are looked at; kNone for the others.
  static uint32_t slotOf(uint64_t k) {
    if (k < kExact) [[likely]]
      return static_cast<uint32_t>(k);
    return sampledSlotOf(k);
  }

  /// How many k the one with this slot stands for.
  static uint64_t weightOf(uint32_t slot) {
    if (slot < kExact)
      return 1;
    const uint64_t doubling = (slot - kExact) / kStrata;
    return kExact / kStrata << doubling;
  }

private:
  static uint32_t sampledSlotOf(uint64_t k);
};

} // namespace aiwc::metrics
