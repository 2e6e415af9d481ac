#include "predict/kernel_work.h"

#include "predict/execution_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace aiwc::predict {

using profile::KernelProfile;
using profile::Metric;

namespace {

/// Integer operations for each floating-point one above which the latter are beside the point. A
/// tree reduction, of whose work-items most compute indices alone, comes to some twenty.
constexpr double kIntegerPerFloatingPoint = 100;

std::string valueOf(const KernelProfile &kernel, Metric metric) {
  const double value = kernel.real(metric);
  return fmt::format("metrics.{} {}", profile::info(metric).key,
                     std::isnan(value) ? "has no value" : fmt::format("is {:g}", value));
}

/// Empty where the metric is in [minimum, maximum].
std::string outside(const KernelProfile &kernel, Metric metric, double minimum, double maximum) {
  const double value = kernel.real(metric);
  if (value >= minimum && value <= maximum)
    return {};
  return fmt::format("{}: expected {}", valueOf(kernel, metric),
                     std::isinf(maximum) ? fmt::format("{:g} or more", minimum)
                                         : fmt::format("{:g} to {:g}", minimum, maximum));
}

std::string unusableMetric(const KernelProfile &kernel) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const bool floatingPoint = isFloatingPoint(kernel);
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
    for (const Metric metric : laneUtilization(floatingPoint))
      check(metric, smallest, 1);
  for (const Metric metric : kVectorMetric<"coalescing">)
    if (!std::holds_alternative<std::monostate>(kernel[metric])) // where no lane accesses memory
      check(metric, smallest, 1);
  return found;
}

} // namespace

profile::MetricVector laneUtilization(bool floatingPoint) {
  return floatingPoint ? kVectorMetric<"lane_utilization_fp"> : kVectorMetric<"lane_utilization">;
}

bool isFloatingPoint(const KernelProfile &kernel) {
  const auto operations = static_cast<double>(kernel.count("fp_ops"_metric));
  return operations > 0 && operations * kIntegerPerFloatingPoint >=
                               static_cast<double>(kernel.count("int_ops"_metric));
}

Levels sumOf(const KernelProfile &kernel, double cores, double share) {
  const auto &widths = kernel.histograms.asapFpLevels; // increasing
  const auto wide = std::ranges::partition_point(
      widths, [&](const auto &entry) { return static_cast<double>(entry.first) * share <= cores; });
  // Integers alone: about a nanosecond per width.
  const auto add = [](auto begin, auto end) {
    Levels sum;
    for (; begin != end; ++begin) {
      sum.levels += begin->second;
      sum.operations += begin->first * begin->second;
    }
    return sum;
  };
  // The first take the cores one step each, the others as many as their operations fill.
  const Levels narrow = add(widths.begin(), wide);
  const Levels others = add(wide, widths.end());
  return {narrow.levels + others.levels, narrow.operations + others.operations,
          static_cast<double>(narrow.levels) +
              static_cast<double>(others.operations) * share / cores};
}

std::string unusableFields(const KernelProfile &kernel) {
  if (!kernel.complete)
    return fmt::format("complete is false ({}): expected a profile of a whole invocation",
                       kernel.reason.empty() ? "no reason given" : kernel.reason);
  if (kernel.reuse.lineBytes == 0)
    return "reuse.line_bytes is 0: expected a profile with reuse distances";
  return unusableMetric(kernel);
}

std::string contradiction(const KernelProfile &kernel, const Levels &sum) {
  const auto differ = [&](Metric metric, uint64_t value, const char *what) {
    return kernel.count(metric) == value
               ? std::string()
               : fmt::format("histograms.asap_fp_levels has {} {}: expected {}, the value of "
                             "metrics.{}",
                             value, what, kernel.count(metric), profile::info(metric).key);
  };
  std::string found = differ("fp_ops"_metric, sum.operations, "operations");
  return found.empty() ? differ("asap_fp_depth"_metric, sum.levels, "levels") : found;
}

} // namespace aiwc::predict
