/// The set of known devices, read from folders of device profiles.
#pragma once

#include "predict/device_profile.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::predict {

/// The folders to read device profiles from: the first of these that exists, then those in `added`.
/// - the folders of the environment variable AIWC_DEVICES, separated by ':';
/// - `../share/aiwc/devices` relative to the folder of the running program, which is its place in
///   an installed tree and in a build tree, or the same from the folder of our tools;
/// - `share/aiwc/devices` in the prefix that the project was configured for.
/// Throws Error if none of them exists and nothing is added. `added` and the variable's folders are
/// not checked.
std::vector<std::filesystem::path>
deviceFolders(const std::vector<std::filesystem::path> &added = {});

/// Where the user names no devices: GPUs for desktops and for computing centres of two vendors, and
/// a CPU, all of them on sale in 2026.
inline constexpr std::string_view kUsualDevices = "rtx5090,h200-sxm,rx9070xt,ryzen9-9950x";

/// Whether the text names a group of devices, not each of them: "all", or types such as "cpu,gpu".
bool namesGroup(std::string_view devices);

/// Once it is filled, any number of threads may read it.
class DeviceLibrary {
public:
  DeviceLibrary() = default;
  /// Reads all `*.json` in the folders, except hidden files. A device replaces the one of an
  /// earlier folder that has its id as id or alias. Those in the subfolder `automatch` are known by
  /// their names only: no list has them. Throws Error, naming the folder or file, for a folder that
  /// cannot be read or has no profiles, for each file that `readDevice` rejects, and for an id that
  /// two devices of one folder have.
  explicit DeviceLibrary(const std::vector<std::filesystem::path> &folders);

  /// Adds a device; `origin` names it in messages. Throws Error if its id or one of its aliases is
  /// another device's id or alias.
  /// Invalidates references to devices.
  void add(DeviceProfile device, const std::string &origin);

  /// The devices, ordered by id, without those that are known by their names only.
  std::span<const DeviceProfile> devices() const { return devices_; }
  /// The device with this id or alias. Throws Error, listing similar ids, if there is none.
  const DeviceProfile &operator[](std::string_view id) const;
  /// The devices in a comma-separated list of ids, in its order, or those of a group for which an
  /// OpenCL implementation exists. Throws Error for an unknown id, a duplicate one, an empty list,
  /// and for types of which there is no device.
  std::vector<const DeviceProfile *> select(std::string_view devices) const;
  /// The device for `openclName`, the name from an OpenCL implementation (CL_DEVICE_NAME): the
  /// device whose own name in it is the longest. None if no device matches or if
  /// two devices match equally well.
  const DeviceProfile *match(std::string_view openclName) const;

private:
  /// Removes the device that has this id or alias, if there is one.
  void remove(std::string_view id);
  /// The index of the device that has this id or alias; none if no device has it.
  std::optional<size_t> find(std::string_view id) const;

  std::vector<DeviceProfile> devices_; // by id
  std::vector<std::string> origins_;   // of each
  std::vector<DeviceProfile> unlisted_;
};

} // namespace aiwc::predict
