#pragma once

#include "experiment.h"

#include <string>

namespace aiwc::overhead {

/// Tables for people: per workload and variant the median CPU time, the median over the rounds of
/// its ratio to the first variant in the same round (smallest to largest behind it), and the
/// largest peak memory.
std::string toText(const Plan &plan, const Measurements &measurements);

/// Everything: every round of every run, and what toText shows of it.
std::string toJson(const Plan &plan, const Settings &settings, const Measurements &measurements);

} // namespace aiwc::overhead
