#pragma once

#include "metrics/sampled_groups/line_sharing.h"
#include "metrics/sampled_groups/sample_error.h"
#include "profile/kernel_profile.h"

namespace aiwc::metrics {

/// Scales the profile of a sample of the work-groups to the whole launch (profile/sampling.h,
/// docs/metrics.md). Metrics and histograms that are sums over groups are multiplied by
/// share.totalItems / share.items and rounded so that sums of parts stay exact. Metrics of the
/// NDRange are set to the launch's. All others are unchanged. `lines` tells how many of the first
/// accesses of cache lines, if all were scaled, are reuse, and at which distance. Throws
/// `aiwc::Error` if a count exceeds 2^64 - 1.
void scaleToLaunch(profile::KernelProfile &profile, const SampledShare &share,
                   const LineSharing::Lines &lines);

} // namespace aiwc::metrics
