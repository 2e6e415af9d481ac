/// Divides the NDRange of one kernel invocation among devices.
#pragma once

#include "predict/costed_launch.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::predict {

/// Settings for the transfers between host and devices.
struct Transfers {
  /// R, in [0, 1]: the fraction of the time of a transfer that does not overlap with other work
  /// (data transfer ratio of [idiom-models §VIII]).
  double exposed = 0;
  /// Whether each device needs all bytes that the host writes for the kernel, however small the
  /// device's share of the NDRange (for example, a table that every work-group reads). If false, it
  /// needs only a part in proportion to its share.
  bool wholeInput = false;
};

struct SplitOptions {
  Transfers transfers = {};
  /// The dimension to split along (0: x), which the NDRange must have; none chooses the best one.
  std::optional<size_t> dimension = {};
};

/// The part of the NDRange that one device computes: a box, as clEnqueueNDRangeKernel takes it.
struct Share {
  uint64_t workGroups = 0;       ///< 0 if the device gets nothing; all members below are then 0
  profile::Size3 globalOffset{}; ///< work-items, including the offset of the profiled launch
  profile::Size3 globalSize{};   ///< work-items
  double finishSeconds = 0;      ///< when this device ends, counted from the common start
};

struct Plan {
  std::vector<Share> shares;  ///< by device, in the order of their offsets
  double makespanSeconds = 0; ///< when the last device ends
};

struct Split {
  size_t dimension = 0;    ///< the NDRange is divided along this one (0: x)
  uint64_t layers = 0;     ///< number of work-groups along it; a device gets whole layers
  uint64_t workGroups = 0; ///< in the whole NDRange
  Plan best;
  Plan even;                ///< each device gets the same number of layers, to within one
  size_t bestSingle = 0;    ///< the device that is fastest if it gets the whole NDRange
  double singleSeconds = 0; ///< the time of that device
};

/// Tolerance of the choice of a dimension, as a fraction of the makespan: see `split`.
inline constexpr double kDimensionTolerance = 0.01;

/// The time in seconds at which `device` has finished `share`, in (0, 1], of the work-groups: the
/// exposed part of the transfers, plus the cost, which includes the launch. Throws Error if the
/// model or the transfers lack a value, and if `exposed` is out of range.
double finishSeconds(const CostedLaunch &launch, const DeviceProfile &device,
                     const Transfers &transfers, double share);

/// What finishSeconds may need and `device` does not have: the model's and, where transfers are
/// exposed, the host link.
Missing missingForSplit(const CostedLaunch &launch, const DeviceProfile &device,
                        const Transfers &transfers);

/// Computes the shares that minimise the makespan, in whole layers of work-groups.
///
/// All devices start at the same time. Each has its own link to the host, and they do not slow each
/// other down. The profile only has totals for the whole NDRange, so all work-groups are taken as
/// equal: n work-groups cost what the model gives for the share n / all. A device receives its
/// share of the bytes that the host writes (or all of them, `wholeInput`) and returns its share of
/// the bytes that the host reads, each in as many transfers as the profiled launch.
///
/// A share is a box that spans the NDRange in all dimensions but one. That dimension is the
/// slowest-varying one (z before y before x, so that rows of memory stay whole) whose makespan
/// exceeds the smallest of any dimension by at most kDimensionTolerance. The division along it is
/// optimal (makespan.h).
///
/// Throws Error if there are no devices, if the NDRange is empty or does not have the dimension,
/// and whenever finishSeconds does.
Split split(const CostedLaunch &launch, std::span<const DeviceProfile> devices,
            const SplitOptions &options = {});

} // namespace aiwc::predict
