/// Level widths and reuse distances for other launches. What they sum up to is given, and met
/// exactly: the cost model checks it.
#pragma once

#include "embed/scaling_law.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>

namespace aiwc::embed {

/// Of a histogram whose values are widths: the sum of the counts, and of the widths times counts.
struct LevelSums {
  uint64_t levels = 0;     ///< D
  uint64_t operations = 0; ///< W
};
/// None where a sum exceeds 2^64 - 1.
std::optional<LevelSums> sumsOf(const profile::Histogram &levels);

/// `levels`, not empty and without widths of 0, as `to.levels` levels of `to.operations`
/// operations, no fewer than levels: the number of levels and the operations of each group of equal
/// widths are scaled alike, so that the widths grow by (W' / W) / (D' / D). Exact, width by width,
/// where the widths grow by a whole number and the levels stay.
profile::Histogram scaledLevels(const profile::Histogram &levels, const LevelSums &to);

/// Accesses but first ones; none above 2^64 - 1.
std::optional<uint64_t> sumOf(const profile::Histogram &distances);

/// `accesses` accesses, distributed over distances as in `nearest`: the distance below which a
/// given share of them lies is fitted by a power law through both launches, as [Ding & Zhong, PLDI
/// 2003] fit what shares of a thousandth follow; with one launch it stays. A distance is below
/// `lines`, the distinct lines there are, unless it was not before. `nearest` is not empty.
profile::Histogram scaledDistances(const profile::Histogram &nearest,
                                   const profile::Histogram &second, const ScalingLaw &law,
                                   uint64_t accesses, uint64_t lines);

} // namespace aiwc::embed
