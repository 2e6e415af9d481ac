#pragma once

#include "metrics/sampled_groups/line_sharing.h"
#include "metrics/sampled_groups/sample_error.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// What is known or estimated of a whole launch.
struct LaunchCounts {
  uint64_t items = 0, groups = 0;
  /// The metrics that are sums over groups (Estimate::kTotal).
  std::vector<std::pair<profile::Metric, uint64_t>> totals = {};
};

/// Scales the profile of a sample of the work-groups to the whole launch (profile/sampling.h,
/// docs/metrics.md), but for its reuse distances. Metrics that are sums become those of `launch`.
/// Histograms are multiplied by the same factors as the metrics that they belong to, and rounded so
/// that sums of parts stay exact. Metrics of the NDRange are set to the launch's. All others are
/// unchanged. Throws `aiwc::Error` if a count exceeds 2^64 - 1.
void scaleToLaunch(profile::KernelProfile &profile, const LaunchCounts &launch);

/// Scales the reuse distances of the sampled groups of a stratum to all of its groups. `lines`
/// tells how many of the first accesses of cache lines, if all were scaled, are reuse, and at which
/// distance. Throws as scaleToLaunch does.
void scaleReuse(profile::KernelProfile &profile, const SampledShare &share,
                const LineSharing::Lines &lines);

/// Adds the reuse distances of strata, scaled, to those of `profile`, which has none. Lines that
/// several strata access are first accessed once, as far as the memory of the launch tells.
/// `lines`: of the strata; empty: the strata are not those of a launch.
void addReuse(profile::KernelProfile &profile, std::span<const profile::KernelProfile> strata,
              std::span<const LineSharing::Lines> lines);

} // namespace aiwc::metrics
