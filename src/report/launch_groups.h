/// The launches of a kernel in a form whose size is bounded, however often the kernel was launched.
#pragma once

#include "predict/fitted/launch_demand.h"
#include "profile/kernel_profile.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::report {

/// Launches that ask the same of a device, but for their cache misses (MissCurve).
struct LaunchGroup {
  uint64_t launches = 0;
  predict::LaunchDemand demand; ///< of one of them
};

/// Accesses of cache lines by reuse distance, of launches whose accesses are distributed alike.
struct MissCurve {
  uint64_t launches = 0;
  uint64_t lineBytes = 0;
  uint64_t workGroups = 0;           ///< of one launch
  double workGroupSize = 0;          ///< work-items
  uint64_t coldAccesses = 0;         ///< of one launch: first accesses of a line
  profile::Histogram distances = {}; ///< of one launch: lowest distance of a bin -> accesses

  bool operator==(const MissCurve &) const = default;
  auto operator<=>(const MissCurve &) const = default;
};

/// The curve of a launch.
MissCurve curveOf(const profile::KernelProfile &launch);

struct LaunchGroups {
  std::vector<LaunchGroup> groups; ///< by increasing instructions
  std::vector<MissCurve> curves;
  /// Whether launches that differ share a group with their mean demand. Sums over the launches are
  /// exact even then; parts of the time that depend on whole waves of work-groups are close.
  bool pooled = false;
};

/// Of at most this many groups and curves. A kernel with more different launches is pooled: those
/// with similar numbers of instructions share a group, and all share a curve, which is the sum of
/// theirs. A page with 50 such kernels stays below a megabyte.
inline constexpr size_t kMostGroups = 32, kMostCurves = 4;

/// Groups launches of one kernel. predict::whyNoDemand must be empty for all. The result does not
/// depend on their order.
LaunchGroups groupedLaunches(std::span<const profile::KernelProfile *const> launches);

/// The scalar demands, as members of LaunchDemand in the order in which a page has them; lane
/// utilisations and coalescing follow.
struct DemandField {
  const char *key;
  double predict::LaunchDemand::*member;
};
std::span<const DemandField> demandFields();

} // namespace aiwc::report
