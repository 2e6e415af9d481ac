/// The device profiles that a subcommand works with.
#pragma once

#include "predict/device_library.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace aiwc::cli {

/// Adds --device-dir DIR, which may be given several times, to `command`.
void addDeviceFolders(CLI::App &command, std::vector<std::string> &folders);

/// The devices of these folders; of the usual ones (predict::deviceFolders) without any. Throws
/// Error for whatever DeviceLibrary refuses.
predict::DeviceLibrary loadDevices(const std::vector<std::string> &folders);

} // namespace aiwc::cli
