/// Device profiles as JSON files, one device each; docs/devices.md describes them.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::predict {

inline constexpr uint64_t kDeviceSchemaVersion = 1;

/// The device that `text`, the contents of `file`, describes. A parameter that is missing is none
/// of the profile's. Throws Error, `file:line:column: what is wrong: what was expected`, for a text
/// that is not JSON or is cut off, another schema, a key that is unknown, there twice or missing
/// from the identity, a value outside of its parameter's range or without a source, and an id that
/// is not the file's name.
DeviceProfile deviceFromJson(std::string_view text, const std::string &file);

/// The device in the file `path`. Throws Error also where it cannot be read, is no regular file, or
/// is far too large to be a device.
DeviceProfile readDevice(const std::filesystem::path &path);

/// What `deviceFromJson` reads back, one line per parameter, ending in a newline. The same device
/// always gives the same bytes.
std::string toJson(const DeviceProfile &device);

} // namespace aiwc::predict
