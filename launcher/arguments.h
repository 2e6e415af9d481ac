#pragma once

#include "session/option_table.h"

#include <string>
#include <vector>

namespace aiwc::launcher {

struct GivenOption {
  const Option *option;
  std::string text; ///< a value that the option accepts
};

/// A command line, taken apart up to the application's name; what follows belongs to the
/// application and is never looked at.
struct Arguments {
  /// The user gave one of our options.
  bool characterise = false;
  bool help = false;
  bool version = false;
  /// Our options; where one is given twice, the last one counts.
  std::vector<GivenOption> ours;
  /// Values of the stock --plugins options, each still a colon-separated list.
  std::vector<std::string> plugins;
  /// Stock options, without --plugins, that precede the application (or --help, --version).
  std::vector<std::string> stockOptions;
  /// The application and its arguments; empty when there is none.
  std::vector<std::string> application;
};

/// Takes `arguments` (without the program's own name) apart. A stock option that this does not know
/// is passed on as one without an argument: stock Oclgrind refuses it anyway. Throws Error if one
/// of our options is unknown, lacks its argument or has one that makes no sense.
Arguments parseArguments(const std::vector<std::string> &arguments);

/// The description of our options, in the layout of the stock `oclgrind --help`.
std::string helpText();

} // namespace aiwc::launcher
