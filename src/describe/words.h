/// The words of the programs' command lines, taken from what parses them.
#pragma once

#include "completions.h"

#include <CLI/CLI.hpp>

namespace aiwc::describe {

/// The launcher, from the table of options.
CommandWords launcherWords();

/// A program, from its parser. What is offered for an argument follows from its type: `FILE`,
/// `DIR`, `ID` and `IDS` (of devices); the words of CLI::IsMember; and of a type such as
/// `published|automatch|FILE` the words in small letters.
CommandWords wordsOf(const CLI::App &program);

} // namespace aiwc::describe
