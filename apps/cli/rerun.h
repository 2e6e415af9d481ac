/// Runs of an application again, under the options of a run that it made.
#pragma once

#include "run/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// The one run in the folder, which has ended. Throws Error for anything else.
run::Run runToRepeat(const std::filesystem::path &folder);

/// The run's options but those that say what is characterised, what is printed, and where.
std::vector<std::string> keptOptions(const run::Run &run);

/// Makes a folder with those above it. Throws Error, which begins with `command`.
void makeFolder(std::string_view command, const std::filesystem::path &folder);

/// What `aiwc kernel` has said in a file about why it ended; none if it has said nothing.
std::optional<std::string> kernelError(const std::filesystem::path &said);

/// The run in the folder, if there is one that has ended.
std::optional<run::Run> endedRun(const std::filesystem::path &folder);

} // namespace aiwc::cli
