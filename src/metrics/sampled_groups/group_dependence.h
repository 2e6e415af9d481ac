#pragma once

#include "trace/program.h"

namespace aiwc::metrics {

/// Whether a work-group may do other work if other ones have not run: whether the kernel uses what
/// an atomic on global memory returns, such as the next number of a queue. A counter that nobody
/// reads in the launch does not count; writes without atomics, which no order is defined for,
/// neither.
bool dependsOnOtherGroups(const trace::Program &program);

} // namespace aiwc::metrics
