/// Describes the words of a command line and generates completion files for three shells.
#pragma once

#include <string>
#include <vector>

namespace aiwc::describe {

struct OptionWords {
  std::string flag; ///< with its dashes
  std::string help;
  std::string argument;             ///< its name; empty for a switch
  bool folders = false;             ///< whether the argument is a folder
  std::vector<std::string> offered; ///< all valid arguments, if they are few
};

/// A program, or one of its commands.
struct CommandWords {
  std::string name;
  std::string help;
  std::vector<OptionWords> options;
  /// If there are any, the first word of the command line has to name one of them.
  std::vector<CommandWords> commands;
};

/// The contents of a file for share/bash-completion/completions. For words that are not in
/// `program`, the shell uses its default completion.
std::string bashCompletion(const CommandWords &program);
/// The contents of a file for share/zsh/site-functions.
std::string zshCompletion(const CommandWords &program);
/// The contents of a file for share/fish/vendor_completions.d.
std::string fishCompletion(const CommandWords &program);

} // namespace aiwc::describe
