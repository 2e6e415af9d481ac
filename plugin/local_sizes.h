/// Chooses the local size of a launch: the user's for its kernel, the application's, or, if the
/// application leaves it to OpenCL, a suitable one. Oclgrind itself would take groups of one
/// work-item, which no device does.
#pragma once

#include "session/options.h"

#include <vector>

namespace aiwc::plugin {

/// Makes the preloaded library ask for the local size of each launch from now on. `users`: the
/// sizes that the user chose; they are the same for all contexts, because a process has one
/// environment. Returns false if the library is not preloaded.
bool chooseLocalSizes(const std::vector<LocalSize> &users);

/// Whether the local size of the launch that this thread begins was chosen because neither the
/// application nor the kernel gave one; false for a single work-item. The next call returns false.
bool takeLocalSizeLeftOpen();

} // namespace aiwc::plugin
