/// The command lines of `aiwc` and `aiwc-model`, which the programs parse, and which help, manual
/// pages and completions are made from.
#pragma once

#include "command_line/command.h"

#include <span>
#include <vector>

namespace aiwc::cli {

/// The program with all of its commands.
command_line::ProgramCommands commandLine();

/// Carries the options out that stand before the command, and returns the other words: the device
/// folders of --device-dir go into AIWC_DEVICES, where this process and those that it starts look.
/// Throws Error for a folder that cannot stand there.
std::vector<const char *> takeProgramOptions(int argc, const char *const *argv);

/// Throws UsageError for a command or an option that has another name today. `words`: those of a
/// command that is no other program's.
void refuseRenamed(std::span<const char *const> words);

/// `aiwc-model`, for those who have measured times of their own: fits the coefficients of the model
/// that `aiwc predict` uses.
command_line::ProgramCommands modelCommandLine();

} // namespace aiwc::cli
