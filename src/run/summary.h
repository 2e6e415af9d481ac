/// What standard error says of a run when it has ended.
#pragma once

#include "run/run.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace aiwc::run {

/// What the launches of a run are predicted to take on a device.
struct PredictedTimes {
  std::string device;                    ///< its id
  std::map<std::string, double> seconds; ///< of each launch, by its profile
};

/// Lines without their ends: how many launches and where their profiles are; for each kernel, the
/// longest first and at most twelve, its launches, its share of the predicted time, or without it
/// of the instructions, and what is wrong with its profiles. `folder`: as the user would name it.
/// No lines if nothing was characterised.
std::vector<std::string> summaryOf(const Run &run, const std::string &folder,
                                   const std::optional<PredictedTimes> &predicted = {});

/// Which kernels the time of a run was spent on, the longest first and at most three: shares,
/// numbers of launches. Empty if the run took less than half a minute, or its launches have no
/// times.
std::string timeLine(const Run &run);

/// Of how many launches only the sample ran, which was the first, and what that does to the
/// application. Empty if there are none.
std::string unfinishedLine(const Run &run);

/// How many launches, how many kernels and which share of the instructions of characterised
/// launches were compiled, and the reasons for the rest, the most frequent first. A kernel counts
/// as compiled if all its launches were. Empty if there were no launches.
std::string engineLine(const Run &run);

} // namespace aiwc::run
