/// How far what follows from a sample of the work-groups may be off: docs/metrics.md, "Sampled
/// work-groups", derives the formulas.
#pragma once

#include <cstdint>
#include <span>

namespace aiwc::metrics {

/// How much of the launch was sampled.
struct SampledShare {
  uint64_t groups = 0, totalGroups = 0;
  uint64_t items = 0, totalItems = 0; ///< work-items of these groups
};

/// Of a count and the work-items of one sampled group.
struct GroupCount {
  uint64_t count = 0;
  uint64_t items = 0;
};

/// The standard error of the ratio estimator of the launch's count, totalItems / items times that
/// of the sample: from the differences between groups that follow each other, `groups` being in the
/// launch's order. NaN for fewer than two.
double standardErrorOfTotal(std::span<const GroupCount> groups, const SampledShare &share);

/// The standard error of a mean over the sample, from its values in parts of the sample of equal
/// size; those that are NaN have none. NaN for fewer than two.
double standardErrorOfMean(std::span<const double> parts, const SampledShare &share);

} // namespace aiwc::metrics
