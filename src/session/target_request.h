#pragma once

#include <string_view>

namespace aiwc {

/// How the names of files begin in which the plugin asks the launcher for the code of other devices
/// (plugin/target_request.h); the profile's file name follows.
inline constexpr std::string_view kTargetRequestPrefix = "targets_";

} // namespace aiwc
