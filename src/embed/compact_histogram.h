/// Compresses the histograms of a profile so that predictions from them change by a bounded amount.
/// src/embed/README.md proves the bounds.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::embed {

/// Bound on the error of the compute time (execution cost, T_comp): for every real n > 0, the sum
/// over levels of w / min(w, n) is never above the original's, and below it by at most this
/// fraction of it.
inline constexpr double kLevelBound = 0.002;
/// A histogram with at most this many different widths is kept unchanged.
inline constexpr size_t kExactWidths = 24;

/// Compresses a histogram from level width to number of levels. It makes at most 3 / sqrt(2
/// kLevelBound) + 3 groups of neighbouring widths and replaces the widths of each group with their
/// mean, split between the two integers next to it. So the number of levels and the number of
/// operations stay exact, in each group and in total. Widths of 0 are kept. O(k log k) for k
/// widths.
profile::Histogram compactLevels(const profile::Histogram &levels);

/// For a cache of any number of lines, the accesses that miss differ from the original's by at most
/// this fraction of them, and so do the accesses that hit. Rounding (below) adds to this.
inline constexpr double kReuseBound = 0.005;
/// Half a unit of the fourth digit, relative to a number as small as 1000.
inline constexpr double kRoundingBound = 0.0005;

/// Accesses whose reuse distances are spread evenly over [lowest, end): one bin, or several
/// neighbouring bins.
struct ReuseRange {
  uint64_t lowest = 0, end = 0;
  uint64_t accesses = 0;

  bool operator==(const ReuseRange &) const = default;
};

enum class ReuseDetail : uint8_t {
  kExact,   ///< every bin
  kMerged,  ///< neighbours merged within kReuseBound
  kRounded, ///< also, counts of six digits and more are rounded to four
  kCoarse,  ///< also, a single range below 64 lines: the bounds hold for caches of 64 lines or more
};

std::vector<ReuseRange> compactReuse(const profile::Histogram &distances, uint64_t coldAccesses,
                                     ReuseDetail detail);

/// The histogram in the bins of profile/reuse.h. None if a range does not begin and end at the
/// edges of bins, has no accesses, or does not follow the range before it.
std::optional<profile::Histogram> expandReuse(const std::vector<ReuseRange> &ranges);

} // namespace aiwc::embed
