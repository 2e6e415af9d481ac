/// The devices that are known, from folders of device profiles.
#pragma once

#include "predict/device_profile.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// Where device profiles are looked for, the first of these that says something: `chosen`; the
/// folders of the environment variable AIWC_DEVICES, separated by ':'; `share/aiwc/devices` beside
/// the folder of the running program, which is where it is in an installed tree and in a built one;
/// the same where the project was installed. Throws Error where there is none of the last two.
std::vector<std::filesystem::path>
deviceFolders(const std::vector<std::filesystem::path> &chosen = {});

/// Constant once filled: any number of threads may then read it.
class DeviceLibrary {
public:
  DeviceLibrary() = default;
  /// All `*.json` of the folders, hidden ones apart. Throws Error, with the folder or file, for a
  /// folder that cannot be read or has none, for whatever `readDevice` refuses, and for an id that
  /// was there before.
  explicit DeviceLibrary(const std::vector<std::filesystem::path> &folders);

  /// Adds a device; `origin` names it in messages. Throws Error where its id is there already.
  /// References to devices end.
  void add(DeviceProfile device, const std::string &origin);

  /// By id.
  std::span<const DeviceProfile> devices() const { return devices_; }
  /// Throws Error, which lists ids that are close, where there is no such device.
  const DeviceProfile &operator[](std::string_view id) const;
  /// The devices that a comma-separated list names, in its order; "all" for all. Throws Error for
  /// an unknown id, one named twice, and an empty list.
  std::vector<const DeviceProfile *> select(std::string_view ids) const;
  /// The device that an OpenCL implementation calls `openclName` (CL_DEVICE_NAME): the one with the
  /// longest name of its own in there (device_names.h). None where there is none, and where two
  /// devices are named equally well.
  const DeviceProfile *match(std::string_view openclName) const;

private:
  std::vector<DeviceProfile> devices_; // by id
  std::vector<std::string> origins_;   // of each
};

} // namespace aiwc::predict
