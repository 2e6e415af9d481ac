/// From what was measured to a device profile.
#pragma once

#include "device_measurement/item.h"
#include "device_measurement/opencl.h"
#include "predict/device_profile.h"

#include <string>

namespace aiwc::device_measurement {

/// Something short that a file can be called, from the name of an OpenCL device.
std::string idFrom(const std::string &name);

/// `value` with four significant digits: a measurement has no more.
double fourDigits(double value);

/// The profile of a device. What was not measured is that of `like`, if it is not nullptr, else
/// what OpenCL says of the device, which each number's source says. `lanes` is what the size of a
/// work-group should be a multiple of.
predict::DeviceProfile deviceOf(const Results &results, const DeviceFacts &facts, size_t lanes,
                                const predict::DeviceProfile *like, std::string id, std::string by);

} // namespace aiwc::device_measurement
