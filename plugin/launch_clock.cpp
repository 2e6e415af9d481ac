#include "plugin/launch_clock.h"

#include <atomic>
#include <chrono>
#include <cstdlib>

namespace aiwc::plugin {

double secondsNow() {
  static const char *const step = std::getenv("AIWC_CLOCK_STEP");
  if (step) {
    static const double seconds = std::strtod(step, nullptr);
    static std::atomic<uint64_t> calls = 0;
    return seconds * static_cast<double>(++calls);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgramTime &programTime() {
  static auto *instance = new ProgramTime; // outlives every static destructor
  return *instance;
}

} // namespace aiwc::plugin
