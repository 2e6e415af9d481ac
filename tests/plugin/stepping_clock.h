#pragma once

#include "plugin/characterise.h"

#include <string>

namespace aiwc::test {

/// Begins a command: the plugin's clock goes on by these seconds with each look at it
/// (apps/stepping_clock.cpp).
inline Words steppingClock(const std::string &seconds) {
  return {"/usr/bin/env", "OCLGRIND_PLUGINS=" AIWC_TEST_STEPPING_PLUGIN,
          "AIWC_TEST_CLOCK_STEP=" + seconds};
}

} // namespace aiwc::test
