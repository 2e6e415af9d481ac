/// The functions by which the plugin and the host program of `aiwc kernel` (host/kernel_host/)
/// speak with each other: the host has them, and the plugin looks them up by name. Headers only.
#pragma once

namespace aiwc::plugin {

/// Returns run::Argument's `contents` for the argument at this position in the launch that the host
/// has enqueued last, or null; sets its `assumed`.
using ArgumentContentsFunction = const char *(*)(unsigned position, bool *assumed);
inline constexpr const char *kArgumentContentsName = "aiwcArgumentContents";

/// Tells the host of an error that the simulator reports in the current launch. `message`: the
/// simulator's text; empty for an error that is only counted. Any thread may call it. Returns
/// whether the host has seen enough: the launch may end now.
using SimulatorErrorFunction = bool (*)(const char *message);
inline constexpr const char *kSimulatorErrorName = "aiwcSimulatorError";

/// Whether the host will repeat the launch that ends now with other arguments. If so, the run does
/// not list this launch.
using LaunchDroppedFunction = bool (*)();
inline constexpr const char *kLaunchDroppedName = "aiwcLaunchDropped";

} // namespace aiwc::plugin
