/// Describes the words of a command line and generates the file by which bash completes it.
#pragma once

#include "command_line/command.h"

#include <string>
#include <vector>

namespace aiwc::describe {

/// What is offered for an argument. Several may apply; if none does, bash offers files.
struct Offer {
  bool folders = false;
  bool commands = false;          ///< of the program
  std::vector<std::string> words; ///< also after a comma, for lists
  /// A command line that prints words, one per line, when the shell asks; empty: none. Also after a
  /// comma.
  std::string command;
};

struct OptionWords {
  std::vector<std::string> flags; ///< with their dashes
  bool takesArgument = false;
  Offer offer = {}; ///< for the argument
};

/// A program, or one of its commands.
struct CommandWords {
  std::string name;
  std::vector<OptionWords> options = {};
  /// If there are any, the first word of the command line names one of them, or is an option.
  std::vector<CommandWords> commands = {};
  Offer offer = {}; ///< for words that are neither options nor commands
};

/// The contents of a file for share/bash-completion/completions. For words that are not in
/// `program`, bash uses its default completion.
std::string bashCompletion(const CommandWords &program);

/// The launcher, from the table of options.
CommandWords launcherWords();

/// A program, from its commands. What is offered for an argument follows from its type: `FILE`,
/// `DIR`, `ID` and `IDS` (of devices); the words of Option::oneOf; and of a type such as
/// `published|automatch|FILE` the words in small letters.
CommandWords wordsOf(const command_line::Command &program);

} // namespace aiwc::describe
