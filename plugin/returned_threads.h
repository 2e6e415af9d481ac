/// Threads of CUDA programs that return before a barrier.
#pragma once

namespace aiwc::plugin {

/// Has the preloaded library, if there is one, pass the ends of barriers in interpreted kernels to
/// the plugin from now on: in CUDA, a thread that has returned counts as arrived. In OpenCL C the
/// language does not allow that, and Oclgrind reports it, with the line of the barrier.
void takeBarriers();

} // namespace aiwc::plugin
