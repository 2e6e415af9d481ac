/// What shells have to know to complete a command line, and the three languages they want it in.
#pragma once

#include <string>
#include <vector>

namespace aiwc::describe {

struct OptionWords {
  std::string flag; ///< with its dashes
  std::string help;
  std::string argument;             ///< its name; empty: the option is a switch
  bool folders = false;             ///< the argument is a folder
  std::vector<std::string> offered; ///< the arguments there are, if they are few
};

/// A program, or a command of one.
struct CommandWords {
  std::string name;
  std::string help;
  std::vector<OptionWords> options;
  /// A word that names one of them has to come first.
  std::vector<CommandWords> commands;
};

/// A file for share/bash-completion/completions. Other words than these are completed as if there
/// were no file.
std::string bashCompletion(const CommandWords &program);
/// A file for share/zsh/site-functions.
std::string zshCompletion(const CommandWords &program);
/// A file for share/fish/vendor_completions.d.
std::string fishCompletion(const CommandWords &program);

} // namespace aiwc::describe
