/// The function by which the host program of `aiwc kernel` (kernel_host/) tells the plugin what the
/// buffers of a launch hold. Headers only: both programs look it up by name.
#pragma once

namespace aiwc::plugin {

/// Of the argument at a position, in the launch that the host has enqueued last: run::Argument's
/// `contents`, or null; sets its `assumed`.
using ArgumentContentsFunction = const char *(*)(unsigned position, bool *assumed);
inline constexpr const char *kArgumentContentsName = "aiwcArgumentContents";

} // namespace aiwc::plugin
