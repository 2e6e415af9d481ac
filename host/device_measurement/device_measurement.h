/// Measures an OpenCL device: `aiwc devices measure`.
#pragma once

#include "predict/device_library.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::device_measurement {

/// An OpenCL device as lists show it.
struct ListedDevice {
  std::string name, platform, driver;
};
/// The devices of all platforms, in OpenCL's order. Throws Error if OpenCL cannot be opened.
std::vector<ListedDevice> listedDevices();

/// How far a measurement is.
struct Progress {
  size_t done = 0, total = 0; ///< items
  std::string_view item;      ///< what is measured now
  double secondsLeft = 0;     ///< at most, about
};

struct MeasureOptions {
  size_t device = 0;    ///< index in listedDevices()
  double seconds = 200; ///< to measure, about
  /// The file of the profile; its name without `.json` is the id. Empty: the device's name, in this
  /// folder.
  std::filesystem::path output;
  /// Id of the device in `library` whose profile has what cannot be measured; empty: the one that
  /// the OpenCL device's name matches, if there is one.
  std::string base;
  const predict::DeviceLibrary *library = nullptr; ///< none: nothing matches
  std::function<void(const Progress &)> progress;

  /// Whether there is time for few sizes and kinds only.
  bool isQuick() const {
    constexpr double kLeast = 60;
    return seconds < kLeast;
  }
};

struct Measured {
  std::filesystem::path file;
  predict::DeviceProfile profile;
};

/// Measures the device and writes its profile, in one step, at the end. Throws Error if there is no
/// such device, the device fails or computes something wrong, or a file cannot be written; no
/// profile is written then.
Measured measure(const MeasureOptions &options);

} // namespace aiwc::device_measurement
