#include "predict/execution_cost.h"

#include "common/error.h"
#include "predict/kernel_work.h"
#include "profile/reuse.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace aiwc::predict {

namespace {

using profile::KernelProfile;
using profile::Metric;

constexpr double kFromGiga = 1e9;
constexpr double kFromMicro = 1e-6;

/// The metric at the smallest of the widths that is not below the device's, or at the last.
Metric atLaneWidth(const profile::MetricVector &metrics, double laneWidth) {
  size_t i = 0;
  while (i + 1 < metrics.size() && metrics.parameters()[i] < laneWidth)
    ++i;
  return metrics[i];
}

/// How much of the floating-point work runs at the double-precision rate.
double doubleShare(const KernelProfile &kernel, Precision precision) {
  if (precision != Precision::kAsProfiled)
    return precision == Precision::kDouble ? 1 : 0;
  if (!isFloatingPoint(kernel))
    return 0;
  return kernel.real("fp_ops_f64"_metric) / kernel.real("fp_ops"_metric);
}

double positive(const DeviceProfile &device, Parameter parameter) {
  const double value = device[parameter];
  if (!(value > 0) || std::isinf(value))
    throw Error(fmt::format("device {}: {} is {:g}: expected a positive number", device.id,
                            info(parameter).key, value));
  return value;
}

double notNegative(const DeviceProfile &device, Parameter parameter) {
  const double value = device[parameter];
  if (!(value >= 0) || std::isinf(value))
    throw Error(fmt::format("device {}: {} is {:g}: expected a number that is not negative",
                            device.id, info(parameter).key, value));
  return value;
}

uint64_t bytesOf(double value) {
  constexpr double kMaximum = 9e18; // below 2^63
  return static_cast<uint64_t>(std::min(value, kMaximum));
}

/// pi0 of the kernel's mix of precisions, in GFLOP/s of a core.
double coreGflops(double doubleShare, const DeviceProfile &device, bool &doubleRateForSingle) {
  double nanoseconds = 0; // per operation
  if (doubleShare > 0)
    nanoseconds += doubleShare / positive(device, Parameter::kFp64Rate);
  if (doubleShare < 1) {
    doubleRateForSingle = !device.has(Parameter::kFp32Rate) && device.has(Parameter::kFp64Rate);
    nanoseconds += (1 - doubleShare) / positive(device, doubleRateForSingle ? Parameter::kFp64Rate
                                                                            : Parameter::kFp32Rate);
  }
  return 1 / nanoseconds;
}

/// What the schedule asks of the cores and of the latencies.
struct Schedule {
  double operations = 0; ///< of the whole kernel
  double depth = 0;      ///< D of T_comp
  double accesses = 0;   ///< D of T_mem
  double steps = 0;      ///< sum over levels of w / min(w, n_p)
};

Schedule floatingPointSchedule(const KernelProfile &kernel, double cores, double share) {
  const Levels sum = sumOf(kernel, cores, share);
  if (const std::string found = contradiction(kernel, sum); !found.empty())
    throw Error(fmt::format("kernel {}: {}", kernel.provenance.kernel, found));
  const auto depth = static_cast<double>(sum.levels);
  return {static_cast<double>(sum.operations), depth, depth, sum.steps};
}

Schedule scheduleOfAll(const KernelProfile &kernel, double cores, double share) {
  const auto depth = static_cast<double>(kernel.count("asap_depth"_metric));
  if (depth == 0)
    return {};
  // A ratio in the profile: back to the count that it was made from.
  const double nodes = std::round(kernel.real("asap_parallelism"_metric) * depth);
  const double accesses = kernel.real("total_reads"_metric) + kernel.real("total_writes"_metric);
  return {nodes, depth, depth * std::min(1.0, accesses / nodes),
          depth * std::max(1.0, nodes / depth * share / cores)};
}

/// Q_s L and Q_f L.
void setTraffic(const KernelProfile &kernel, const DeviceProfile &device, double share,
                Cost &cost) {
  const auto fastCapacity = bytesOf(positive(device, Parameter::kFastCapacity));
  const uint64_t slow = profile::slowAccesses(kernel, fastCapacity);
  const uint64_t all = profile::lineAccesses(kernel);
  const double hits = all == 0 ? 0 : static_cast<double>(all - slow) / static_cast<double>(all);
  const double global =
      kernel.real("bytes_read_global"_metric) + kernel.real("bytes_written_global"_metric) +
      kernel.real("bytes_read_constant"_metric) + kernel.real("bytes_written_constant"_metric);
  const double local =
      kernel.real("bytes_read_local"_metric) + kernel.real("bytes_written_local"_metric);
  cost.slowBytes = static_cast<double>(slow) * static_cast<double>(kernel.reuse.lineBytes) * share;
  cost.fastBytes = (global * hits + local) / cost.coalescing * share;
}

void setLaneFactors(const KernelProfile &kernel, const DeviceProfile &device, Cost &cost) {
  const double width = positive(device, Parameter::kLaneWidth);
  if (width <= 1)
    return;
  const Metric utilization = atLaneWidth(laneUtilization(cost.floatingPoint), width);
  const Metric coalescing = atLaneWidth(kVectorMetric<"coalescing">, width);
  if (!std::holds_alternative<std::monostate>(kernel[utilization])) // no instruction at all
    cost.laneUtilization = kernel.real(utilization);
  if (!std::holds_alternative<std::monostate>(kernel[coalescing]))
    cost.coalescing = kernel.real(coalescing);
}

/// What follows from the terms.
void summarise(const DeviceProfile &device, Cost &cost) {
  cost.seconds = 0;
  for (size_t i = 0; i < kTermCount; ++i) {
    cost.seconds += cost.terms[i];
    if (cost.terms[i] > cost.terms[static_cast<size_t>(cost.boundBy)])
      cost.boundBy = static_cast<Term>(i);
  }
  cost.upperBoundGflops = cost.seconds > 0 ? cost.operations / cost.seconds / kFromGiga : 0;
  cost.intensity = cost.slowBytes > 0 ? cost.operations / cost.slowBytes
                                      : std::numeric_limits<double>::infinity();
  cost.rooflineGflops = std::min(device[Parameter::kCores] * cost.coreGflops,
                                 cost.intensity * device[Parameter::kSlowBandwidth]);
}

} // namespace

