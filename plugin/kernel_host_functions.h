/// The functions by which the plugin and the host program of `aiwc kernel` (host/kernel_host/)
/// speak with each other: the host has them, and the plugin looks them up by name. Headers only.
#pragma once

namespace aiwc::plugin {

/// Of the argument at a position, in the launch that the host has enqueued last: run::Argument's
/// `contents`, or null; sets its `assumed`.
using ArgumentContentsFunction = const char *(*)(unsigned position, bool *assumed);
inline constexpr const char *kArgumentContentsName = "aiwcArgumentContents";

/// Tells the host of an error that the simulator reports in the current launch. `message`: the
/// simulator's text; empty for an error that is only counted. Any thread may call it. Returns
/// whether the host has seen enough: the launch may end now.
using SimulatorErrorFunction = bool (*)(const char *message);
inline constexpr const char *kSimulatorErrorName = "aiwcSimulatorError";

/// Whether the host makes the launch that ends again, with other arguments. Then it leaves no trace
/// in the run.
using LaunchDroppedFunction = bool (*)();
inline constexpr const char *kLaunchDroppedName = "aiwcLaunchDropped";

} // namespace aiwc::plugin
