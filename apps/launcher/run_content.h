#pragma once

#include "launcher/task.h"
#include "run/run.h"
#include "session/status.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace aiwc::launcher {

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
