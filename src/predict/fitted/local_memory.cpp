#include "predict/fitted/local_memory.h"

#include <algorithm>
#include <cmath>

namespace aiwc::predict {

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
