#include "predict/costed_launch.h"

#include "common/error.h"
#include "predict/fitted/launch_demand.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace aiwc::predict {

using profile::KernelProfile;
using profile::Metric;

namespace {

/// The work is not floating point if there are more integer operations than this per floating-point
/// operation. A tree reduction, in which most work-items only compute indices, has about twenty.
constexpr double kIntegerPerFloatingPoint = 100;

bool hasValue(const KernelProfile &profile, Metric metric) {
  return !std::holds_alternative<std::monostate>(profile[metric]);
}

std::unique_ptr<const LaunchCosts> prepared(const KernelProfile &profile, const CostModel &model) {
  if (const std::string reason = model.whyNot(profile); !reason.empty())
    throw Error(fmt::format("kernel {}: {}", profile.provenance.kernel, reason));
  return model.prepare(profile);
}

} // namespace

bool isFloatingPoint(const KernelProfile &profile) {
  const auto operations = static_cast<double>(profile.count("fp_ops"_metric));
  return operations > 0 && operations * kIntegerPerFloatingPoint >=
                               static_cast<double>(profile.count("int_ops"_metric));
}

LaunchTraffic::LaunchTraffic(const KernelProfile &profile) {
  for (const Metric metric : {"host_to_device_bytes"_metric, "host_to_device_transfers"_metric,
                              "device_to_host_bytes"_metric, "device_to_host_transfers"_metric})
    if (!hasValue(profile, metric) && unknown.empty())
      unknown = fmt::format("metrics.{} has no value: expected a count, which the transfers need",
                            profile::info(metric).key);
  const auto traffic = [&](Metric bytes, Metric transfers, Direction direction) {
    return HostTraffic{static_cast<double>(profile.count(bytes)), profile.count(transfers),
                       direction};
  };
  writes = traffic("host_to_device_bytes"_metric, "host_to_device_transfers"_metric,
                   Direction::kToDevice);
  reads =
      traffic("device_to_host_bytes"_metric, "device_to_host_transfers"_metric, Direction::kToHost);
}

CostedLaunch::CostedLaunch(const KernelProfile &profile, const CostModel &model)
    : kernel(profile.provenance.kernel), workDim(profile.provenance.workDim),
      globalOffset(profile.provenance.globalOffset), globalSize(profile.provenance.globalSize),
      localSize(profile.provenance.localSize), traffic(profile), model_(&model),
      costs_(prepared(profile, model)) {
  if (hasValue(profile, "footprint_bytes"_metric))
    footprintBytes = profile.count("footprint_bytes"_metric);
  matrixOps = matrixOpsOf(profile);
}

Cost CostedLaunch::cost(const DeviceProfile &device, double share) const {
  if (!(share > 0 && share <= 1))
    throw Error(fmt::format("kernel {}: a share of {:g} of its work-groups: expected one above 0 "
                            "and at most 1",
                            kernel, share));
  return costs_->on(device, share);
}

double CostedLaunch::transferSeconds(const DeviceProfile &device, double share, bool wholeInput,
                                     HostMemory memory) const {
  if (!traffic.unknown.empty())
    throw Error(traffic.unknown);
  HostTraffic in = traffic.writes;
  HostTraffic out = traffic.reads;
  if (!wholeInput)
    in.bytes *= share;
  out.bytes *= share;
  return model_->transferSeconds(in, device, memory) + model_->transferSeconds(out, device, memory);
}

std::optional<Interval> CostedLaunch::interval(const DeviceProfile &device, const Cost &cost,
                                               double exposed) const {
  const auto with = [&](HostMemory memory) {
    return model_->interval(device, cost,
                            exposed > 0 ? exposed * transferSeconds(device, 1, false, memory) : 0);
  };
  std::optional<Interval> interval = with(HostMemory::kPageable);
  if (interval && exposed > 0)
    interval->low = std::min(interval->low, with(HostMemory::kPinned)->low);
  return interval;
}

} // namespace aiwc::predict
