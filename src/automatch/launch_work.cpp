#include "automatch/launch_work.h"

#include "predict/costed_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <variant>

namespace aiwc::automatch {

using profile::KernelProfile;
using profile::Metric;

namespace {

std::string valueOf(const KernelProfile &kernel, Metric metric) {
  const double value = kernel.real(metric);
  return fmt::format("metrics.{} {}", profile::info(metric).key,
                     std::isnan(value) ? "has no value" : fmt::format("is {:g}", value));
}

/// Why the metric is outside of [minimum, maximum]; empty if it is inside.
std::string outside(const KernelProfile &kernel, Metric metric, double minimum, double maximum) {
  const double value = kernel.real(metric);
  if (value >= minimum && value <= maximum)
    return {};
  return fmt::format("{}: expected {}", valueOf(kernel, metric),
                     std::isinf(maximum) ? fmt::format("{:g} or more", minimum)
                                         : fmt::format("{:g} to {:g}", minimum, maximum));
}

profile::MetricVector laneUtilizationOf(bool floatingPoint) {
  return floatingPoint ? kVectorMetric<"lane_utilization_fp"> : kVectorMetric<"lane_utilization">;
}

std::string wrongMetric(const KernelProfile &kernel) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const bool floatingPoint = predict::isFloatingPoint(kernel);
  std::string found;
  const auto check = [&](Metric metric, double minimum, double maximum) {
    if (found.empty())
      found = outside(kernel, metric, minimum, maximum);
  };
  for (const Metric metric :
       {"fp_ops"_metric, "int_ops"_metric, "bytes_read_global"_metric,
        "bytes_written_global"_metric, "bytes_read_constant"_metric,
        "bytes_written_constant"_metric, "bytes_read_local"_metric, "bytes_written_local"_metric})
    check(metric, 0, kAny);
  check("sync_points"_metric, 1, kAny);
  const double smallest = std::numeric_limits<double>::min();
  if (floatingPoint) {
    check("asap_fp_depth"_metric, 1, kAny);
    check("instruction_mix_factor"_metric, kUnfused, 1);
    check("fp_ops_f64"_metric, 0, kernel.real("fp_ops"_metric));
  } else {
    check("asap_depth"_metric, 0, kAny);
    check("total_reads"_metric, 0, kAny);
    check("total_writes"_metric, 0, kAny);
    if (kernel.count("asap_depth"_metric) > 0)
      check("asap_parallelism"_metric, 1, kAny);
  }
  if (floatingPoint || kernel.count("asap_depth"_metric) > 0)
    for (const Metric metric : laneUtilizationOf(floatingPoint))
      check(metric, smallest, 1);
  for (const Metric metric : kVectorMetric<"coalescing">)
    if (!std::holds_alternative<std::monostate>(kernel[metric])) // where no lane accesses memory
      check(metric, smallest, 1);
  return found;
}

/// All but the sums of the histogram, which `contradiction` looks at.
std::string wrongField(const KernelProfile &kernel) {
  if (!kernel.complete)
    return fmt::format("complete is false ({}): expected a profile of a whole invocation",
                       kernel.reason.empty() ? "no reason given" : kernel.reason);
  if (kernel.reuse.lineBytes == 0)
    return "reuse.line_bytes is 0: expected a profile with reuse distances";
  return wrongMetric(kernel);
}

std::string contradiction(const KernelProfile &kernel, const LevelWidths &levels) {
  const auto differ = [&](Metric metric, uint64_t value, const char *what) {
    return kernel.count(metric) == value
               ? std::string()
               : fmt::format("histograms.asap_fp_levels has {} {}: expected {}, the value of "
                             "metrics.{}",
                             value, what, kernel.count(metric), profile::info(metric).key);
  };
  std::string found = differ("fp_ops"_metric, levels.operations(), "operations");
  return found.empty() ? differ("asap_fp_depth"_metric, levels.levels(), "levels") : found;
}

std::optional<double> valueIn(const KernelProfile &kernel, Metric metric) {
  if (std::holds_alternative<std::monostate>(kernel[metric]))
    return std::nullopt;
  return kernel.real(metric);
}

std::vector<LaneFactor> laneFactors(const KernelProfile &kernel,
                                    const profile::MetricVector &metrics) {
  std::vector<LaneFactor> factors;
  for (size_t i = 0; i < metrics.size(); ++i)
    factors.push_back({static_cast<double>(metrics.parameters()[i]), valueIn(kernel, metrics[i])});
  return factors;
}

} // namespace

LevelWidths::LevelWidths(const profile::Histogram &widths) {
  upTo_.reserve(widths.size());
  UpTo sum{};
  for (const auto &[width, levels] : widths) {
    sum.width = width;
    sum.levels += levels;
    sum.operations += width * levels;
    upTo_.push_back(sum);
  }
}

double LevelWidths::steps(double cores, double share) const {
  const auto wide = std::ranges::partition_point(
      upTo_, [&](const UpTo &entry) { return static_cast<double>(entry.width) * share <= cores; });
  // Levels no wider than the cores take one step each; wider ones take as many steps as their
  // operations fill.
  const UpTo narrow = wide == upTo_.begin() ? UpTo{} : *std::prev(wide);
  return static_cast<double>(narrow.levels) +
         static_cast<double>(operations() - narrow.operations) * share / cores;
}

std::string whyNoWork(const KernelProfile &kernel) {
  std::string found = wrongField(kernel);
  if (found.empty() && predict::isFloatingPoint(kernel))
    found = contradiction(kernel, LevelWidths(kernel.histograms.asapFpLevels));
  return found;
}

LaunchWork::LaunchWork(const KernelProfile &kernel)
    : floatingPoint(predict::isFloatingPoint(kernel)), levels(kernel.histograms.asapFpLevels),
      cacheMisses(kernel) {
  if (floatingPoint) {
    doubleShare = kernel.real("fp_ops_f64"_metric) / kernel.real("fp_ops"_metric);
    instructionMix = kernel.real("instruction_mix_factor"_metric);
  } else { // the schedule of all operations
    depth = static_cast<double>(kernel.count("asap_depth"_metric));
    // The profile has a ratio; this restores the count that it was computed from.
    nodes = std::round(kernel.real("asap_parallelism"_metric) * depth);
    accesses = kernel.real("total_reads"_metric) + kernel.real("total_writes"_metric);
  }
  laneUtilization = laneFactors(kernel, laneUtilizationOf(floatingPoint));
  coalescing = laneFactors(kernel, kVectorMetric<"coalescing">);
  lineBytes = static_cast<double>(kernel.reuse.lineBytes);
  globalBytes =
      kernel.real("bytes_read_global"_metric) + kernel.real("bytes_written_global"_metric) +
      kernel.real("bytes_read_constant"_metric) + kernel.real("bytes_written_constant"_metric);
  localBytes = kernel.real("bytes_read_local"_metric) + kernel.real("bytes_written_local"_metric);
  syncPoints = kernel.real("sync_points"_metric);
}

} // namespace aiwc::automatch
