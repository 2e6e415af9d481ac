/// Transfers between the host and a device.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <vector>

namespace aiwc::predict {

/// The transfers in one direction for one invocation [docs/metrics.md, host transfers].
struct HostTraffic {
  double bytes = 0;
  uint64_t transfers = 0;
};

/// The time of the traffic in seconds if none of it overlaps with other work: the link's latency
/// for each transfer, plus the bytes divided by the link's bandwidth. 0 for a CPU or an integrated
/// GPU whose profile has no host link, since it shares the host's memory. Throws Error for any
/// other device without a host link.
double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device);

/// The parameters that transferSeconds needs and `device` does not have.
std::vector<Parameter> lackingHostLink(const HostTraffic &traffic, const DeviceProfile &device);

} // namespace aiwc::predict
