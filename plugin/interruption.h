/// Handles SIGINT and SIGTERM for an application that has no handler of its own: they end the
/// application, as without the plugin, but not in the middle of a launch, so that the run is
/// readable.
#pragma once

#include <mutex>

namespace aiwc::plugin {

/// How long an interrupted launch may go on, in seconds.
inline constexpr int kInterruptedLaunchSeconds = 5;

/// Sets what to do before an interrupted process ends: `conclude` completes what is on disk, and
/// must be callable from any thread.
void concludeInterrupted(void (*conclude)());

/// Call before a launch takes `running`, which it holds until it has ended. From the first call on,
/// SIGINT and SIGTERM, where the application has no handler of its own and does not ignore them,
/// wait for the end of the launch that runs, but not longer than kInterruptedLaunchSeconds; then
/// the process ends by the signal. It ends at once if it gets one a second after the first. A
/// handler that the application sets later replaces ours. Does not return if the process is about
/// to end.
void beforeLaunch(std::mutex &running);

} // namespace aiwc::plugin
