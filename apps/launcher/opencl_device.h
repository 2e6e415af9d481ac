/// The device that applications see in the simulator, as OpenCL describes it: they choose kernels
/// and sizes accordingly.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace aiwc::launcher {

/// What an implementation of OpenCL answers. The rules are in docs/devices.md, "As OpenCL describes
/// them".
struct OpenClDevice {
  std::string id;   ///< in the library, or kGenericGpu
  std::string name; ///< empty: the simulator's
  predict::DeviceType type = predict::DeviceType::kGpu;
  uint64_t computeUnits = 1;
  uint64_t clockMhz = 0;
  uint64_t preferredMultiple = 1; ///< of work-group sizes
  uint64_t workGroupItems = 1024; ///< the most of a work-group
  uint64_t localBytes = 0;        ///< of a work-group
  bool hasDouble = true, hasHalf = true;
  // Without a value, the simulator's.
  std::optional<uint64_t> memoryBytes, cacheBytes, lineBytes;
  std::optional<uint64_t> vectorBytes; ///< that the implementation prefers; 0: scalars

  /// The text of the variable AIWC_DEVICE (plugin/simulated_device.h).
  std::string text() const;
};

/// The id of the device that applications see where the user names none.
inline constexpr std::string_view kGenericGpu = "generic-gpu";

/// A GPU of about 2020: 32 compute units, 48 KiB of local memory, 1024 work-items in a work-group,
/// multiples of 32.
OpenClDevice genericGpu();

OpenClDevice openClDeviceOf(const predict::DeviceProfile &device);

} // namespace aiwc::launcher
