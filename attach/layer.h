/// The layer's entry points are those of CL/cl_layer.h; this is what else its program may call.
#pragma once

namespace aiwc::attach {

/// Reports all that has ended, as at the end of the process.
void finishWatching() noexcept;

} // namespace aiwc::attach
