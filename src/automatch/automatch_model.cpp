#include "automatch/automatch_model.h"

#include "common/error.h"
#include "predict/costed_launch.h"
#include "profile/kernel_profile.h"
#include "profile/reuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace aiwc::automatch {

using predict::Cost;
using predict::DeviceProfile;
using predict::Missing;
using predict::Parameter;
using predict::Term;
using profile::KernelProfile;
using profile::Metric;

namespace {

/// f_im of an operation outside of fused multiply-adds: 1/2, since pi0 counts a fused multiply-add
/// as two operations. This is the smallest f_im.
inline constexpr double kUnfused = 0.5;

/// The widths of a schedule's levels, as cumulative sums.
class LevelWidths {
public:
  LevelWidths() = default;
  explicit LevelWidths(const profile::Histogram &widths);

  uint64_t levels() const { return upTo_.empty() ? 0 : upTo_.back().levels; }
  uint64_t operations() const { return upTo_.empty() ? 0 : upTo_.back().operations; }
  /// The sum over levels of w / min(w, n_p), with all widths w scaled by `share`. O(log of the
  /// number of distinct widths).
  double steps(double cores, double share) const;

private:
  struct UpTo {
    uint64_t width, levels, operations; ///< totals of the levels up to this width
  };
  std::vector<UpTo> upTo_; ///< by increasing width
};

/// A metric measured for lane groups of `lanes` work-items. A kernel has one for each group size,
/// in increasing order.
struct LaneFactor {
  double lanes = 0;
  std::optional<double> value;
};

struct LaunchWork {
  /// `whyNoWork` must be empty.
  explicit LaunchWork(const profile::KernelProfile &profile);

  bool floatingPoint = true;
  double doubleShare = 0;           ///< fraction of the floating-point operations that have 64 bits
  double instructionMix = kUnfused; ///< f_im
  /// f_v; without a value if no instruction was executed.
  std::vector<LaneFactor> laneUtilization;
  /// The coalescing factor; without a value if no lane accesses memory.
  std::vector<LaneFactor> coalescing;
  LevelWidths levels; ///< of the schedule of floating-point operations
  /// From the schedule of all operations, used if the work is not floating point.
  double depth = 0, nodes = 0, accesses = 0;
  profile::CacheMisses cacheMisses;
  double lineBytes = 0;
  double globalBytes = 0, localBytes = 0; ///< read and written; constant memory is global
  double syncPoints = 0;
};

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

/// Why the equations cannot use the profile, as `FIELD is VALUE: expected ...`: it is incomplete,
/// was edited, or was cut off. Empty if they can.
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

// T_mem in three parts. T_sync includes the launch, which is one of the synchronisations.
constexpr std::array<predict::TermInfo, 5> kParts = {{
    {"compute", "compute", Term::kCompute},
    {"cache", "cache", Term::kCache},
    {"dram", "DRAM", Term::kDram},
    {"latency", "latency", Term::kLatency},
    {"synchronization", "synchronization", Term::kLaunch},
}};

constexpr double kFromGiga = 1e9;
constexpr double kFromMicro = 1e-6;

/// The factor at the smallest width that is not below the device's, or at the last width; 1 if it
/// has no value.
double atLaneWidth(const std::vector<LaneFactor> &factors, double laneWidth) {
  size_t i = 0;
  while (i + 1 < factors.size() && factors[i].lanes < laneWidth)
    ++i;
  return factors[i].value.value_or(1);
}

double positive(const DeviceProfile &device, Parameter parameter) {
  const double value = device[parameter];
  if (!(value > 0) || std::isinf(value))
    throw Error(fmt::format("device {}: {} is {:g}: expected a positive number", device.id,
                            predict::info(parameter).key, value));
  return value;
}

double notNegative(const DeviceProfile &device, Parameter parameter) {
  const double value = device[parameter];
  if (!(value >= 0) || std::isinf(value))
    throw Error(fmt::format("device {}: {} is {:g}: expected a number that is not negative",
                            device.id, predict::info(parameter).key, value));
  return value;
}

uint64_t bytesOf(double value) {
  constexpr double kMaximum = 9e18; // below 2^63
  return static_cast<uint64_t>(std::min(value, kMaximum));
}

/// pi0 of the kernel's mix of precisions, in GFLOP/s of a core.
double coreGflops(double doubleShare, const DeviceProfile &device) {
  double nanoseconds = 0; // per operation
  if (doubleShare > 0)
    nanoseconds += doubleShare / positive(device, Parameter::kFp64Rate);
  if (doubleShare < 1) {
    const bool atDoubleRate = !device.has(Parameter::kFp32Rate) && device.has(Parameter::kFp64Rate);
    nanoseconds += (1 - doubleShare) /
                   positive(device, atDoubleRate ? Parameter::kFp64Rate : Parameter::kFp32Rate);
  }
  return 1 / nanoseconds;
}

/// The quantities of the schedule that the compute and latency terms need.
struct Schedule {
  double depth = 0;    ///< D of T_comp
  double accesses = 0; ///< D of T_mem
  double steps = 0;    ///< sum over levels of w / min(w, n_p)
};

Schedule floatingPointSchedule(const LaunchWork &work, double cores, double share) {
  const auto depth = static_cast<double>(work.levels.levels());
  return {depth, depth, work.levels.steps(cores, share)};
}

Schedule scheduleOfAll(const LaunchWork &work, double cores, double share) {
  if (work.depth == 0)
    return {};
  return {work.depth, work.depth * std::min(1.0, work.accesses / work.nodes),
          work.depth * std::max(1.0, work.nodes / work.depth * share / cores)};
}

/// The factors at the device's lane width, in (0, 1].
struct LaneFactors {
  double utilization = 1; ///< f_v
  double coalescing = 1;
};

LaneFactors laneFactors(const LaunchWork &work, const DeviceProfile &device) {
  const double width = positive(device, Parameter::kLaneWidth);
  if (width <= 1)
    return {};
  return {atLaneWidth(work.laneUtilization, width), atLaneWidth(work.coalescing, width)};
}

/// Bytes that one share of the launch moves.
struct Traffic {
  double slow = 0; ///< Q_s L
  double fast = 0; ///< Q_f L
};

Traffic trafficOf(const LaunchWork &work, const DeviceProfile &device, double coalescing,
                  double share) {
  const uint64_t slow = work.cacheMisses(bytesOf(positive(device, Parameter::kCacheCapacity)));
  const uint64_t all = work.cacheMisses.all();
  const double hits = all == 0 ? 0 : static_cast<double>(all - slow) / static_cast<double>(all);
  return {static_cast<double>(slow) * work.lineBytes * share,
          (work.globalBytes * hits + work.localBytes) / coalescing * share};
}

class AutomatchCosts : public predict::LaunchCosts {
public:
  explicit AutomatchCosts(const profile::KernelProfile &profile) : work_(profile) {}

