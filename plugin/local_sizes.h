/// Which local size a launch gets: the one that the user chose for its kernel, the application's,
/// or one chosen here where the application leaves it to OpenCL. Oclgrind itself takes groups of
/// one work-item then, which no device does.
#pragma once

#include "session/options.h"

#include <vector>

namespace aiwc::plugin {

/// Has the preloaded library ask for the local size of each launch from now on. `users`: those that
/// the user chose; a process has one environment, so all its contexts have the same. Returns false
/// if the library is not preloaded.
bool chooseLocalSizes(const std::vector<LocalSize> &users);

/// Whether the local size of the launch that this thread begins was chosen because neither the
/// application nor the kernel gave one; false for a single work-item. The next call returns false.
bool takeLocalSizeLeftOpen();

} // namespace aiwc::plugin
