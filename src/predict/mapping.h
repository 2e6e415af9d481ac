/// Which kernel of an application runs where.
#pragma once

#include "predict/split.h"

#include <functional>
#include <vector>

namespace aiwc::predict {

/// The path through `steps` x `states` of least total: the sum of `stay(step, state)` over the
/// steps and of `move(step, from, to)` over the steps that begin in another state than the one
/// before. One state per step; where totals are equal, lower states. Dynamic programming, O(steps
/// states^2).
std::vector<size_t>
cheapestPath(size_t steps, size_t states,
             const std::function<double(size_t step, size_t state)> &stay,
             const std::function<double(size_t step, size_t from, size_t to)> &move);

struct Mapping {
  struct Step {
    size_t device = 0;
    double kernelSeconds = 0;    ///< with launch overhead and host transfers
    double migrationSeconds = 0; ///< of what the device before has to hand over
  };
  std::vector<Step> steps; ///< by kernel
  double seconds = 0;      ///< all of them
};

struct Mappings {
  Mapping best;        ///< of least total
  Mapping bestSingle;  ///< everything on one device, the one that is fastest so
  Mapping eachFastest; ///< every kernel where it is fastest by itself
};

/// The mapping of a sequence of kernel invocations, one after the other, to devices that minimises
/// the total time.
///
/// A kernel that runs elsewhere than the one before needs what that one and its predecessors left:
/// the profiles do not tell which bytes, so it is taken to be all that it touches
/// (footprint_bytes), which cross the host link of the device before, then its own, in one transfer
/// each. That is too much where it overwrites or the host has just written what it touches, and
/// leaves out data that only kernels further on read. `Transfers::exposed` scales it like all
/// transfers.
///
/// Throws Error for an empty sequence and what `split` refuses.
Mappings mapKernels(std::span<const KernelWork> kernels, std::span<const DeviceProfile> devices,
                    const CostModel &model, const Transfers &transfers = {});

} // namespace aiwc::predict
