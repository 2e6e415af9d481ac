/// Sharing the NDRange of one kernel invocation among devices.
#pragma once

#include "predict/cost_model.h"
#include "predict/device_profile.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::predict {

/// How the data reach the devices.
struct Transfers {
  /// R, in [0, 1]: the share of the time of a transfer that is not hidden behind something else
  /// (data transfer ratio of [idiom-models §VIII]).
  double exposed = 1;
  /// Whether a device needs all that the host writes for the kernel, however small its share of the
  /// NDRange (a table that every work-group reads), or that share of it only.
  bool wholeInput = false;
};

struct SplitOptions {
  Transfers transfers = {};
  /// Split along this dimension (0: x), which the NDRange must have; none: the best one.
  std::optional<size_t> dimension = {};
};

/// What one device gets: a box of the NDRange, as clEnqueueNDRangeKernel takes it.
struct Share {
  uint64_t workGroups = 0;       ///< 0: the device gets nothing, and all below is 0
  profile::Size3 globalOffset{}; ///< work-items, the offset of the profiled launch included
  profile::Size3 globalSize{};   ///< work-items
  double finishSeconds = 0;      ///< since the begin of all devices
};

struct Plan {
  std::vector<Share> shares;  ///< by device, in the order of their offsets
  double makespanSeconds = 0; ///< when the last device ends
};

struct Split {
  size_t dimension = 0;    ///< along which the NDRange is cut (0: x)
  uint64_t layers = 0;     ///< work-groups along it: the pieces that are shared out
  uint64_t workGroups = 0; ///< of the whole NDRange
  Plan best;
  Plan even;                ///< the same number of layers for each device, to one
  size_t bestSingle = 0;    ///< the device that is fastest with everything
  double singleSeconds = 0; ///< how long it takes
};

/// A dimension with fewer work-groups is cut only where that costs at most this much more time than
/// the best cut along another.
inline constexpr double kDimensionTolerance = 0.01;

/// When `device` has done `share`, in (0, 1], of the work-groups: launch overhead, what is exposed
/// of the transfers, then the cost. Seconds. Throws Error for what the model or the transfers lack,
/// and for an `exposed` out of range.
double finishSeconds(const KernelWork &work, const DeviceProfile &device, const CostModel &model,
                     const Transfers &transfers, double share);

/// The parameters that finishSeconds may need and `device` does not have: the model's, the launch
/// overhead and, where transfers are exposed, the host link.
std::vector<Parameter> lackingForSplit(const KernelWork &work, const DeviceProfile &device,
                                       const CostModel &model, const Transfers &transfers);

/// The shares that minimise the makespan, in whole work-groups.
///
/// All devices start at once, each with a link to the host of its own, and do not disturb each
/// other. The profile counts the whole NDRange, so work-groups are taken as equal: a share of n
/// work-groups costs what the model says for n / all. A device receives its share of the bytes that
/// the host writes (or all of them, `wholeInput`) and returns its share of those that the host
/// reads, in as many transfers each as the profiled launch.
///
/// A share is a box that spans the NDRange in all dimensions but one. That one is the
/// slowest-varying (z before y before x, since rows of memory then stay whole) along which the
/// makespan is within kDimensionTolerance of the smallest along any; along it the division is
/// optimal (makespan.h).
///
/// Throws Error where there are no devices, where the NDRange is empty or does not have the
/// dimension, and for what finishSeconds refuses.
Split split(const KernelWork &work, std::span<const DeviceProfile> devices, const CostModel &model,
            const SplitOptions &options = {});

} // namespace aiwc::predict
