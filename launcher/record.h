#pragma once

#include "launcher/arguments.h"
#include "run/run.h"
#include "session/status.h"

#include <cstdint>
#include <map>

namespace aiwc::launcher {

/// The run that begins: what is known before the application starts.
run::Run begun(const Arguments &arguments);

/// Completes it with what the plugins reported, and adds to the errors of both what is missing.
/// `ended`: how the application ended, as waitpid(2) says. `seconds`: from its start to its end.
/// Returns the number in the run of each process, by its id.
std::map<uint64_t, uint64_t> complete(run::Run &run, SessionStatus &status, int ended,
                                      double seconds);

} // namespace aiwc::launcher
