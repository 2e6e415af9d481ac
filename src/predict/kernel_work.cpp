#include "predict/kernel_work.h"

#include "common/error.h"
#include "profile/access_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <variant>

namespace aiwc::predict {

using profile::KernelProfile;
using profile::Metric;

namespace {

/// The work is not floating point if there are more integer operations than this per floating-point
/// operation. A tree reduction, in which most work-items only compute indices, has about twenty.
constexpr double kIntegerPerFloatingPoint = 100;

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

profile::MetricVector laneUtilization(bool floatingPoint) {
  return floatingPoint ? kVectorMetric<"lane_utilization_fp"> : kVectorMetric<"lane_utilization">;
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

/// All but the sums of the histogram, which `contradiction` looks at.
std::string unusableFields(const KernelProfile &kernel) {
  if (!kernel.complete)
    return fmt::format("complete is false ({}): expected a profile of a whole invocation",
                       kernel.reason.empty() ? "no reason given" : kernel.reason);
  if (kernel.reuse.lineBytes == 0)
    return "reuse.line_bytes is 0: expected a profile with reuse distances";
  return unusableMetric(kernel);
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

void setTransfers(const KernelProfile &kernel, KernelWork &work) {
  for (const Metric metric : {"host_to_device_bytes"_metric, "host_to_device_transfers"_metric,
                              "device_to_host_bytes"_metric, "device_to_host_transfers"_metric})
    if (!valueIn(kernel, metric) && work.unknownTransfers.empty())
      work.unknownTransfers =
          fmt::format("metrics.{} has no value: expected a count, which the transfers need",
                      profile::info(metric).key);
  const auto traffic = [&](Metric bytes, Metric transfers, Direction direction) {
    return HostTraffic{static_cast<double>(kernel.count(bytes)), kernel.count(transfers),
                       direction};
  };
  work.hostWrites = traffic("host_to_device_bytes"_metric, "host_to_device_transfers"_metric,
                            Direction::kToDevice);
  work.hostReads =
      traffic("device_to_host_bytes"_metric, "device_to_host_transfers"_metric, Direction::kToHost);
}

std::vector<LaneFactor> laneFactors(const KernelProfile &kernel,
                                    const profile::MetricVector &metrics) {
  std::vector<LaneFactor> factors;
  for (size_t i = 0; i < metrics.size(); ++i)
    factors.push_back({static_cast<double>(metrics.parameters()[i]), valueIn(kernel, metrics[i])});
  return factors;
}

/// The schedule of all operations.
void setSchedule(const KernelProfile &kernel, KernelWork &work) {
  work.depth = static_cast<double>(kernel.count("asap_depth"_metric));
  // The profile has a ratio; this restores the count that it was computed from.
  work.nodes = std::round(kernel.real("asap_parallelism"_metric) * work.depth);
  work.accesses = kernel.real("total_reads"_metric) + kernel.real("total_writes"_metric);
}

void setIdioms(const KernelProfile &kernel, KernelWork &work) {
  if (!kernel.complete) {
    work.unusableIdioms = "complete is false: expected the profile of a whole invocation";
    return;
  }
  if (!kernel.accesses) {
    work.unusableIdioms = "accesses is missing: expected a profile that was characterised by this "
                          "version, neither embedded nor scaled";
    return;
  }
  for (const profile::IdiomInstance &instance : profile::idiomInstances(*kernel.accesses)) {
    IdiomWork idiom;
    idiom.idiom = instance.idiom;
    idiom.footprint = static_cast<double>(instance.footprint);
    for (const profile::AccessRow *row : instance.accesses)
      if (row->space != profile::MemorySpace::kLocal)
        (row->laneStride == 0 ? idiom.sharedBytes : idiom.bytes) += static_cast<double>(row->bytes);
    if (instance.bytes > 0)
      work.idioms.push_back(idiom);
  }
}

} // namespace

bool isFloatingPoint(const KernelProfile &kernel) {
  const auto operations = static_cast<double>(kernel.count("fp_ops"_metric));
  return operations > 0 && operations * kIntegerPerFloatingPoint >=
                               static_cast<double>(kernel.count("int_ops"_metric));
}

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

KernelWork KernelWork::from(const KernelProfile &kernel) {
  KernelWork work;
  const profile::Provenance &provenance = kernel.provenance;
  work.kernel = provenance.kernel;
  work.workDim = provenance.workDim;
  work.globalOffset = provenance.globalOffset;
  work.globalSize = provenance.globalSize;
  work.localSize = provenance.localSize;
  work.workItems = kernel.count("work_items"_metric);
  work.unusableDemand = predict::unusableDemand(kernel);
  if (work.unusableDemand.empty())
    work.demand = demandOf(kernel);
  work.floatingPoint = isFloatingPoint(kernel);
  work.levels = LevelWidths(kernel.histograms.asapFpLevels);
  work.unusable = unusableFields(kernel);
  if (work.floatingPoint) {
    work.doubleShare = kernel.real("fp_ops_f64"_metric) / kernel.real("fp_ops"_metric);
    work.instructionMix = kernel.real("instruction_mix_factor"_metric);
    if (work.unusable.empty())
      work.unusable = contradiction(kernel, work.levels);
  } else {
    setSchedule(kernel, work);
  }
  work.laneUtilization = laneFactors(kernel, predict::laneUtilization(work.floatingPoint));
  work.coalescing = laneFactors(kernel, kVectorMetric<"coalescing">);
  work.slowAccesses = profile::SlowAccesses(kernel);
  work.lineBytes = static_cast<double>(kernel.reuse.lineBytes);
  work.globalBytes =
      kernel.real("bytes_read_global"_metric) + kernel.real("bytes_written_global"_metric) +
      kernel.real("bytes_read_constant"_metric) + kernel.real("bytes_written_constant"_metric);
  work.localBytes =
      kernel.real("bytes_read_local"_metric) + kernel.real("bytes_written_local"_metric);
  work.syncPoints = kernel.real("sync_points"_metric);
  if (valueIn(kernel, "footprint_bytes"_metric))
    work.footprintBytes = kernel.count("footprint_bytes"_metric);
  setTransfers(kernel, work);
  setIdioms(kernel, work);
  return work;
}

void KernelWork::requireTransfers() const {
  if (!unknownTransfers.empty())
    throw Error(unknownTransfers);
}

} // namespace aiwc::predict
