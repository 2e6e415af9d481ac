// In place of plugin/launch_clock.cpp: each call of the clock adds AIWC_TEST_CLOCK_STEP seconds,
// and nothing else does, so that decisions by time are the same in every run.
#include "plugin/launch_clock.h"

#include <atomic>
#include <cstdlib>

namespace aiwc::plugin {

double secondsNow() {
  static const double step = std::strtod(std::getenv("AIWC_TEST_CLOCK_STEP"), nullptr);
  static std::atomic<uint64_t> calls = 0;
  return step * static_cast<double>(++calls);
}

ProgramTime &programTime() {
  static auto *instance = new ProgramTime; // outlives every static destructor
  return *instance;
}

} // namespace aiwc::plugin
