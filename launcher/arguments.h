#pragma once

#include "session/option_table.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::launcher {

/// What `aiwc time` calls the launcher with. An option of the launcher only.
inline constexpr std::string_view kTimeFlag = "--aiwc-time";
/// Likewise of `aiwc attach`, with a share in per cent after "=".
inline constexpr std::string_view kAttachFlag = "--aiwc-attach";
/// Likewise, of the same command: not to wait for captures.
inline constexpr std::string_view kNoWaitFlag = "--aiwc-no-wait";
/// Likewise, and of `aiwc time`: to preload the layer.
inline constexpr std::string_view kPreloadFlag = "--aiwc-preload";
/// Likewise, with the folder of a run after "=" and no application: to go on with its captures.
inline constexpr std::string_view kResumeFlag = "--aiwc-resume";

struct GivenOption {
  const Option *option;
  std::string text; ///< a value that the option accepts
};

/// A command line, split up to the application's name. The words after that name belong to the
/// application and are never interpreted.
struct Arguments {
  /// Whether the user gave one of our options.
  bool characterise = false;
  /// Whether to run the application on its own device and measure times (kTimeFlag), instead of in
  /// the simulator.
  bool time = false;
  /// The share of the application's time that may go to captures of its launches, which are then
  /// characterised (kAttachFlag, with the share in per cent after '='); implies `time`.
  std::optional<double> captureShare;
  bool noWait = false;  ///< kNoWaitFlag
  bool preload = false; ///< kPreloadFlag
  std::string resumed;  ///< the folder of kResumeFlag; empty: none
  bool help = false;
  bool version = false;
  /// Our options; if one is given twice, the last one counts.
  std::vector<GivenOption> ours;
  /// Values of the stock --plugins options, each still a colon-separated list.
  std::vector<std::string> plugins;
  /// Stock options, without --plugins, that precede the application (or --help, --version).
  std::vector<std::string> stockOptions;
  /// The application and its arguments; empty when there is none.
  std::vector<std::string> application;
};

/// Splits `arguments` (without the program's own name). An unknown stock option is passed on as one
/// without an argument: stock Oclgrind refuses it anyway. Throws Error if one of our options is
/// unknown, lacks its argument or has an invalid one.
Arguments parseArguments(const std::vector<std::string> &arguments);

/// The description of our options, in the layout of the stock `oclgrind --help`.
std::string helpText();

} // namespace aiwc::launcher
