#pragma once

#include "session/options.h"
#include "session/status.h"

namespace aiwc::launcher {

/// Prints `message` as one line on stderr, with control characters escaped.
void complain(const std::string &message);

/// Prints the errors of a finished run on stderr, at most a handful of lines. Also prints a remark
/// if nothing was characterised, unless `options.quiet` is set.
void report(const SessionStatus &status, const SessionOptions &options);

} // namespace aiwc::launcher
