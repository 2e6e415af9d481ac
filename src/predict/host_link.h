/// Transfers between the host and a device.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <optional>
#include <string_view>
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

/// The memory of the host that a transfer reads or writes: pageable, such as that of malloc, which
/// the driver copies to memory of its own that the device can reach, or pinned, which the device
/// reaches itself (cudaMallocHost, or mapping a buffer with CL_MEM_ALLOC_HOST_PTR).
enum class HostMemory { kPageable, kPinned };

/// GB/s that transfers reach on the link of a device with a memory of its own: of PCI Express, what
/// docs/devices.md, rule host-memory, says; of another one, what its profile has. None for a device
/// that has no link, or shares the host's memory.
std::optional<double> reachedGbPerS(const DeviceProfile &device, HostMemory memory);

/// How the source of a link's bandwidth begins if that is the rate of PCI Express.
inline constexpr std::string_view kPciExpressSource = "PCI Express";

/// Whether the device has a measured transfer curve of the traffic's direction.
bool hasTransferCurve(const HostTraffic &traffic, const DeviceProfile &device);

/// The parameters that transferSeconds needs and `device` does not have.
std::vector<Parameter> missingHostLink(const HostTraffic &traffic, const DeviceProfile &device);

} // namespace aiwc::predict
