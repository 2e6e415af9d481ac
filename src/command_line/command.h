/// Declares the commands of a program, their options and their help. The parser itself (CLI11) is
/// compiled once, in command.cpp: its templates take the compiler longer than everything else that
/// a command does.
#pragma once

#include "common/error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace aiwc::command_line {

/// Thrown for a command line that is wrong in itself. The message is one line, begins with the
/// program's name, and ends in a hint to the help.
class UsageError : public Error {
public:
  using Error::Error;
};

/// Thrown by an action, or by the function of an option (`Target`), for arguments that make no
/// sense. `Program::run` makes a UsageError of it, which names the command or option in front.
class Misuse : public Error {
public:
  using Error::Error;
};

/// Where the value of an option goes. The variable must live as long as the program's commands. A
/// function gets the text as the user wrote it.
using Target =
    std::variant<std::string *, std::vector<std::string> *, std::vector<double> *, double *, int *,
                 unsigned *, uint64_t *, std::optional<uint64_t> *, std::optional<unsigned> *,
                 std::optional<int> *, std::optional<double> *, std::optional<std::string> *,
                 std::function<void(const std::string &)>>;

/// An option or argument of a command. Copies stand for the same one.
class Option {
public:
  explicit Option(CLI::Option *option) : option_(option) {}

  /// What the help calls the value. `FILE`, `DIR`, `ID` and `IDS` (of devices) and words in small
  /// letters separated by `|` are completed by shells.
  Option type(const std::string &name);
  /// Shows the value that the target has now as the default.
  Option showDefault();
  Option required();
  /// May be given several times, each time with one value.
  Option repeatable();
  /// May be given several times, each time with one value or several separated by commas.
  Option commaSeparated();
  /// Takes this number of values.
  Option values(int number);
  Option oneOf(const std::vector<std::string> &words);
  Option oneOf(const std::vector<int> &numbers);
  Option between(double low, double high);
  Option positive();
  /// `problem` says what is wrong with a value, or nothing.
  Option check(const std::function<std::string(const std::string &)> &problem);
  /// Of these options, none may be given together with this one.
  Option excludes(const std::vector<Option> &others);
  Option excludes(Option other);
  /// The option makes sense only together with the other one.
  Option needs(Option other);

  /// Whether the user gave it.
  bool given() const;
  std::string name() const; ///< "--devices", or "RUN" of an argument

private:
  CLI::Option *option_;
};

/// What is known of a declared option.
struct OptionDescription {
  std::vector<std::string> names; ///< "-o", "--output"; of an argument only "RUN"
  std::string about;
  std::string type;               ///< "FILE"; empty for a flag
  std::vector<std::string> words; ///< the values that `Option::oneOf` allows
  std::string defaultValue;       ///< if it is shown
  bool argument = false;          ///< given by its place, not by a name
  bool required = false, repeatable = false;
};

struct Example {
  std::string command; ///< a line for a shell
  std::string about;   ///< what it does, where the command does not say
};

/// A command, or the program itself. Copies stand for the same one.
class Command {
public:
  explicit Command(CLI::App *app) : app_(app) {}

  /// A command that has subcommands requires one of them.
  Command subcommand(const std::string &name, const std::string &about);
  /// Lists those of its subcommands that are added from now on under this heading in the help.
  void heading(const std::string &text);
  /// Names of an option begin with a dash and are separated by commas ("-o,--output"); others are
  /// arguments, by their place.
  Option option(const std::string &names, Target target, const std::string &about);
  Option flag(const std::string &name, bool &target, const std::string &about);
  /// An option that is only described: the command reads its arguments itself.
  Option described(const std::string &name, const std::string &about, const std::string &type);
  /// The declared option of this name, which must exist.
  Option declared(const std::string &name) const;
  /// Called if the command is chosen, after its options were read.
  void action(const std::function<void()> &function);
  /// Ends the help with `before` and the examples.
  void examples(const std::vector<Example> &examples, const std::string &before = "");
  /// What the manual page says of the command beyond its first line: sentences, in paragraphs
  /// separated by empty lines.
  void details(const std::string &text);

  std::string name() const;
  std::string about() const;
  std::string detailsText() const;
  std::string footer() const;
  std::vector<OptionDescription> options() const;
  std::vector<Command> subcommands() const;
  /// The help; `parents` are the names before its own.
  std::string help(const std::string &parents) const;

private:
  friend class ProgramCommands;
  CLI::App *app_;
};

/// A program with its commands.
class ProgramCommands {
public:
  ProgramCommands(const std::string &name, const std::string &about, const std::string &version);
  ~ProgramCommands();
  ProgramCommands(ProgramCommands &&) noexcept;
  ProgramCommands &operator=(ProgramCommands &&) noexcept;

  Command root() const;
  /// Adds the command `help`.
  void addHelp();
  /// Runs the command that the arguments choose, or returns the help or the version that they ask
  /// for; otherwise returns "". Throws UsageError, and whatever the command does.
  std::string run(int argc, const char *const *argv);
  /// Throws UsageError if the words after the program's name do not make sense. Runs nothing. Use
  /// it once.
  void check(std::vector<std::string> words);

private:
  std::unique_ptr<CLI::App> app_;
  std::string version_;
  std::shared_ptr<std::string> helpText_; ///< what the command `help` prints
};

} // namespace aiwc::command_line
