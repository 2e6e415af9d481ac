/// Describes the words of a command line and generates completion files for three shells.
#pragma once

#include <string>
#include <vector>

namespace aiwc::describe {

/// What a shell offers for an argument. Several may apply.
struct Offer {
  bool files = false, folders = false;
  bool commands = false;          ///< of the program
  std::vector<std::string> words; ///< also after a comma, for lists
  /// A command line that prints words, one per line, when the shell asks; empty: none. Also after a
  /// comma.
  std::string command;

  bool offersWords() const { return !words.empty() || !command.empty(); }
};

struct OptionWords {
  std::vector<std::string> flags; ///< with their dashes
  std::string help;
  std::string argument; ///< its name; empty for a switch
  Offer offer;          ///< for the argument
};

/// A program, or one of its commands.
struct CommandWords {
  std::string name;
  std::string help;
  std::vector<OptionWords> options = {};
  /// If there are any, the first word of the command line names one of them, or is an option.
  std::vector<CommandWords> commands = {};
  bool takesArguments = false; ///< whether words follow that are neither options nor commands
  Offer offer = {};            ///< for these
  bool application = false;    ///< whether these are the command line of another program
};

/// The contents of a file for share/bash-completion/completions. For words that are not in
/// `program`, the shell uses its default completion.
std::string bashCompletion(const CommandWords &program);
/// The contents of a file for share/zsh/site-functions.
std::string zshCompletion(const CommandWords &program);
/// The contents of a file for share/fish/vendor_completions.d.
std::string fishCompletion(const CommandWords &program);

} // namespace aiwc::describe
