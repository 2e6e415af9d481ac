/// The parts of a manual page (mdoc(7)) that say what the commands of a program are, from their
/// declarations.
#pragma once

#include "command_line/command.h"

#include <string>

namespace aiwc::describe {

/// The synopsis: a usage for each command that has no subcommands.
std::string synopsisOf(const command_line::Command &program);

/// A section for each of these commands: what it does, its options with their values and defaults,
/// and its examples.
std::string sectionsOf(const command_line::Command &program);

} // namespace aiwc::describe
