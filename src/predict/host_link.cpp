#include "predict/host_link.h"

namespace aiwc::predict {

namespace {

bool sharesHostMemory(const DeviceProfile &device) {
  return (device.type == DeviceType::kCpu || device.type == DeviceType::kIntegratedGpu) &&
         !device.has(Parameter::kHostLinkBandwidth) && !device.has(Parameter::kHostLinkLatency);
}

} // namespace

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
