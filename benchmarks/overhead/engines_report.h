#pragma once

#include "experiment.h"

#include <string>

namespace aiwc::overhead {

/// What a plan of `makeEnginesPlan` has measured: the kernels alone, and the whole processes.
std::string enginesTables(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages);

/// What a plan of `makeLaunchesPlan` has measured: microseconds per launch.
std::string launchesTable(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages);

} // namespace aiwc::overhead
