/// What `aiwc diff` says of two runs, for other commands.
#pragma once

#include <string>

namespace aiwc::cli {

/// The text of `aiwc diff BEFORE AFTER --devices DEVICES`. Throws as that command does.
std::string differenceOfRuns(const std::string &before, const std::string &after,
                             const std::string &devices);

} // namespace aiwc::cli
