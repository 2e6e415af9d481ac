#include "predict/execution_cost.h"

#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace aiwc::predict {

namespace {

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

/// The fraction of the floating-point work that runs at the double-precision rate.
double doubleShare(const KernelWork &work, Precision precision) {
  if (precision != Precision::kAsProfiled)
    return precision == Precision::kDouble ? 1 : 0;
  return work.doubleShare;
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

/// The quantities of the schedule that the compute and latency terms need.
struct Schedule {
  double operations = 0; ///< of the whole kernel
  double depth = 0;      ///< D of T_comp
  double accesses = 0;   ///< D of T_mem
  double steps = 0;      ///< sum over levels of w / min(w, n_p)
};

Schedule floatingPointSchedule(const KernelWork &work, double cores, double share) {
  const auto depth = static_cast<double>(work.levels.levels());
  return {static_cast<double>(work.levels.operations()), depth, depth,
          work.levels.steps(cores, share)};
}

Schedule scheduleOfAll(const KernelWork &work, double cores, double share) {
  if (work.depth == 0)
    return {};
  return {work.nodes, work.depth, work.depth * std::min(1.0, work.accesses / work.nodes),
          work.depth * std::max(1.0, work.nodes / work.depth * share / cores)};
}

/// Q_s L and Q_f L.
void setTraffic(const KernelWork &work, const DeviceProfile &device, double share, Cost &cost) {
  const uint64_t slow = work.slowAccesses(bytesOf(positive(device, Parameter::kFastCapacity)));
  const uint64_t all = work.slowAccesses.all();
  const double hits = all == 0 ? 0 : static_cast<double>(all - slow) / static_cast<double>(all);
  cost.slowBytes = static_cast<double>(slow) * work.lineBytes * share;
  cost.fastBytes = (work.globalBytes * hits + work.localBytes) / cost.coalescing * share;
}

void setLaneFactors(const KernelWork &work, const DeviceProfile &device, Cost &cost) {
  const double width = positive(device, Parameter::kLaneWidth);
  if (width <= 1)
    return;
  cost.laneUtilization = atLaneWidth(work.laneUtilization, width);
  cost.coalescing = atLaneWidth(work.coalescing, width);
}

/// Computes the values that follow from the terms.
void summarise(const DeviceProfile &device, Cost &cost) {
  cost.seconds = 0;
  for (size_t i = 0; i < kTermCount; ++i) {
    cost.parts[i] = cost.terms[i];
    cost.seconds += cost.terms[i];
    if (cost.terms[i] > cost.terms[cost.boundBy])
      cost.boundBy = i;
  }
  cost.upperBoundGflops = cost.seconds > 0 ? cost.operations / cost.seconds / kFromGiga : 0;
  cost.intensity = cost.slowBytes > 0 ? cost.operations / cost.slowBytes
                                      : std::numeric_limits<double>::infinity();
  cost.rooflineGflops = std::min(device[Parameter::kCores] * cost.coreGflops,
                                 cost.intensity * device[Parameter::kSlowBandwidth]);
}

} // namespace

std::string ExecutionCostModel::unusable(const KernelWork &work) const {
  return work.unusable;
}

std::vector<Parameter> ExecutionCostModel::lacking(const KernelWork &work,
                                                   const DeviceProfile &device) const {
  const double atDoubleRate = doubleShare(work, precision_);
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

Cost ExecutionCostModel::cost(const KernelWork &work, const DeviceProfile &device,
                              double share) const {
  if (!work.unusable.empty())
    throw Error(fmt::format("kernel {}: {}", work.kernel, work.unusable));
  requireShare(work, share);
  Cost cost;
  cost.floatingPoint = work.floatingPoint;
  cost.coreGflops = coreGflops(doubleShare(work, precision_), device, cost.doubleRateForSingle);
  cost.instructionMix = work.instructionMix;
  setLaneFactors(work, device, cost);
  setTraffic(work, device, share, cost);

  const double cores = positive(device, Parameter::kCores);
  const Schedule schedule = cost.floatingPoint ? floatingPointSchedule(work, cores, share)
                                               : scheduleOfAll(work, cores, share);
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
      work.syncPoints * notNegative(device, Parameter::kSyncCost) * kFromMicro;
  summarise(device, cost);
  return cost;
}

} // namespace aiwc::predict
