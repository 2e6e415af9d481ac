/// What follows from the reuse distances in a profile: how any fully associative LRU cache would
/// do.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::profile {

/// The bins of the reuse histogram: one per distance below 64, then 8 per power of two.
inline constexpr uint64_t kExactReuseDistances = 64;
/// Lowest distance of the bin that `distance` is in.
uint64_t reuseBin(uint64_t distance);
/// One past the highest distance of the bin that begins at `lowest`.
uint64_t reuseBinEnd(uint64_t lowest);

/// Accesses of lines (an access that spans two lines is two): all that the distances tell of. 0
/// where none was made, or nothing was measured.
uint64_t lineAccesses(const KernelProfile &profile);

/// Q_slow(Z) of [AM §II-C3]: accesses that a fully associative LRU cache of `cacheBytes` bytes,
/// empty at first, has to fetch from slow memory: those whose reuse distance is not below the
/// number of whole lines it holds, and all first ones. Exact where that number is below 64 or the
/// begin of a bin, as every power of two is; in between, linear within the bin, rounded down.
uint64_t slowAccesses(const KernelProfile &profile, uint64_t cacheBytes);

/// The same of the accesses that one source line makes: its misses. At sizes where this is exact,
/// the misses of all source lines add up to those of the profile; in between the sum may be higher,
/// by less than one per source line. In a sampled profile the accesses of every source line are
/// scaled by themselves, so the sum differs within the sample's error.
uint64_t slowAccesses(const KernelProfile &profile, const LineRow &line, uint64_t cacheBytes);

/// The first of these for many cache sizes, from sums that are made once: O(log bins) a size.
class SlowAccesses {
public:
  SlowAccesses() = default;
  explicit SlowAccesses(const KernelProfile &profile);

  uint64_t operator()(uint64_t cacheBytes) const;
  /// lineAccesses(profile)
  uint64_t all() const { return from_.empty() ? cold_ : cold_ + from_.front().accesses; }

private:
  struct From {
    uint64_t lowest, accesses; ///< of the bins from this one on
  };
  std::vector<From> from_; ///< bins, increasing
  uint64_t cold_ = 0;
  uint64_t lineBytes_ = 1;
};

/// Q_fast(Z) of [AM §II-C3]: the others, which find their line in the cache.
uint64_t fastAccesses(const KernelProfile &profile, uint64_t cacheBytes);

/// Q_fast / (Q_fast + Q_slow), in [0, 1]; none where there are no accesses.
std::optional<double> hitRatio(const KernelProfile &profile, uint64_t cacheBytes);

/// A cache size at which a working set begins to fit.
struct Knee {
  uint64_t cacheBytes = 0;    ///< a whole number of lines
  double missRatioBefore = 0; ///< of a cache of half the size (of half the lines, rounded down)
  double missRatio = 0;       ///< of one of this size
};

/// The sizes at which doubling a cache pays most, increasing: those where the miss ratio of
/// the doubled cache is lower than that of the cache by at least `fall` (0.1: ten points of a
/// hundred). Of sizes less than a factor of two apart the one with the larger fall is
/// taken, of equal ones the smaller, so a cache of one knee's size holds exactly one working set
/// more.
std::vector<Knee> workingSetKnees(const KernelProfile &profile, double fall = 0.1);

} // namespace aiwc::profile
