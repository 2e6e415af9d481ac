/// Texts for the errors in a profile of sampled work-groups (docs/metrics.md, "Sampled
/// work-groups").
#pragma once

#include "profile/kernel_profile.h"
#include "profile/metric.h"

#include <string>
#include <string_view>

namespace aiwc::profile {

/// "lower_bound", "upper_bound" or "sample": written in place of a standard error. Empty for
/// metrics that have a standard error or need none.
std::string_view errorWord(Estimate estimate);
/// Whether `word` is one of these three words.
bool isErrorWord(std::string_view word);

/// "64 of 4096"; empty if all work-groups were characterised.
std::string sampledGroupsText(const Provenance &provenance);

/// The metric's error as text for people: "+- 0.31 %", "at least", "at most", "of the sample", or
/// "+- ?" if the error is unknown. Empty if the metric is exact or has no value, or the profile is
/// not sampled.
std::string errorText(const KernelProfile &profile, Metric metric);

} // namespace aiwc::profile
