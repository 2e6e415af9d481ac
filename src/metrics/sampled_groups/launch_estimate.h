#pragma once

#include "metrics/sampled_groups/line_sharing.h"
#include "metrics/sampled_groups/sample_error.h"
#include "profile/kernel_profile.h"

namespace aiwc::metrics {

/// Makes the profile of a sample of the work-groups that of the launch: what is a sum over groups
/// is multiplied by share.totalItems / share.items, in metrics and histograms, and rounded so that
/// what added up still does; what the NDRange gives is its own; everything else stays
/// (profile/sampling.h, docs/metrics.md). First accesses of lines grow as far as `lines` are those
/// of one group alone. Throws `aiwc::Error` for a count above 2^64 - 1.
void scaleToLaunch(profile::KernelProfile &profile, const SampledShare &share,
                   const LineSharing::Lines &lines);

} // namespace aiwc::metrics
