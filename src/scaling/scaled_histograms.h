/// Reuse distances for other launches, besides the level widths of profile/level_widths.h. What
/// they sum up to is given, and met exactly.
#pragma once

#include "profile/kernel_profile.h"
#include "profile/level_widths.h"
#include "scaling/scaling_law.h"

#include <cstdint>
#include <optional>

namespace aiwc::scaling {

using profile::LevelSums;
using profile::scaledLevels;
using profile::sumsOf;

/// Accesses but first ones; none above 2^64 - 1.
std::optional<uint64_t> sumOf(const profile::Histogram &distances);

/// `accesses` accesses, distributed over distances as in `nearest`: the distance below which a
/// given share of them lies is fitted by a power law through both launches, as [Ding & Zhong, PLDI
/// 2003] fit what shares of a thousandth follow; with one launch it stays. A distance is below
/// `lines`, the distinct lines there are, unless it was not before. `nearest` is not empty.
profile::Histogram scaledDistances(const profile::Histogram &nearest,
                                   const profile::Histogram &second, const ScalingLaw &law,
                                   uint64_t accesses, uint64_t lines);

} // namespace aiwc::scaling
