/// The widths of the levels of the ASAP schedule, for more work than was characterised.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>

namespace aiwc::profile {

/// Of a histogram whose values are widths: the sum of the counts, and of the widths times counts.
struct LevelSums {
  uint64_t levels = 0;     ///< D
  uint64_t operations = 0; ///< W
};
/// None where a sum exceeds 2^64 - 1.
std::optional<LevelSums> sumsOf(const Histogram &levels);

/// `levels`, not empty and without widths of 0, as `to.levels` levels of `to.operations`
/// operations, no fewer than levels: the number of levels and the operations of each group of equal
/// widths are scaled alike, so that the widths grow by (W' / W) / (D' / D). Both sums are met
/// exactly: the cost model checks them. Exact, width by width, where the widths grow by a whole
/// number and the levels stay.
Histogram scaledLevels(const Histogram &levels, const LevelSums &to);

} // namespace aiwc::profile