  Missing missing(const DeviceProfile &device) const override {
    Missing missing;
    const auto need = [&](Parameter parameter) {
      if (!device.has(parameter))
        missing.add(parameter);
    };
    for (const Parameter parameter :
         {Parameter::kCores, Parameter::kCacheCapacity, Parameter::kCacheBandwidth,
          Parameter::kCacheLatency, Parameter::kDramBandwidth, Parameter::kDramLatency,
          Parameter::kSyncCost, Parameter::kLaneWidth})
      need(parameter);
    if (work_.doubleShare < 1 && !device.has(Parameter::kFp64Rate))
      need(Parameter::kFp32Rate);
    if (work_.doubleShare > 0)
      need(Parameter::kFp64Rate);
    return missing;
  }

  Cost on(const DeviceProfile &device, double share) const override {
    const double rate = coreGflops(work_.doubleShare, device) * kFromGiga;
    const LaneFactors lanes = laneFactors(work_, device);
    const Traffic traffic = trafficOf(work_, device, lanes.coalescing, share);
    const double cores = positive(device, Parameter::kCores);
    const Schedule schedule = work_.floatingPoint ? floatingPointSchedule(work_, cores, share)
                                                  : scheduleOfAll(work_, cores, share);
    Cost cost;
    cost.parts = {schedule.depth / rate +
                      schedule.steps / (rate * lanes.utilization * work_.instructionMix),
                  traffic.fast / (positive(device, Parameter::kCacheBandwidth) * kFromGiga),
                  traffic.slow / (positive(device, Parameter::kDramBandwidth) * kFromGiga),
                  (notNegative(device, Parameter::kCacheLatency) +
                   notNegative(device, Parameter::kDramLatency)) *
                      kFromMicro * schedule.accesses,
                  work_.syncPoints * notNegative(device, Parameter::kSyncCost) * kFromMicro};
    cost.sumParts(kParts);
    return cost;
  }

private:
  LaunchWork work_;
};

} // namespace

std::span<const predict::TermInfo> AutomatchModel::parts() const {
  return kParts;
}

std::string AutomatchModel::whyNot(const profile::KernelProfile &profile) const {
  return whyNoWork(profile);
}

std::unique_ptr<const predict::LaunchCosts>
AutomatchModel::prepare(const profile::KernelProfile &profile) const {
  return std::make_unique<AutomatchCosts>(profile);
}

} // namespace aiwc::automatch
