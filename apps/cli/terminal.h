/// What standard output can show.
#pragma once

#include "command.h"
#include "text/terminal.h"

#include <string>
#include <string_view>

namespace aiwc::cli {

/// Adds --color WHEN to `command`.
void addColour(Command command, std::string &when);

/// Standard output: the width of the terminal; for a file or a pipe that of COLUMNS, and 100
/// without it. `when` is "always", "never" or "auto": colour on a terminal that is not dumb, unless
/// NO_COLOR is set (https://no-color.org).
text::Terminal standardOutput(const std::string &when = "auto");

/// What stands above the report of one of several runs.
std::string headingOfRun(std::string_view name, const text::Terminal &terminal);

} // namespace aiwc::cli
