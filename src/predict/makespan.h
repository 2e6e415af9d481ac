/// Divides equal pieces of work over devices so that the last device ends as early as possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aiwc::predict {

/// The time in seconds at which `device` (counted from 0) has finished `pieces` pieces, at least
/// one; all devices start at time 0. It must not decrease with the number of pieces, and is
/// infinite for work that the device cannot do. A device without pieces ends at 0, so the first
/// piece may take much longer than each further one.
using FinishTime = std::function<double(size_t device, uint64_t pieces)>;

/// An optimal division: how many of `pieces` pieces each of `devices` devices gets. No other
/// division has a smaller makespan (the largest finish time of a device with pieces). Among the
/// optimal divisions, this one uses the fewest devices: a device that does not reduce the makespan
/// gets nothing. If the optimum leaves a choice, the pieces are shared in proportion to what each
/// chosen device could finish within the makespan. So equal devices get the same number to within
/// one piece, and no device gets more than a faster one. Equal devices are chosen in their order.
///
/// The makespan is the `pieces`-th smallest of all finish times, found by selection in the sorted
/// rows of finish times: O(d log pieces) rounds of O(d log pieces) finish times for d devices.
/// Throws Error if there are no devices or no pieces.
std::vector<uint64_t> minimalMakespan(uint64_t pieces, size_t devices, const FinishTime &finish);

} // namespace aiwc::predict
