/// Transfers between the host and a device.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <vector>

namespace aiwc::predict {

enum class Direction { kToDevice, kToHost };

/// The transfers in one direction for one invocation [docs/metrics.md, host transfers].
struct HostTraffic {
  double bytes = 0;
  uint64_t transfers = 0;
  Direction direction = Direction::kToDevice;
};

/// The time of the traffic in seconds if none of it overlaps with other work. Where the device has
/// a measured transfer curve of the direction: the curve's time of a transfer of the mean size, for
/// each of them. Elsewhere the link's latency for each transfer, plus the bytes divided by the
/// link's bandwidth. 0 for a CPU or an integrated GPU whose profile has neither, since it shares
/// the host's memory. Throws Error for any other device without a host link.
double transferSeconds(const HostTraffic &traffic, const DeviceProfile &device);

/// The parameters that transferSeconds needs and `device` does not have.
std::vector<Parameter> missingHostLink(const HostTraffic &traffic, const DeviceProfile &device);

} // namespace aiwc::predict
