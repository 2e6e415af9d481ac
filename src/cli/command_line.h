/// The command line of `aiwc`, which the program parses, and which help, completions and the test
/// of the manual page are made from.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace aiwc::cli {

/// The parser with all subcommands. Parsing runs the chosen one.
std::unique_ptr<CLI::App> commandLine();

/// What the first word of the command line that the parser did not expect should have been:
/// "aiwc: shwo: expected a command: run, show, ...; did you mean show?". `app` has thrown
/// CLI::ExtrasError.
std::string wrongWord(const CLI::App &app);

/// "aiwc devices show", the names of the subcommands that were given.
std::string chosenCommand(const CLI::App &app);

} // namespace aiwc::cli
