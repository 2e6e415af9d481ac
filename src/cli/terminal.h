/// What standard output can show.
#pragma once

#include "profile/terminal.h"

#include <CLI/CLI.hpp>
#include <string>

namespace aiwc::cli {

/// Adds --color WHEN to `command`.
void addColour(CLI::App &command, std::string &when);

/// Standard output: the width of the terminal; for a file or a pipe that of COLUMNS, and 100
/// without it. `when` is "always", "never" or "auto": colour on a terminal that is not dumb, unless
/// NO_COLOR is set (https://no-color.org).
profile::Terminal standardOutput(const std::string &when = "auto");

} // namespace aiwc::cli
