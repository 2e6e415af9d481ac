#pragma once

#include <cstdint>

namespace aiwc::plugin {

/// Seconds since some moment, never less than before. Thread-safe.
double secondsNow();

/// What the launches of this process have taken, and whether `--aiwc-budget` left some unfinished.
/// Guarded by the lock that a launch holds until it has ended.
struct ProgramTime {
  uint64_t launches = 0; ///< that have ended
  double seconds = 0;    ///< of these, together
  double begun = 0;      ///< when the present launch began (`secondsNow`)
  bool leftOut = false;  ///< whether work-groups of a launch did not run
};
ProgramTime &programTime();

} // namespace aiwc::plugin
