#include "metrics/sampled_groups/sample_choice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace aiwc::metrics {

using namespace aiwc::literals;
using profile::KernelProfile;
using profile::Metric;

bool SampleChoice::startsAgainAfter(uint64_t done, uint64_t instructions) {
  // A sample of more than half of the groups saves too little.
  mayBeLong_ = mayBeLong_ && done <= groups_ / 2 && groups_ >= 2 * goal_.groups;
  // After 1, 2, 4, 8, ... groups, so that the first groups decide only about what is like them.
  if (!mayBeLong_ || !std::has_single_bit(done))
    return false;
  const double all =
      static_cast<double>(instructions) / static_cast<double>(done) * static_cast<double>(groups_);
  if (all <= static_cast<double>(goal_.instructions))
    return false;
  mayBeLong_ = false;
  sampled_ = goal_.groups;
  return true;
}

bool SampleChoice::startsAgainWith(double relativeError) {
  if (sampled_ == 0 || relativeError <= goal_.relativeError)
    return false;
  // The error falls with the root of the sample's size; a tenth more, since it is an estimate.
  const double factor = relativeError / goal_.relativeError;
  const double wanted = 1.1 * static_cast<double>(sampled_) * factor * factor;
  const bool known = wanted <= static_cast<double>(groups_) / 2; // false if the error is not known
  sampled_ = known ? std::max(2 * sampled_, static_cast<uint64_t>(wanted)) : 0;
  if (sampled_ > groups_ / 2)
    sampled_ = 0;
  return true;
}

double largestRelativeError(const KernelProfile &profile) {
  constexpr double kLeastShare = 0.05;
  constexpr std::array kOperations = {"total_instruction_count"_metric, "fp_ops"_metric,
                                      "int_ops"_metric, "total_reads"_metric,
                                      "total_writes"_metric};
  constexpr std::array kBytes = {"bytes_read_global"_metric, "bytes_written_global"_metric,
                                 "bytes_read_local"_metric, "bytes_written_local"_metric};
  constexpr std::array kShares = {"lane_utilization_32"_metric, "coalescing_32"_metric};
  double largest = 0;
  const auto add = [&](Metric metric, double least) {
    const double value = profile.real(metric);
    if (std::isnan(value) || std::isnan(largest))
      return;
    const double relativeTo = std::max(value, least);
    const double error = profile.standardError(metric);
    // The larger one, and NaN if one is.
    const double relative = relativeTo > 0 ? error / relativeTo : std::isnan(error) ? error : 0;
    largest = std::isnan(relative) ? relative : std::max(largest, relative);
  };
  for (const Metric metric : kOperations)
    add(metric, kLeastShare * profile.real("total_instruction_count"_metric));
  double bytes = 0;
  for (const Metric metric : kBytes)
    bytes += profile.real(metric);
  for (const Metric metric : kBytes)
    add(metric, kLeastShare * bytes);
  for (const Metric metric : kShares)
    add(metric, 0);
  return largest;
}

} // namespace aiwc::metrics
