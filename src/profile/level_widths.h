/// Scales the widths of the levels of the ASAP schedule to more work than was characterised.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <optional>

namespace aiwc::profile {

/// Sums over a histogram of level widths.
struct LevelSums {
  uint64_t levels = 0;     ///< D: the sum of the counts
  uint64_t operations = 0; ///< W: the sum of width times count
};
/// No value if a sum exceeds 2^64 - 1.
std::optional<LevelSums> sumsOf(const Histogram &levels);

/// Scales `levels` (not empty, no width of 0) to `to.levels` levels with `to.operations` operations
/// in all (at least one per level). For each width, the number of levels grows by D' / D and their
/// operations by W' / W, so widths grow by (W' / W) / (D' / D). The result has exactly these two
/// sums, which the cost model checks. Each width is exact if widths grow by a whole number and the
/// number of levels stays.
Histogram scaledLevels(const Histogram &levels, const LevelSums &to);

} // namespace aiwc::profile
