/// How much of a launch the compute units of a GPU hold at a time.
#pragma once

#include "predict/device_profile.h"

namespace aiwc::predict {

struct Residency {
  double units = 1;      ///< compute units of the device
  double laneGroups = 1; ///< groups of lanes (warps, wavefronts) that a unit can hold at a time
  /// Groups of lanes that make a work-group.
  double laneGroupsPerGroup = 1;
  /// Groups of lanes that a unit does hold, with work-groups of this size.
  double residentLaneGroups = 1;

  /// Work-groups that are on the device at the same time.
  double residentGroups() const { return units * residentLaneGroups / laneGroupsPerGroup; }
};

/// `device` is a GPU with a lane width and cores; `workGroupSize` is the number of work-items of a
/// work-group, more than 0. Throws MissingParameter.
Residency residencyOf(const DeviceProfile &device, double workGroupSize);

/// Bytes of local memory of a compute unit of a GPU. Where it shares its memory with the L1 cache,
/// as on NVIDIA from Volta on, what it cannot give to that. 0 if the profile does not tell.
double localMemoryOfUnit(const DeviceProfile &device);

} // namespace aiwc::predict
