/// What a profile of a part of the work-groups tells of all of them: docs/metrics.md, "Sampled
/// work-groups".
#pragma once

#include "profile/kernel_profile.h"
#include "profile/metric.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::profile {

/// "lower_bound", "upper_bound", "sample": what stands in the place of a standard error. Empty for
/// those that have one, or need none.
std::string_view errorWord(Estimate estimate);
/// Whether `word` is one of these.
bool isErrorWord(std::string_view word);

/// "64 of 4096"; empty where all work-groups were characterised.
std::string sampledGroupsText(const Provenance &provenance);

/// How far the metric may be off, for people: "+- 0.31 %", "at least", "at most", "of the sample",
/// "+- ?" where no error is known; empty where it is exact or has no value, as of every profile
/// that is not sampled.
std::string errorText(const KernelProfile &profile, Metric metric);

} // namespace aiwc::profile
