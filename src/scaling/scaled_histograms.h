/// Scales the metrics of a launch, its level widths and its histogram of reuse distances, to
/// another launch. The totals of the new histograms are given, and the result matches them exactly.
#pragma once

#include "profile/kernel_profile.h"
#include "profile/level_widths.h"
#include "scaling/launch_scaling.h"
#include "scaling/scaling_law.h"

#include <cstdint>
#include <optional>

namespace aiwc::scaling {

using profile::LevelSums;
using profile::scaledLevels;
using profile::sumsOf;

/// The number of accesses, without first accesses to a line; none if it is above 2^64 - 1.
std::optional<uint64_t> sumOf(const profile::Histogram &distances);

/// Distributes `accesses` accesses over distances as in `nearest`. For each quantile of the
/// accesses, the distance is scaled by a power law through both launches, following [Ding & Zhong,
/// PLDI 2003], who fit the distances of groups of one thousandth of the accesses. With only one
/// launch the distances stay unchanged. A distance is always below `lines`, the number of distinct
/// lines, unless it already was not in `nearest`. `nearest` must not be empty.
profile::Histogram scaledDistances(const profile::Histogram &nearest,
                                   const profile::Histogram &second, const ScalingLaw &law,
                                   uint64_t accesses, uint64_t lines);

/// Sets the metrics, level widths and reuse distances of `to.profile`, and `to.origins`. The values
/// follow from `law`, `nearest` and, if the law is fitted, `second`. `to` must already have its
/// provenance and `otherLocalSize`. Throws Error if a count would exceed 2^64 - 1.
void scaleMetrics(const profile::KernelProfile &nearest, const profile::KernelProfile *second,
                  const ScalingLaw &law, ScaledProfile &to);

} // namespace aiwc::scaling
