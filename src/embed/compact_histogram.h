/// Histograms of a profile, made small without changing what is predicted from them by much. The
/// bounds are proven in docs/embedding.md.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace aiwc::embed {

/// For every real n > 0, the sum over levels of w / min(w, n) (execution cost, T_comp) is lower
/// than that of the original by at most this share of it, and never higher.
inline constexpr double kLevelBound = 0.002;
/// So many different widths, or fewer, are kept as they are.
inline constexpr size_t kExactWidths = 24;

/// Level width -> levels, with at most 3 / sqrt(2 kLevelBound) + 3 groups of neighbouring widths:
/// those of a group become their mean, as its two neighbouring integers, so that the number of
/// levels and the number of operations of each group, and of all, stay exact. Widths of 0 are kept.
/// O(k log k) for k widths.
profile::Histogram compactLevels(const profile::Histogram &levels);

/// For a cache of any number of lines, the accesses that miss it differ from the original's by at
/// most this share of them, and so do those that hit it; rounding (below) comes on top.
inline constexpr double kReuseBound = 0.005;
/// Half a unit of the fourth digit, relative to a number as small as 1000.
inline constexpr double kRoundingBound = 0.0005;

/// Accesses whose reuse distance is in [lowest, end), evenly: a bin, or several neighbours.
struct ReuseRange {
  uint64_t lowest = 0, end = 0;
  uint64_t accesses = 0;

  bool operator==(const ReuseRange &) const = default;
};

enum class ReuseDetail : uint8_t {
  kExact,   ///< every bin
  kMerged,  ///< neighbours merged within kReuseBound
  kRounded, ///< and counts of six digits and more rounded to four
  kCoarse,  ///< and a single range below 64 lines: the bounds hold for caches of 64 lines or more
};

std::vector<ReuseRange> compactReuse(const profile::Histogram &distances, uint64_t coldAccesses,
                                     ReuseDetail detail);

/// The histogram in the bins of profile/reuse.h; none where a range does not begin and end with
/// bins, has no accesses, or does not follow the one before it.
std::optional<profile::Histogram> expandReuse(const std::vector<ReuseRange> &ranges);

} // namespace aiwc::embed
