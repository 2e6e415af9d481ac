#pragma once

#include "command.h"
#include "session/option_table.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// The path of the launcher installed or built together with this command, whatever PATH contains.
/// `command` begins messages: "aiwc run". Throws Error if this command's own path cannot be read.
std::string launcherPath(std::string_view command);

/// Replaces the process by the launcher with these words. `command` as above. Throws Error if it
/// cannot be started.
[[noreturn]] void startLauncher(std::string_view command, std::vector<std::string> words);

/// Runs the words in `folder`, with their output in the file `output`, and waits for the end;
/// returns the exit status, or 128 and the signal. `command` as above. Throws Error if they cannot
/// be started.
int runAndWait(std::string_view command, std::vector<std::string> words, const std::string &folder,
               const std::filesystem::path &output);

/// The options of `aiwc run` as they were given to another command.
struct RunOptions {
  std::array<std::optional<std::string>, kOptions.size()> arguments; ///< of kOptions
  std::array<bool, kOptions.size()> switches{};

  /// As the launcher takes them. Throws Error for an argument that is not valid.
  std::vector<std::string> words() const;
};
/// Declares those options, but not the ones named in `without`. `options` must live as long as the
/// command.
void addRunOptions(Command command, RunOptions &options, std::span<const std::string_view> without);

} // namespace aiwc::cli
