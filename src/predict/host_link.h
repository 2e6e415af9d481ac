/// Data between the host and a device.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <vector>

namespace aiwc::predict {

/// What crosses between host and device in one direction for one invocation [docs/metrics.md, host
/// transfers].
struct HostTraffic {
  double bytes = 0;
  uint64_t transfers = 0;
};

/// Seconds that the traffic takes, nothing of it hidden: a latency per transfer and the bytes at
/// the link's bandwidth. 0 for a CPU or an integrated GPU whose profile has no host link, since the
/// host's memory is its own. Throws Error for another device without one.
double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device);

/// The parameters that transferSeconds would need and `device` does not have.
std::vector<Parameter> lackingHostLink(const HostTraffic &traffic, const DeviceProfile &device);

} // namespace aiwc::predict
