/// The devices that are known, from folders of device profiles.
#pragma once

#include "predict/device_profile.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// The devices that were installed with this header; none in the project's own build. A program
/// that links aiwc::predict gets the macro from find_package, which knows where it found the
/// package: a static library does not.
#ifdef AIWC_DEVICES_FOLDER
constexpr const char *kDevicesOfPackage = AIWC_DEVICES_FOLDER;
#else
constexpr const char *kDevicesOfPackage = nullptr;
#endif

/// The folders that device profiles are read from. The first of these that exists decides:
/// - `chosen`, unless it is empty;
/// - the folders of the environment variable AIWC_DEVICES, separated by ':';
/// - `../share/aiwc/devices` seen from the folder of the running program: the place in an installed
///   tree and in a built one;
/// - `package`, the devices that were installed with the library;
/// - `share/aiwc/devices` in the prefix that the project was configured for.
/// Throws Error where none of them exists. The first two are not checked.
std::vector<std::filesystem::path>
deviceFolders(const std::vector<std::filesystem::path> &chosen = {},
              const char *package = kDevicesOfPackage);

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
