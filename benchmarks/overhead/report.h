#pragma once

#include "experiment.h"

#include <string>

namespace aiwc::overhead {

/// The heading of the table for people.
std::string textHead();

/// The rows of the table for one workload. Each row has a variant's median CPU time, the median
/// over the rounds of its ratio to the first variant in the same round (followed by smallest to
/// largest), and the largest peak memory.
std::string textRows(const Workload &workload, const std::vector<Variant> &variants,
                     const Usages &usages);

/// All results as JSON: every round of every run, and the values in the table. `usages` has one
/// element per workload of the plan.
std::string toJson(const Plan &plan, const Settings &settings, const std::vector<Usages> &usages);

} // namespace aiwc::overhead
