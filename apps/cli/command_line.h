/// The command lines of `aiwc` and `aiwc-model`, which the programs parse, and which help, manual
/// pages and completions are made from.
#pragma once

#include "command_line/command.h"

namespace aiwc::cli {

/// The program with all of its commands.
command_line::ProgramCommands commandLine();

/// `aiwc-model`, for those who have measured times of their own: fits the coefficients of the model
/// that `aiwc predict` uses.
command_line::ProgramCommands modelCommandLine();

} // namespace aiwc::cli
