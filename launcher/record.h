#pragma once

#include "launcher/arguments.h"
#include "run/run.h"
#include "session/status.h"

namespace aiwc::launcher {

/// The run that begins: what is known before the application starts.
run::Run begun(const Arguments &arguments);

/// Completes it with what the plugins reported. `ended`: how the application ended, as waitpid(2)
/// says. `toldToEndBy`: the signal by which the launcher was told to end it, or 0. `seconds`: from
/// its start to its end.
void complete(run::Run &run, const SessionStatus &status, int ended, int toldToEndBy,
              double seconds);

} // namespace aiwc::launcher
