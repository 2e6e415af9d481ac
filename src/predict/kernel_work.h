/// What costs take of a kernel's profile.
#pragma once

#include "predict/host_link.h"
#include "profile/kernel_profile.h"
#include "profile/reuse.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::predict {

/// f_im of an operation that is no part of a fused multiply-add, of which pi0 counts two: the least
/// that there is.
inline constexpr double kUnfused = 0.5;

/// Whether the kernel's work is floating point: at least one such operation for a hundred integer
/// ones. The others are costed on all their operations.
bool isFloatingPoint(const profile::KernelProfile &kernel);

/// The widths of a schedule's levels, summed up.
class LevelWidths {
public:
  LevelWidths() = default;
  explicit LevelWidths(const profile::Histogram &widths);

  uint64_t levels() const { return upTo_.empty() ? 0 : upTo_.back().levels; }
  uint64_t operations() const { return upTo_.empty() ? 0 : upTo_.back().operations; }
  /// The sum over levels of w / min(w, n_p), where the widths are scaled by `share`. O(log of the
  /// distinct widths).
  double steps(double cores, double share) const;

private:
  struct UpTo {
    uint64_t width, levels, operations; ///< of levels up to this width
  };
  std::vector<UpTo> upTo_; ///< increasing
};

/// A metric of lane groups of so many work-items; a kernel has one for each size, increasing.
struct LaneFactor {
  double lanes = 0;
  std::optional<double> value;
};

/// What a kernel needs of any device, derived from its profile once: a cost per device and share
/// then takes no more than the arithmetic.
struct KernelWork {
  /// Of any profile. What keeps a cost from being had is in `unusable`.
  static KernelWork from(const profile::KernelProfile &kernel);

  std::string kernel; ///< its name
  uint32_t workDim = 0;
  profile::Size3 globalOffset{}, globalSize{}, localSize{};
  uint64_t workItems = 0;

  /// Why the profile cannot be used, as `FIELD is VALUE: expected ...`: it is not complete, was
  /// edited, or cut. Empty where it can.
  std::string unusable;
  bool floatingPoint = true;
  double doubleShare = 0;           ///< of the floating-point operations, those of 64 bits: 0 to 1
  double instructionMix = kUnfused; ///< f_im
  /// f_v; without a value where no instruction was executed.
  std::vector<LaneFactor> laneUtilization;
  /// Without a value where no lane accesses memory.
  std::vector<LaneFactor> coalescing;
  LevelWidths levels; ///< of the schedule of floating-point operations
  /// Of the schedule of all operations, where the work is not floating point.
  double depth = 0, nodes = 0, accesses = 0;
  profile::SlowAccesses slowAccesses;
  double lineBytes = 0;
  double globalBytes = 0, localBytes = 0; ///< read and written; constant memory is global
  double syncPoints = 0;

  std::optional<uint64_t> footprintBytes;
  HostTraffic hostWrites, hostReads;
  /// Why these are not known: `metrics.KEY has no value: ...`. Empty where they are.
  std::string unknownTransfers;
  /// Throws Error where they are not known.
  void requireTransfers() const;
};

} // namespace aiwc::predict
