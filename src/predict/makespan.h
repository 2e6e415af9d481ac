/// Dividing equal pieces of work over devices so that the last device ends as early as possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace aiwc::predict {

/// Seconds after which `device` (from 0) has done `pieces` pieces, one at least, all devices
/// starting together. Does not fall with the number of pieces; infinite for what it cannot do. A
/// device without a piece ends at 0, so there may be a jump to the first one.
using FinishTime = std::function<double(size_t device, uint64_t pieces)>;

/// How many of `pieces` pieces each of `devices` devices gets, in an optimal division: no other one
/// has a smaller makespan (the largest finish time of a device with pieces). Of the optimal
/// divisions it is one over the fewest devices: a device that does not make the last one end
/// earlier gets nothing. What room the optimum leaves is shared in proportion to what each of
/// the chosen devices could do by then, so that equal devices get the same to one piece, and none
/// gets more than a faster one. Equal devices are taken in their order.
///
/// The makespan is the `pieces`-th smallest of all finish times: found by selection in the
/// sorted rows of finish times, O(d log pieces) rounds of O(d log pieces) finish times for d
/// devices. Throws Error where there are no devices or pieces.
std::vector<uint64_t> minimalMakespan(uint64_t pieces, size_t devices, const FinishTime &finish);

} // namespace aiwc::predict
