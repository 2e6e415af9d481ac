#include "predict/host_link.h"

#include "common/error.h"

#include <fmt/format.h>

#include <variant>

namespace aiwc::predict {

namespace {

using profile::Metric;

uint64_t required(const profile::KernelProfile &kernel, Metric metric) {
  if (std::holds_alternative<std::monostate>(kernel[metric]))
    throw Error(
        fmt::format("metrics.{}: no value, which the transfers need", profile::info(metric).key));
  return kernel.count(metric);
}

HostTraffic traffic(const profile::KernelProfile &kernel, Metric bytes, Metric transfers) {
  return {static_cast<double>(required(kernel, bytes)), required(kernel, transfers)};
}

bool sharesHostMemory(const DeviceProfile &device) {
  return (device.type == DeviceType::kCpu || device.type == DeviceType::kIntegratedGpu) &&
         !device.has(Parameter::kHostLinkBandwidth) && !device.has(Parameter::kHostLinkLatency);
}

} // namespace

HostTraffic hostWrites(const profile::KernelProfile &kernel) {
  return traffic(kernel, "host_to_device_bytes"_metric, "host_to_device_transfers"_metric);
}

HostTraffic hostReads(const profile::KernelProfile &kernel) {
  return traffic(kernel, "device_to_host_bytes"_metric, "device_to_host_transfers"_metric);
}

double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device) {
  if (traffic.transfers == 0 || sharesHostMemory(device))
    return 0;
  return static_cast<double>(traffic.transfers) * device[Parameter::kHostLinkLatency] * 1e-6 +
         traffic.bytes / (device[Parameter::kHostLinkBandwidth] * 1e9);
}

std::vector<Parameter> lackingHostLink(const HostTraffic &traffic, const DeviceProfile &device) {
  std::vector<Parameter> missing;
  if (traffic.transfers == 0 || sharesHostMemory(device))
    return missing;
  for (const Parameter parameter : {Parameter::kHostLinkBandwidth, Parameter::kHostLinkLatency})
    if (!device.has(parameter))
      missing.push_back(parameter);
  return missing;
}

} // namespace aiwc::predict
