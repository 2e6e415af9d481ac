#pragma once

#include "run/run.h"
#include "session/options.h"
#include "session/status.h"

namespace aiwc::launcher {

/// Has messages name options as `aiwc` does: `--append` in place of `--aiwc-append`.
void nameOptionsAsAiwc();

/// Prints `message` as one line on stderr, with control characters escaped.
void complain(const std::string &message);

/// Prints the errors of a finished run on stderr, at most a handful of lines. Unless
/// `options.quiet` is set, also prints a line per kernel and how much was compiled, or a remark if
/// nothing was characterised.
void report(const SessionStatus &status, const run::Run &run, const SessionOptions &options);

/// The same for a run on the application's own device: a line per kernel with its times.
void reportTimes(const SessionStatus &status, const run::Run &run, const SessionOptions &options);

} // namespace aiwc::launcher
