/// Reads the inputs of subcommands: profiles and devices.
#pragma once

#include "predict/device_library.h"
#include "profile/kernel_profile.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

struct NamedProfile {
  std::string file;
  profile::KernelProfile profile;
  bool fromFolder = false; ///< whether the argument was its folder, not the file itself
};

/// Whether the argument names standard input: `-` or `/dev/stdin`.
bool isStandardInput(const std::string &argument);

/// The profile in a JSON file, in a pipe, or in standard input.
profile::KernelProfile readProfile(const std::string &argument);

/// The profiles that the arguments name. An argument is one that `readProfile` reads, or a folder
/// for all files `aiwc_*.json` in it, ordered by kernel and number. Throws Error for an argument
/// that is neither, for a folder without profiles, and whenever `profile::readProfile` does.
std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments);

/// A CPU and a GPU that the published model knows best, where the user names no devices.
inline constexpr std::string_view kUsualDevices = "i7-6700k,gtx1080";

/// The profiles as a JSON array.
std::string toJsonArray(const std::vector<NamedProfile> &profiles);

/// Adds --device-dir DIR, which may be given several times, to `command`.
void addDeviceFolders(CLI::App &command, std::vector<std::string> &folders);

/// The devices in these folders, or in the default folders (predict::deviceFolders) if the list is
/// empty. Throws Error whenever DeviceLibrary does.
predict::DeviceLibrary loadDevices(const std::vector<std::string> &folders);

/// Of these, the devices in a comma-separated list of ids. Throws Error whenever
/// DeviceLibrary::select does.
std::vector<predict::DeviceProfile> loadDevices(const std::vector<std::string> &folders,
                                                std::string_view ids);

} // namespace aiwc::cli
