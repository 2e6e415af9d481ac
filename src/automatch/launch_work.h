/// What AutoMatch's equations use of a kernel's profile.
#pragma once

#include "profile/kernel_profile.h"
#include "profile/reuse.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::automatch {

/// f_im of an operation outside of fused multiply-adds: 1/2, since pi0 counts a fused multiply-add
/// as two operations. This is the smallest f_im.
inline constexpr double kUnfused = 0.5;

/// The widths of a schedule's levels, as cumulative sums.
class LevelWidths {
public:
  LevelWidths() = default;
  explicit LevelWidths(const profile::Histogram &widths);

  uint64_t levels() const { return upTo_.empty() ? 0 : upTo_.back().levels; }
  uint64_t operations() const { return upTo_.empty() ? 0 : upTo_.back().operations; }
  /// The sum over levels of w / min(w, n_p), with all widths w scaled by `share`. O(log of the
  /// number of distinct widths).
  double steps(double cores, double share) const;

private:
  struct UpTo {
    uint64_t width, levels, operations; ///< totals of the levels up to this width
  };
  std::vector<UpTo> upTo_; ///< by increasing width
};

/// A metric measured for lane groups of `lanes` work-items. A kernel has one for each group size,
/// in increasing order.
struct LaneFactor {
  double lanes = 0;
  std::optional<double> value;
};

struct LaunchWork {
  /// `whyNoWork` must be empty.
  explicit LaunchWork(const profile::KernelProfile &profile);

  bool floatingPoint = true;
  double doubleShare = 0;           ///< fraction of the floating-point operations that have 64 bits
  double instructionMix = kUnfused; ///< f_im
  /// f_v; without a value if no instruction was executed.
  std::vector<LaneFactor> laneUtilization;
  /// The coalescing factor; without a value if no lane accesses memory.
  std::vector<LaneFactor> coalescing;
  LevelWidths levels; ///< of the schedule of floating-point operations
  /// From the schedule of all operations, used if the work is not floating point.
  double depth = 0, nodes = 0, accesses = 0;
  profile::CacheMisses cacheMisses;
  double lineBytes = 0;
  double globalBytes = 0, localBytes = 0; ///< read and written; constant memory is global
  double syncPoints = 0;
};

/// Why the equations cannot use the profile, as `FIELD is VALUE: expected ...`: it is incomplete,
/// was edited, or was cut off. Empty if they can.
std::string whyNoWork(const profile::KernelProfile &profile);

} // namespace aiwc::automatch
