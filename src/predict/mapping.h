/// Chooses the device for each kernel of an application.
#pragma once

#include "predict/split.h"

#include <functional>
#include <vector>

namespace aiwc::predict {

/// The cheapest path through `steps` x `states`: one state per step. Its total is the sum of
/// `stay(step, state)` over all steps, and of `move(step, from, to)` over the steps whose state
/// differs from the state of the step before. If totals are equal, lower states are chosen. Dynamic
/// programming, O(steps states^2).
std::vector<size_t>
cheapestPath(size_t steps, size_t states,
             const std::function<double(size_t step, size_t state)> &stay,
             const std::function<double(size_t step, size_t from, size_t to)> &move);

struct Mapping {
  struct Step {
    size_t device = 0;
    double kernelSeconds = 0;    ///< including launch overhead and host transfers
    double migrationSeconds = 0; ///< the transfer of data from the previous step's device
  };
  std::vector<Step> steps; ///< by kernel
  double seconds = 0;      ///< total of all steps
};

struct Mappings {
  Mapping best;        ///< the mapping with the smallest total time
  Mapping bestSingle;  ///< all kernels on the one device that is fastest for all of them
  Mapping eachFastest; ///< each kernel on the device where it is fastest by itself
};

/// The mapping to devices that minimises the total time of a sequence of kernel invocations, which
/// run one after another.
///
/// A kernel that runs on another device than the kernel before it needs the data that earlier
/// kernels left there. The profiles do not record which bytes these are, so all bytes that the
/// kernel touches (footprint_bytes) are assumed. They cross the host link of the previous device
/// and then that of the new one, in one transfer each. This is too much if the kernel overwrites
/// these bytes or the host has just written them. It is too little if only later kernels read some
/// of the data. Nothing overlaps with them: `Transfers::exposed` only scales the transfers that the
/// profiles record.
///
/// Throws Error for an empty sequence and whenever `split` does.
Mappings mapKernels(std::span<const CostedLaunch> kernels, std::span<const DeviceProfile> devices,
                    const Transfers &transfers = {});

} // namespace aiwc::predict
