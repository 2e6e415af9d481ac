/// How lanes and work-items fit together.
#pragma once

#include <cmath>

namespace aiwc::advice {

/// The share, in (0, 1], of the lanes that hold a work-item where work-groups of `workGroupSize`
/// work-items execute in groups of `lanes` lanes: the most that lane utilization can be. 1 for a
/// work-group size of 0, which is that of a profile without one.
inline double filledLanes(double workGroupSize, double lanes) {
  return workGroupSize > 0 ? workGroupSize / (std::ceil(workGroupSize / lanes) * lanes) : 1;
}

} // namespace aiwc::advice
