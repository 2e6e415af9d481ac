#include "plugin/launch_clock.h"

#include <chrono>

namespace aiwc::plugin {

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

ProgramTime &programTime() {
  static auto *instance = new ProgramTime; // outlives every static destructor
  return *instance;
}

} // namespace aiwc::plugin
