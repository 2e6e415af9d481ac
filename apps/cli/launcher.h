#pragma once

#include "command.h"
#include "kernel_launch/command.h"
#include "launcher/task.h"
#include "session/option_table.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// Runs `aiwc run` with these words in `folder`, with its output in the file `output`, and waits
/// for the end; returns the exit status, or 128 and the signal. `command` begins messages: "aiwc
/// tune". Throws Error if it cannot be started.
int runAndWait(std::string_view command, std::vector<std::string> words, const std::string &folder,
               const std::filesystem::path &output);

/// The options of `aiwc run` as they were given to another command.
struct RunOptions {
  std::array<std::optional<std::string>, kOptions.size()> arguments; ///< of kOptions
  std::array<bool, kOptions.size()> switches{};

  /// Throws Error for an argument that is not valid.
  launcher::GivenOptions given() const;
};
/// Declares those of the options that `flags` names. Those about how the simulator works, which
/// change no question that a command answers, are refused with their variable. `options` must live
/// as long as the command.
void addRunOptions(Command command, RunOptions &options, std::span<const std::string_view> flags);

/// Adds the options that describe a launch: --kernel, --global, --local, --offset, --arg,
/// --build-options, --shared-memory.
void addLaunchOptions(Command command, kernel_launch::Command &launch);

/// The words of `aiwc run` that characterise a launch: `options` are its own. `command` begins
/// messages. Throws Error if the host program does not exist.
std::vector<std::string> kernelWords(std::string_view command, std::vector<std::string> options,
                                     const kernel_launch::Command &launch);

} // namespace aiwc::cli
