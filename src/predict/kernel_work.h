/// The values that cost models use of a kernel's profile.
#pragma once

#include "predict/fitted/launch_demand.h"
#include "predict/host_link.h"
#include "profile/kernel_profile.h"
#include "profile/reuse.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::predict {

/// f_im of an operation outside of fused multiply-adds: 1/2, since pi0 counts a fused multiply-add
/// as two operations. This is the smallest f_im.
inline constexpr double kUnfused = 0.5;

/// Whether the kernel's work is floating point: at least one floating-point operation per hundred
/// integer operations. Other kernels are costed on all their operations.
bool isFloatingPoint(const profile::KernelProfile &kernel);

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

/// What an idiom moves in one loop of a kernel.
struct IdiomWork {
  profile::Idiom idiom = profile::Idiom::kStream;
  double bytes = 0;       ///< read and written in global and constant memory
  double sharedBytes = 0; ///< more bytes, at addresses that neighbouring work-items share
  double footprint = 0;   ///< distinct bytes, about
};

/// The device-independent work of a kernel. It is derived from the profile once, so that a cost for
/// a device and share needs only the arithmetic of the model.
struct KernelWork {
  /// Derives the work from any profile. If the profile cannot be used, `unusable` gives the reason.
  static KernelWork from(const profile::KernelProfile &kernel);

  std::string kernel; ///< its name
  uint32_t workDim = 0;
  profile::Size3 globalOffset{}, globalSize{}, localSize{};
  uint64_t workItems = 0;

  /// What the fitted model uses; meaningless if `unusableDemand` is not empty.
  LaunchDemand demand;
  std::string unusableDemand; ///< why not, as `FIELD is VALUE: expected ...`

  /// Why AutoMatch's equations cannot use the profile, as `FIELD is VALUE: expected ...`: it is
  /// incomplete, was edited, or was cut off. Empty if they can.
  std::string unusable;
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
  profile::SlowAccesses slowAccesses;
  double lineBytes = 0;
  double globalBytes = 0, localBytes = 0; ///< read and written; constant memory is global
  double syncPoints = 0;

  std::vector<IdiomWork> idioms; ///< that move any bytes
  /// Why the idiom model cannot use the profile, as `FIELD is VALUE: expected ...`; empty if it
  /// can.
  std::string unusableIdioms;

  std::optional<uint64_t> footprintBytes;
  HostTraffic hostWrites, hostReads;
  /// Why hostWrites and hostReads are not known: `metrics.KEY has no value: ...`. Empty if they are
  /// known.
  std::string unknownTransfers;
  /// Throws Error if hostWrites and hostReads are not known.
  void requireTransfers() const;
};

} // namespace aiwc::predict
