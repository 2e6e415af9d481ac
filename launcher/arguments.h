#pragma once

#include <optional>
#include <string>
#include <vector>

namespace aiwc::launcher {

/// A command line, taken apart up to the application's name; what follows belongs to the
/// application and is never looked at.
struct Arguments {
  /// The user gave one of our options.
  bool characterise = false;
  bool help = false;
  bool version = false;
  bool quiet = false;
  bool verbose = false;
  bool embed = false;
  std::optional<std::string> output;
  std::optional<std::string> kernels;
  std::optional<std::string> invocations;
  std::optional<std::string> lineSize;
  std::optional<std::string> sampleGroups;
  std::optional<std::string> engine;
  std::optional<std::string> threads;
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
extern const char *const kHelp;

} // namespace aiwc::launcher
