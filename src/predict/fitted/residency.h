/// How much of a launch the compute units of a GPU hold at a time.
#pragma once

#include "predict/fitted/compute_unit.h"

namespace aiwc::predict {

struct Residency {
  double units = 1;      ///< compute units of the device
  double laneGroups = 1; ///< groups of lanes (warps, wavefronts) that a unit can hold at a time
  /// Groups of lanes that make a work-group.
  double laneGroupsPerGroup = 1;
  double groups = 1; ///< work-groups of this size that a unit holds: whole ones, at least one

  double residentLaneGroups() const { return groups * laneGroupsPerGroup; } ///< of a unit
  /// Work-groups that are on the device at the same time.
  double residentGroups() const { return units * groups; }
};

/// `device` is a GPU with a lane width, a clock and cores; `workGroupSize` is the number of
/// work-items of a work-group, more than 0, and `localBytes` its local memory. Throws
/// MissingParameter.
Residency residencyOf(const DeviceProfile &device, double workGroupSize, double localBytes = 0);

} // namespace aiwc::predict
