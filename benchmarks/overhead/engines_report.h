#pragma once

#include "experiment.h"

#include <string>

namespace aiwc::overhead {

/// The measurements of a plan from `makeEnginesPlan`: times of the kernels, and of the whole
/// processes.
std::string enginesTables(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages);

/// The measurements of a plan from `makeLaunchesPlan` or `makeImagesPlan`: microseconds per launch.
std::string launchesTable(const Plan &plan, const Settings &settings,
                          const std::vector<Usages> &usages);

} // namespace aiwc::overhead
