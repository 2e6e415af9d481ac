/// What standard error says of a run when it has ended.
#pragma once

#include "run/run.h"

#include <string>
#include <vector>

namespace aiwc::run {

/// Lines without their ends: how many launches and where their profiles are; for each kernel, most
/// instructions first and at most twelve, its launches, its share of the instructions, and what is
/// wrong with its profiles. `folder`: as the user would name it. No lines if nothing was
/// characterised.
std::vector<std::string> summaryOf(const Run &run, const std::string &folder);

/// How many launches, how many kernels and which share of the instructions of characterised
/// launches were compiled, and the reasons for the rest, the most frequent first. A kernel counts
/// as compiled if all its launches were. Empty if there were no launches.
std::string engineLine(const Run &run);

} // namespace aiwc::run
