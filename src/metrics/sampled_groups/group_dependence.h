#pragma once

#include "trace/program.h"

namespace aiwc::metrics {

/// Whether a work-group may do different work if others have not run. This is so if the kernel uses
/// the result of an atomic on global memory, such as the next number of a queue. It is not so for a
/// counter that the launch does not read, nor for writes without atomics, because OpenCL defines no
/// order for them.
bool dependsOnOtherGroups(const trace::Program &program);

} // namespace aiwc::metrics
