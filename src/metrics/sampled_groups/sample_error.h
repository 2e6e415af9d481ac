/// Standard errors of estimates from a sample of the work-groups. docs/metrics.md, "Sampled
/// work-groups", derives the formulas.
#pragma once

#include <cstdint>
#include <span>

namespace aiwc::metrics {

/// The number of groups in the sample and in the launch, or in those of a stratum of its groups.
struct SampledShare {
  uint64_t groups = 0, totalGroups = 0;
  /// The size of these groups, which is known of all: work-items, or instructions.
  uint64_t items = 0, totalItems = 0;
};

/// The value of a metric for one sampled group, and the group's size.
struct GroupCount {
  uint64_t count = 0;
  uint64_t items = 0;
};

/// The standard error of the ratio estimator, which estimates the launch's count as the sample's
/// times totalItems / items. It is computed from the differences between consecutive groups;
/// `groups` must be in the launch's order. 0 if all groups are in the sample, else NaN for fewer
/// than two.
double standardErrorOfTotal(std::span<const GroupCount> groups, const SampledShare &share);

/// What the groups outside of a sample may hide of a `value` in whose sample nothing differs. If
/// none of n groups differs, fewer than 3/n of all do, with a probability of 95 % (the rule of
/// three). The error, of which 95 % are two, is half of what is lost if these groups add nothing.
double hiddenError(double value, const SampledShare &share);

/// The standard error of a mean over the sample, computed from its values in equally large parts of
/// the sample. A NaN in `parts` means that the part has no value. NaN for fewer than two values.
double standardErrorOfMean(std::span<const double> parts, const SampledShare &share);

} // namespace aiwc::metrics
