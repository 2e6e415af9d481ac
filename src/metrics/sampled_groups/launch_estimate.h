#pragma once

#include "metrics/sampled_groups/line_clusters.h"
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

/// The reuse distances of the sampled groups of a stratum, each as if it were a launch of its own.
struct StratumReuse {
  profile::KernelProfile profile;
  SampledShare share = {};
  LineClusters::Lines lines = {};
};

/// The cache lines of a launch.
struct LaunchLines {
  uint64_t groups = 0;
  uint64_t groupsOfRow = 0, groupsOfPlane = 0;
  /// How many lines there are in each range of memory.
  std::vector<uint64_t> limits = {};
  /// The number of lines in each range that all clusters access together; the last element: lines
  /// in no range.
  std::vector<double> seen = {};
};

/// Sets the reuse distances of `profile` to those of the strata together.
void addReuse(profile::KernelProfile &profile, std::span<const StratumReuse> strata);

/// Scales the reuse distances of the strata to the launch, and sets those of `profile` to them.
/// Throws as scaleToLaunch does.
void scaleReuse(profile::KernelProfile &profile, std::vector<StratumReuse> strata,
                const LaunchLines &launch);

/// The part of the first accesses of lines in groups that reuse lines of groups far away. If all
/// lines that are fresh in clusters were distinct, there would be more lines than the memory has.
/// This is the excess.
double shareOfFarLines(std::span<const StratumReuse> strata, const LaunchLines &launch);

} // namespace aiwc::metrics
