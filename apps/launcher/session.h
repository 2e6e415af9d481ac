#pragma once

#include "launcher/preflight.h"
#include "launcher/task.h"
#include "run/run.h"
#include "session/options.h"
#include "session/status.h"

#include <cstdint>
#include <map>
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

/// The run that begins: what is known before the application starts. `stockOptions`: those given to
/// Oclgrind.
run::Run begun(const std::vector<std::string> &application, const GivenOptions &options,
               const std::vector<std::string> &stockOptions = {});

/// Completes it with what the plugins reported, and adds to the errors of both what is missing.
/// `ended`: how the application ended, as waitpid(2) says. `seconds`: from its start to its end.
/// Returns the number in the run of each process, by its id.
std::map<uint64_t, uint64_t> complete(run::Run &run, SessionStatus &status, int ended,
                                      double seconds);

} // namespace aiwc::launcher
