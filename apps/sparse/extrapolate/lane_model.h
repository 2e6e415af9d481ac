/// What neighbouring work-items do together in a kernel that goes through the non-zeros of a sparse
/// matrix, computed from the pattern without running the kernel.
#pragma once

#include "extrapolate/gather_model.h"
#include "extrapolate/pattern.h"

#include <array>

namespace aiwc::extrapolate {

inline constexpr std::array<unsigned, 4> kLaneGroups{8, 16, 32, 64};

/// SIMT efficiency of `lanes` neighbouring rows, a work-item each, of which each executes `perRow`
/// instructions and `perNonZero` for each of its non-zeros: lane_utilization of docs/metrics.md for
/// a kernel of two basic blocks.
double rowUtilization(const Pattern &pattern, unsigned lanes, double perRow, double perNonZero);

/// The same of `lanes` neighbouring non-zeros (`visits`: all, or those off the diagonal), a
/// work-item each, which executes `perItem` instructions, and `perTrip` once for the first time at
/// its row, its column or each of its two nodes (`firstAt`: non-empty rows, used columns or used
/// nodes), and twice for later times.
double visitUtilization(const Pattern &pattern, Quantity visits, Quantity firstAt, unsigned lanes,
                        double perItem, double perTrip);

/// Shares of the accesses of lanes, as the metrics of docs/metrics.md.
struct LaneAccesses {
  std::array<double, 3> coalescing{}; ///< of 16, 32 and 64 lanes
  double uniform = 0;                 ///< of 8 lanes
  double consecutive = 0;             ///< of 8 lanes
};
/// Of the accesses of a traversal whose work-items take a row each, or (`byVisit`) a non-zero each.
/// Looks at some 1000 evenly spaced groups of lanes.
LaneAccesses laneAccesses(const Traversal &traversal, const Pattern &pattern, bool byVisit);

} // namespace aiwc::extrapolate
