/// What standard output can show.
#pragma once

#include "text/terminal.h"

#include <string>
#include <string_view>

namespace aiwc::cli {

/// Standard output: the width of the terminal; for a file or a pipe that of COLUMNS, and 100
/// without it. Colour on a terminal that is not dumb, unless NO_COLOR is set
/// (https://no-color.org), and everywhere if CLICOLOR_FORCE is (https://bixense.com/clicolors).
text::Terminal standardOutput();

/// What stands above the report of one of several runs.
std::string headingOfRun(std::string_view name, const text::Terminal &terminal);

} // namespace aiwc::cli
