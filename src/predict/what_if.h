/// Makes hypothetical devices: real ones with other values of some parameters.
#pragma once

#include "predict/device_profile.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// A change to one parameter. `cores=128` sets it to this value; `dram_bandwidth=2x` multiplies the
/// device's value.
struct Change {
  Parameter parameter = Parameter::kCores;
  double value = 0;
  bool relative = false;
};

/// Parses `dram_bandwidth=2x,cores=128`. Throws Error, beginning with `what` (the name of the
/// option), for a syntax error, an unknown name, a duplicate parameter, a value out of its range,
/// or a factor that is not positive.
std::vector<Change> parseChanges(std::string_view text, std::string_view what);

/// `device` with the changes applied; integer parameters are rounded to the nearest integer. A
/// factor has no effect on a parameter that the device lacks. Throws Error, naming the device, if a
/// result is out of its parameter's range.
DeviceProfile changed(const DeviceProfile &device, const std::vector<Change> &changes);

} // namespace aiwc::predict
