#pragma once

#include "session/options.h"
#include "session/status.h"

namespace aiwc::launcher {

/// One line on stderr, made safe for a terminal.
void complain(const std::string &message);

/// Prints what went wrong in a finished run, at most a handful of lines, and says it if nothing was
/// characterised (unless the user wants it quiet).
void report(const SessionStatus &status, const SessionOptions &options);

} // namespace aiwc::launcher
