#pragma once

#include "launcher/task.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Command lines of options, then an application with words of its own, which are never
/// interpreted.
namespace aiwc::launcher {

/// An option of a command that is not in the session's table.
struct CommandOption {
  std::string_view flag;
  std::string_view argument; ///< its name; empty: the option is a switch
  std::string_view help;     ///< one line, without the full stop
  /// Throws Error for an argument that makes no sense.
  void (*take)(const std::string &argument, Task &task);
};

/// What the command line of a command consists of.
struct Syntax {
  std::string_view command; ///< "aiwc run", as messages name it
  std::string (*flagOf)(const Option &option) = [](const Option &option) {
    return option.runFlag();
  };
  bool (*takes)(const Option &option) = [](const Option &) { return true; };
  std::span<const CommandOption> others = {};
  bool takesStockOptions = false;
  /// Whether `--` ends the options, and an application is required.
  bool hasSeparator = true;
};

/// The command `oclgrind`.
inline constexpr Syntax kOclgrind = {
    .command = "oclgrind",
    .flagOf = [](const Option &option) { return std::string(option.flag); },
    .takesStockOptions = true,
    .hasSeparator = false};

/// The task of the command line `words`, without the names of program and command. `task`: what the
/// command does if it has no option that makes it do something else. `oclgrind` runs the stock
/// program without our options, and characterises with them.
///
/// `oclgrind` passes an unknown stock option on as one without an argument: stock Oclgrind refuses
/// it anyway. Throws Error if an option of ours is unknown or has an invalid argument, and
/// UsageError if the syntax has a separator and is violated.
Task taskOf(const std::vector<std::string> &words, const Syntax &syntax, Task task = RunStock());

} // namespace aiwc::launcher
