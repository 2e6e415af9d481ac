#include "predict/host_link.h"

#include "predict/device_measurements.h"

namespace aiwc::predict {

namespace {

/// Of the rate of PCI Express after encoding, in transfers of pinned memory.
constexpr double kPinnedShare = 0.79;
/// At which a driver copies pageable memory to its own, before each part of it crosses the link.
constexpr double kStagingGbPerS = 10;

bool sharesHostMemory(const DeviceProfile &device) {
  return (device.type == DeviceType::kCpu || device.type == DeviceType::kIntegratedGpu) &&
         !device.has(Parameter::kHostLinkBandwidth) && !device.has(Parameter::kHostLinkLatency);
}

const TransferCurve *curveOf(const HostTraffic &traffic, const DeviceProfile &device) {
  if (!device.measurements)
    return nullptr;
  const std::optional<TransferCurve> &curve = traffic.direction == Direction::kToDevice
                                                  ? device.measurements->toDevice
                                                  : device.measurements->toHost;
  return curve ? &*curve : nullptr;
}

} // namespace

std::optional<double> reachedGbPerS(const DeviceProfile &device, HostMemory memory) {
  const auto &link = device.quantities[static_cast<size_t>(Parameter::kHostLinkBandwidth)];
  const bool hasOwnMemory =
      device.type == DeviceType::kGpu || device.type == DeviceType::kAccelerator;
  if (!link || !hasOwnMemory)
    return std::nullopt;
  if (!link->source.starts_with(kPciExpressSource))
    return link->value;
  const double pinned = link->value * kPinnedShare;
  return memory == HostMemory::kPinned ? pinned : 1 / (1 / pinned + 1 / kStagingGbPerS);
}

bool hasTransferCurve(const HostTraffic &traffic, const DeviceProfile &device) {
  return curveOf(traffic, device) != nullptr;
}

double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device) {
  if (traffic.transfers == 0)
    return 0;
  if (const TransferCurve *curve = curveOf(traffic, device)) {
    const auto transfers = static_cast<double>(traffic.transfers);
    return transfers * curve->microsAt(traffic.bytes / transfers) * 1e-6;
  }
  if (sharesHostMemory(device))
    return 0;
  return static_cast<double>(traffic.transfers) * device[Parameter::kHostLinkLatency] * 1e-6 +
         traffic.bytes / (device[Parameter::kHostLinkBandwidth] * 1e9);
}

std::vector<Parameter> missingHostLink(const HostTraffic &traffic, const DeviceProfile &device) {
  std::vector<Parameter> missing;
  if (traffic.transfers == 0 || curveOf(traffic, device) || sharesHostMemory(device))
    return missing;
  for (const Parameter parameter : {Parameter::kHostLinkBandwidth, Parameter::kHostLinkLatency})
    if (!device.has(parameter))
      missing.push_back(parameter);
  return missing;
}

} // namespace aiwc::predict
