#pragma once

#include <cstdint>

namespace aiwc::plugin {

/// Seconds since some moment, never less than before. Thread-safe.
double secondsNow();

/// What the launches of this process have taken. Guarded by the lock that a launch holds until it
/// has ended.
struct ProgramTime {
  uint64_t launches = 0; ///< that have ended
  double seconds = 0;    ///< of these, together
  double begun = 0;      ///< when the present launch began (`secondsNow`)
  /// Whether the budget left work-groups of a launch out.
  bool leftOut = false;
};
ProgramTime &programTime();

} // namespace aiwc::plugin
