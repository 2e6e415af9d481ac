#include "metrics/sampled_groups/sample_error.h"

#include "common/wide.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aiwc::metrics {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// The finite population correction: the fraction of the groups that is not in the sample.
double unsampled(const SampledShare &share) {
  return 1 - static_cast<double>(share.groups) / static_cast<double>(share.totalGroups);
}

} // namespace

double standardErrorOfTotal(std::span<const GroupCount> groups, const SampledShare &share) {
  if (share.groups == share.totalGroups)
    return 0;
  if (groups.size() < 2)
    return kNone;
  uint64_t sum = 0;
  for (const GroupCount &group : groups)
    sum += group.count;
  // The group's count minus its expected share, multiplied by the work-items of the sample. This is
  // an integer, so it is exactly 0 if all groups have the same count per work-item.
  const auto excess = [&](const GroupCount &group) {
    return SignedWide{group.count} * share.items - SignedWide{sum} * group.items;
  };
  double squares = 0;
  for (size_t i = 0; i + 1 < groups.size(); ++i) {
    const double difference = static_cast<double>(excess(groups[i + 1]) - excess(groups[i])) /
                              static_cast<double>(share.items);
    squares += difference * difference;
  }
  const auto n = static_cast<double>(groups.size());
  const double expansion = static_cast<double>(share.totalItems) / static_cast<double>(share.items);
  return expansion * std::sqrt(unsampled(share) * n / (2 * (n - 1)) * squares);
}

double hiddenError(double value, const SampledShare &share) {
  constexpr double kOfThree = 3;
  return unsampled(share) * std::abs(value) *
         std::min(1.0, kOfThree / static_cast<double>(share.groups)) / 2;
}

double standardErrorOfMean(std::span<const double> parts, const SampledShare &share) {
  // Sum deviations from the first value, so that equal values give exactly 0.
  double first = kNone;
  double sum = 0;
  double squares = 0;
  double n = 0;
  for (const double value : parts) {
    if (std::isnan(value))
      continue;
    if (n == 0)
      first = value;
    sum += value - first;
    squares += (value - first) * (value - first);
    ++n;
  }
  if (n < 2)
    return kNone;
  const double deviations = std::max(0.0, squares - sum * sum / n);
  return std::sqrt(unsampled(share) * deviations / (n * (n - 1)));
}

} // namespace aiwc::metrics
