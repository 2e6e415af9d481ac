#pragma once

#include "experiment.h"

#include <string>

namespace aiwc::overhead {

/// The head of a table for people.
std::string textHead(const Settings &settings);

/// Its rows for one workload: per variant the median CPU time, the median over the rounds of its
/// ratio to the first variant in the same round (smallest to largest behind it), and the largest
/// peak memory.
std::string textRows(const Workload &workload, const std::vector<Variant> &variants,
                     const Settings &settings, const Usages &usages);

/// Everything: every round of every run, and what the table shows of it. `usages`: per workload of
/// the plan.
std::string toJson(const Plan &plan, const Settings &settings, const std::vector<Usages> &usages);

} // namespace aiwc::overhead
