/// Hits and misses of fully associative LRU caches of any size, computed from the reuse distances
/// in a profile.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::profile {

/// The bins of the reuse histogram: one per distance below 64, then 8 per power of two.
inline constexpr uint64_t kExactReuseDistances = 64;
inline constexpr uint64_t kReuseBinsPerPower = 8;
/// Lowest distance of the bin that `distance` is in.
uint64_t reuseBin(uint64_t distance);
/// One past the highest distance of the bin that begins at `lowest`.
uint64_t reuseBinEnd(uint64_t lowest);

/// The number of accesses of cache lines; an access that spans two lines counts twice. 0 if there
/// were none or reuse was not measured.
uint64_t lineAccesses(const KernelProfile &profile);

/// Q_slow(Z) of [AM §II-C3]: the misses of a fully associative LRU cache of `cacheBytes` bytes that
/// is empty at first. An access misses if it is the first one of its line, or its reuse distance is
/// at least the number of whole lines that the cache holds. Exact if that number is below 64 or the
/// lowest distance of a bin, as every power of two is; else interpolated linearly in the bin and
/// rounded down.
uint64_t cacheMisses(const KernelProfile &profile, uint64_t cacheBytes);

/// The misses of one source line. For cache sizes at which this is exact, the misses of all source
/// lines add up to those of the profile; for others, the sum may be higher by less than one per
/// source line. In a sampled profile the accesses of each source line are scaled separately, so the
/// sum may differ within the sample's error.
uint64_t cacheMisses(const KernelProfile &profile, const LineRow &line, uint64_t cacheBytes);

/// cacheMisses(profile, size) for many cache sizes: computes prefix sums once, then O(log bins)
/// per size.
class CacheMisses {
public:
  CacheMisses() = default;
  explicit CacheMisses(const KernelProfile &profile);

  uint64_t operator()(uint64_t cacheBytes) const;
  /// How many of these misses hit if the cache is not empty at first, but has what the launches
  /// before left there (Reuse::found).
  double found(uint64_t cacheBytes) const;
  /// lineAccesses(profile)
  uint64_t all() const { return from_.empty() ? cold_ : cold_ + from_.front().accesses; }
  /// The distinct lines that `accesses` accesses in succession touch, on average: c lines where the
  /// integral of all() / misses from a cache of 0 to one of c lines is `accesses` (Xiang, Ding, Luo
  /// and Bao, HOTL: a Higher Order Theory of Locality, ASPLOS 2013).
  double linesOf(double accesses) const;

private:
  struct From {
    uint64_t lowest, accesses; ///< sum of the accesses of this bin and all later ones
  };
  struct Window {
    double accesses, lines; ///< that they touch
  };
  std::vector<From> from_;      ///< bins, increasing
  std::vector<Window> windows_; ///< increasing; linear between them
  std::vector<FoundAccesses> found_;
  uint64_t cold_ = 0;
  uint64_t lineBytes_ = 1;
};

/// Q_fast(Z) of [AM §II-C3]: the accesses that hit, all others.
uint64_t fastAccesses(const KernelProfile &profile, uint64_t cacheBytes);

/// Q_fast / (Q_fast + Q_slow), in [0, 1]; no value if there are no accesses.
std::optional<double> hitRatio(const KernelProfile &profile, uint64_t cacheBytes);

/// A cache size at which a working set begins to fit.
struct Knee {
  uint64_t cacheBytes = 0;    ///< a whole number of lines
  double missRatioBefore = 0; ///< miss ratio of a cache of half the lines, rounded down
  double missRatio = 0;       ///< miss ratio of a cache of this size
};

/// The cache sizes, increasing, whose miss ratio is lower than that of half the size by at least
/// `fall` (0.1: ten percentage points). Of sizes less than a factor of two apart, only the one with
/// the largest fall is returned (of equal ones the smallest), so each knee stands for one more
/// working set that fits.
std::vector<Knee> workingSetKnees(const KernelProfile &profile, double fall = 0.1);

} // namespace aiwc::profile
