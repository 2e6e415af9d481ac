/// The command line of `aiwc`, which the program parses, and which help, manual pages and
/// completions are made from.
#pragma once

#include "command_line/command.h"

namespace aiwc::cli {

/// The program with all of its commands.
command_line::ProgramCommands commandLine();

} // namespace aiwc::cli
