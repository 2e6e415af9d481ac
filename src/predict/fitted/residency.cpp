#include "predict/fitted/residency.h"

#include "predict/fitted/local_memory.h"

#include <algorithm>
#include <cmath>

namespace aiwc::predict {

Residency residencyOf(const DeviceProfile &device, double workGroupSize, double localBytes) {
  const ComputeUnit unit = computeUnitOf(device);
  const double perGroup = std::ceil(workGroupSize / device[Parameter::kLaneWidth]);
  double groups = std::clamp(std::floor(unit.laneGroups / perGroup), 1.0, unit.workGroups);
  if (const double bytes = localMemoryOfUnit(device); localBytes > 0 && bytes > 0)
    groups = std::clamp(std::floor(bytes / localBytes), 1.0, groups);
  return {unit.count, unit.laneGroups, perGroup, groups};
}

} // namespace aiwc::predict
