/// The layer between an application and the driver of its device.
#pragma once

#include "opencl_api/functions.h"

namespace aiwc::attach {

/// Begins to watch what goes to these functions, once in a process, and returns those that the
/// application shall call in their place. Null if this is impossible.
const opencl::Functions *watch(const opencl::Functions &below) noexcept;
bool isWatching();

/// Reports what the layer has not reported. For the end of the process, and for tests.
void finishWatching() noexcept;

} // namespace aiwc::attach
