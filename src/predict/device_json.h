/// Reads and writes device profiles as JSON files, one device per file; docs/devices.md describes
/// them.
#pragma once

#include "predict/device_profile.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::predict {

/// The newest version. The second added `spread` and `measurements`; a device without them is
/// written as the first.
inline constexpr uint64_t kDeviceSchemaVersion = 2;

/// Whether `text` can be a device's id: lower-case letters, digits, '.', '-' and '_', the first a
/// letter or digit.
bool isDeviceId(std::string_view text);

/// Reads the device described by `text`, the content of `file`. Parameters may be missing, and so
/// may `opencl`, which is then true. Throws Error, `file:line:column: what is wrong: what was
/// expected`, for text that is not JSON or is cut off, another schema, an unknown or duplicate key,
/// a missing key of the identity, a value outside its parameter's range or without a source, OpenCL
/// names of a device without OpenCL, an id that differs from the file's name, and measurements that
/// are not what device_measurements.h says.
DeviceProfile deviceFromJson(std::string_view text, const std::string &file);

/// Reads the device in the file `path`. Throws Error also if the file cannot be read, is not a
/// regular file, or is far too large for a device profile.
DeviceProfile readDevice(const std::filesystem::path &path);

/// The JSON that `deviceFromJson` reads, with one line per parameter and a newline at the end. The
/// same device always gives the same bytes.
std::string toJson(const DeviceProfile &device);

} // namespace aiwc::predict
