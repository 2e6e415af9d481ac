#pragma once

#include "run/run.h"
#include "session/options.h"
#include "session/status.h"

#include <cstddef>
#include <string>

namespace aiwc::launcher {

/// Prints `message` as one line on stderr, with control characters escaped.
void complain(const std::string &message);

/// Prints the errors of a finished run on stderr, at most a handful of lines. Unless
/// `options.quiet` is set, also prints a line per kernel and how much was compiled, or a remark if
/// nothing was characterised.
void report(const SessionStatus &status, const run::Run &run, const SessionOptions &options);

/// Says how many captured launches are left in the folder of the run, if there are any, and how to
/// go on with them. `isRunning`: whether a process of the application still is.
void reportLeft(std::size_t left, bool isRunning, const SessionOptions &options);

/// The same for a run on the application's own device: a line per kernel with its times. `openCl`:
/// the library of OpenCL that the application had loaded; empty if none was seen. `isPreloaded`:
/// whether the layer was preloaded.
void reportTimes(const SessionStatus &status, const run::Run &run, const SessionOptions &options,
                 const std::string &openCl = "", bool isPreloaded = false);

} // namespace aiwc::launcher
