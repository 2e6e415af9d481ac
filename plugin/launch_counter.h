#pragma once

#include "plugin/results.h"
#include "session/launch_counts.h"
#include "session/status.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace aiwc::plugin {

/// Counts the launches of one context by the engine that executed them, and reports them to the
/// launcher: those that were characterised at once, the others, which may take microseconds, twice
/// a second. Thread-safe.
class LaunchCounter {
public:
  /// `status` outlives the object.
  explicit LaunchCounter(StatusFile &status) : status_(status) {}

  /// Counts a launch that has ended. `reason`: why it was interpreted; empty if it was compiled.
  /// `instructions`: none if the launch was not characterised.
  void count(const std::string &kernel, const std::string &reason,
             std::optional<uint64_t> instructions);
  /// Reports what has not been reported yet. Call it before the context or the process ends.
  void report();

private:
  using Clock = std::chrono::steady_clock;

  void write(const ResultsLock &held);

  StatusFile &status_;
  // Guarded by ResultsLock
  LaunchCounts unreported_;
  pid_t owner_ = 0; ///< the process that counted them; its forked children do not report them
  Clock::time_point reported_ = Clock::time_point::min();
};

} // namespace aiwc::plugin
