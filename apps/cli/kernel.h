/// What the commands that launch one kernel have in common.
#pragma once

#include "command.h"
#include "kernel_launch/command.h"

#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

/// Adds the options that describe a launch: --kernel, --global, --local, --offset, --arg,
/// --build-options, --shared-memory.
void addLaunchOptions(Command command, kernel_launch::Command &launch);

/// The words of `aiwc run` that characterise a launch: `options` are its own. `command` begins
/// messages. Throws Error if the host program does not exist.
std::vector<std::string> kernelWords(std::string_view command, std::vector<std::string> options,
                                     const kernel_launch::Command &launch);

} // namespace aiwc::cli
