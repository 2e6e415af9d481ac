#include "predict/fitted/residency.h"

#include "predict/fitted/time_terms.h"

#include <algorithm>
#include <cmath>

namespace aiwc::predict {

namespace {

const hardware::ComputeUnit &unitOf(const DeviceProfile &device) {
  return std::string_view(device.vendor).starts_with("NVIDIA") ? hardware::kNvidiaUnit
                                                               : hardware::kOtherUnit;
}

double unitsOf(const DeviceProfile &device) {
  if (device.has(Parameter::kComputeUnits))
    return device[Parameter::kComputeUnits];
  return std::max(1.0, std::round(device[Parameter::kCores] / unitOf(device).lanes));
}

} // namespace

Residency residencyOf(const DeviceProfile &device, double workGroupSize) {
  const hardware::ComputeUnit &unit = unitOf(device);
  const double perGroup = std::ceil(workGroupSize / device[Parameter::kLaneWidth]);
  return {unitsOf(device), unit.laneGroups, perGroup,
          std::min(unit.laneGroups, unit.workGroups * perGroup)};
}

double localMemoryOfUnit(const DeviceProfile &device) {
  if (!device.has(Parameter::kComputeUnits) || !device.has(Parameter::kCacheCapacity))
    return 0;
  // The cache of a device is its local memory and the caches that all units share.
  double bytes = device[Parameter::kCacheCapacity];
  for (const Parameter shared : {Parameter::kL2Capacity, Parameter::kL3Capacity})
    if (device.has(shared))
      bytes -= device[shared];
  bytes /= device[Parameter::kComputeUnits];
  // NVIDIA CUDA C++ programming guide, compute capabilities 7.0 to 9.0: 96 of 128 KiB, 64 of 96,
  // 164 of 192, 100 of 128, 228 of 256.
  constexpr double kLeastL1 = 28 * 1024;
  if (device.has(Parameter::kL1Capacity) && device[Parameter::kL1Capacity] >= bytes)
    bytes -= kLeastL1;
  return std::max(0.0, std::floor(bytes));
}

} // namespace aiwc::predict
