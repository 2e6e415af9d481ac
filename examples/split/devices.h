#pragma once

#include "eod/common/opencl.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace aiwc::examples {

struct ReleaseDevice {
  void operator()(cl_device_id device) const { clReleaseDevice(device); } // nothing for a root
};
using OwnedDevice = std::unique_ptr<std::remove_pointer_t<cl_device_id>, ReleaseDevice>;

struct Devices {
  cl_device_id whole = nullptr;   ///< for the run on one device
  std::vector<OwnedDevice> parts; ///< for the shares, in their order
};

/// The devices "P:D" of platform P, both counted from 0; the first also serves as the whole one.
/// Throws UsageError for one that is not there.
Devices namedDevices(const std::vector<std::string> &names);

/// The first device of all platforms, cut into sub-devices of `computeUnits` compute units each.
/// Throws UsageError where there is no device, and where it has fewer units or cannot be cut so.
Devices subDevices(const std::vector<cl_uint> &computeUnits);

/// The first device of all platforms in as many parts of equal size, to one compute unit.
Devices equalSubDevices(size_t count);

std::string deviceName(cl_device_id device);

} // namespace aiwc::examples
