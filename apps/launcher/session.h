#pragma once

#include "launcher/preflight.h"
#include "launcher/task.h"
#include "session/options.h"

#include <string>
#include <vector>

namespace aiwc::launcher {

/// The options of the environment and the given ones, which go first. Throws Error if one is
/// invalid.
SessionOptions sessionOptions(const GivenOptions &given);

/// The same for a run of `application`, which names the output folder if no option does; with the
/// plugin.
SessionOptions optionsOfRun(const GivenOptions &given, const std::vector<std::string> &application);

/// Adds a library of ours to the list of libraries in an environment variable, after the user's.
void addLibrary(const char *variable, fs::path library, const PrivateFolder &scratch);

} // namespace aiwc::launcher
