/// What subcommands read: profiles, and the devices.
#pragma once

#include "predict/device_library.h"
#include "profile/kernel_profile.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace aiwc::cli {

struct NamedProfile {
  std::string file;
  profile::KernelProfile profile;
  bool fromFolder = false; ///< whether the folder was named, not the file
};

/// The profiles that the arguments name: JSON files, and folders for all the `aiwc_*.json` in them,
/// by kernel and number. Throws Error for an argument that is neither, a folder without profiles,
/// and whatever `readProfile` refuses.
std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments);

/// A JSON array of them.
std::string toJsonArray(const std::vector<NamedProfile> &profiles);

/// Adds --device-dir DIR, which may be given several times, to `command`.
void addDeviceFolders(CLI::App &command, std::vector<std::string> &folders);

/// The devices of these folders; of the usual ones (predict::deviceFolders) without any. Throws
/// Error for whatever DeviceLibrary refuses.
predict::DeviceLibrary loadDevices(const std::vector<std::string> &folders);

} // namespace aiwc::cli
