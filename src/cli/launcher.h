#pragma once

#include <string>
#include <string_view>

namespace aiwc::cli {

/// The path of the launcher installed or built together with this command, whatever PATH contains.
/// `command` begins messages: "aiwc run". Throws Error if this command's own path cannot be read.
std::string launcherPath(std::string_view command);

} // namespace aiwc::cli
