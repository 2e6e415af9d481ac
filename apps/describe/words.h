/// The words of the programs' command lines, taken from what parses them.
#pragma once

#include "command_line/command.h"
#include "completions.h"

namespace aiwc::describe {

/// The launcher, from the table of options.
CommandWords launcherWords();

/// A program, from its commands. What is offered for an argument follows from its type: `FILE`,
/// `DIR`, `ID` and `IDS` (of devices); the words of Option::oneOf; and of a type such as
/// `published|automatch|FILE` the words in small letters.
CommandWords wordsOf(const command_line::Command &program);

} // namespace aiwc::describe