std::string ExecutionCostModel::unusable(const KernelProfile &kernel) const {
  std::string found = unusableFields(kernel);
  return found.empty() && isFloatingPoint(kernel) ? contradiction(kernel, sumOf(kernel, 1, 1))
                                                  : found;
}

std::vector<Parameter> ExecutionCostModel::lacking(const KernelProfile &kernel,
                                                   const DeviceProfile &device) const {
  const double atDoubleRate = doubleShare(kernel, precision_);
  std::vector<Parameter> missing;
  for (const ParameterInfo &row : parameters()) {
    bool needed = false;
    switch (row.parameter) {
    case Parameter::kCores:
    case Parameter::kFastCapacity:
    case Parameter::kFastBandwidth:
    case Parameter::kFastLatency:
    case Parameter::kSlowBandwidth:
    case Parameter::kSlowLatency:
    case Parameter::kSyncCost:
    case Parameter::kLaneWidth:
      needed = true;
      break;
    case Parameter::kFp32Rate:
      needed = atDoubleRate < 1 && !device.has(Parameter::kFp64Rate);
      break;
    case Parameter::kFp64Rate:
      needed = atDoubleRate > 0;
      break;
    default:
      break;
    }
    if (needed && !device.has(row.parameter))
      missing.push_back(row.parameter);
  }
  return missing;
}

Cost ExecutionCostModel::cost(const KernelProfile &kernel, const DeviceProfile &device,
                              double share) const {
  if (const std::string found = unusableFields(kernel); !found.empty())
    throw Error(fmt::format("kernel {}: {}", kernel.provenance.kernel, found));
  if (!(share > 0 && share <= 1))
    throw Error(fmt::format("kernel {}: a share of {:g} of its work-groups: expected one above 0 "
                            "and at most 1",
                            kernel.provenance.kernel, share));
  Cost cost;
  cost.floatingPoint = isFloatingPoint(kernel);
  cost.coreGflops = coreGflops(doubleShare(kernel, precision_), device, cost.doubleRateForSingle);
  cost.instructionMix =
      cost.floatingPoint ? kernel.real("instruction_mix_factor"_metric) : kUnfused;
  setLaneFactors(kernel, device, cost);
  setTraffic(kernel, device, share, cost);

  const double cores = positive(device, Parameter::kCores);
  const Schedule schedule = cost.floatingPoint ? floatingPointSchedule(kernel, cores, share)
                                               : scheduleOfAll(kernel, cores, share);
  cost.operations = schedule.operations * share;
  const double rate = cost.coreGflops * kFromGiga;
  const auto term = [&](Term which) -> double & { return cost.terms[static_cast<size_t>(which)]; };
  term(Term::kCompute) =
      schedule.depth / rate + schedule.steps / (rate * cost.laneUtilization * cost.instructionMix);
  term(Term::kFastMemory) =
      cost.fastBytes / (positive(device, Parameter::kFastBandwidth) * kFromGiga);
  term(Term::kSlowMemory) =
      cost.slowBytes / (positive(device, Parameter::kSlowBandwidth) * kFromGiga);
  term(Term::kLatency) = (notNegative(device, Parameter::kFastLatency) +
                          notNegative(device, Parameter::kSlowLatency)) *
                         kFromMicro * schedule.accesses;
  term(Term::kSynchronization) =
      kernel.real("sync_points"_metric) * notNegative(device, Parameter::kSyncCost) * kFromMicro;
  summarise(device, cost);
  return cost;
}

} // namespace aiwc::predict
