#include "automatch/automatch_model.h"

#include "automatch/launch_work.h"
#include "common/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace aiwc::automatch {

using predict::Cost;
using predict::DeviceProfile;
using predict::Missing;
using predict::Parameter;
using predict::Term;

namespace {

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
