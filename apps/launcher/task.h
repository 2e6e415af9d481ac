/// What the launcher does. Each task has a file of its own.
#pragma once

#include "session/option_table.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aiwc::launcher {

/// An option of the session's table, with a text that it accepts.
struct GivenOption {
  const Option *option;
  std::string text;
};
/// If one is given twice, the last one counts.
using GivenOptions = std::vector<GivenOption>;

/// The last one of this flag of the launcher; nullptr if it was not given.
const GivenOption *givenOption(const GivenOptions &options, std::string_view flag);

/// The options as `oclgrind` takes them, and `run.json` has them.
std::vector<std::string> wordsOf(const GivenOptions &options);

/// Replaces this process by the stock Oclgrind.
struct RunStock {
  std::vector<std::string> words; ///< all of its command line
};

/// Prints the stock help or version, then ours.
struct Describe {
  std::vector<std::string> stockOptions; ///< the last one asks for it
  bool isVersion = false;
};

/// Runs the application in the simulator.
struct Characterise {
  GivenOptions options;
  std::vector<std::string> plugins;      ///< values of --plugins, each a colon-separated list
  std::vector<std::string> stockOptions; ///< without --plugins
  std::vector<std::string> application;  ///< with its arguments; empty: none was given
};

/// Copies what some launches of an application read, to characterise them.
struct Capture {
  double share = 0.1; ///< of the application's time that copies may take
  bool waits = true;  ///< for what is not characterised when the application ends

  bool operator==(const Capture &) const = default;
};

/// Runs the application on its own device, and measures times.
struct Measure {
  GivenOptions options;
  bool preload = false; ///< the layer, for a loader of OpenCL that has no layers
  std::optional<Capture> capture;
  std::vector<std::string> application; ///< with its arguments; not empty
};

/// Goes on with the captures that are left of runs in a folder.
struct Resume {
  GivenOptions options;
  std::string folder;
};

using Task = std::variant<RunStock, Describe, Characterise, Measure, Resume>;

// Each returns how the program that it ran has ended, as a waitpid(2) status. Throws Error,
// ApplicationError, PluginError or Interrupted. Requires a process with a single thread.
[[noreturn]] int perform(const RunStock &task);
int perform(const Describe &task);
int perform(const Characterise &task);
int perform(const Measure &task);
int perform(const Resume &task);
int perform(const Task &task);

/// Returns what `work` returns, a waitpid(2) status. What it throws is printed on standard error
/// and made a status: 2 for an Error, 3 for a PluginError, 126 or 127 for an application that
/// cannot be run, and the signal of Interrupted. A UsageError passes through.
int statusOf(const std::function<int()> &work);

/// Ends this process with the same exit status, or by the same signal, as a process whose
/// waitpid(2) status is `status`.
[[noreturn]] void endLike(int status);

} // namespace aiwc::launcher
