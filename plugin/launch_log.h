#pragma once

#include "plugin/results.h"
#include "run/launch.h"
#include "session/status.h"

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace aiwc::plugin {

/// Reports the launches of one context to the launcher, which writes them to the file of the run.
/// It reports characterised launches at once. It reports the others, which may take microseconds,
/// twice a second. It keeps what it could not report, and tries again. Thread-safe.
class LaunchLog {
public:
  /// `status` outlives the object.
  explicit LaunchLog(StatusFile &status) : status_(status) {}

  /// Adds a launch that has ended.
  void add(run::Launch launch);
  /// Adds what the host has read since the launch `number` of this process, which is the last one
  /// that was added.
  void addHostReads(uint64_t number, const run::Transfers &reads);
  /// Reports what has not been reported yet. Call it before the context or the process ends.
  /// Returns the number of launches that could not be reported.
  size_t report();

private:
  using Clock = std::chrono::steady_clock;

  void write(const ResultsLock &held);
  /// Forgets what belongs to the parent of this process.
  void own(const ResultsLock &held);

  StatusFile &status_;
  // Guarded by ResultsLock
  std::vector<run::Launch> unreported_;
  std::map<uint64_t, run::Transfers> unreportedReads_; ///< by the number of the launch
  pid_t owner_ = 0; ///< the process that added them; its forked children do not report them
  Clock::time_point reported_ = Clock::time_point::min();
  bool failed_ = false; ///< to report the launches the last time: do not try at each launch
};

} // namespace aiwc::plugin
