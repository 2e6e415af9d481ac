/// What an application's launches take on devices, by the fitted model, as a table and as JSON.
#pragma once

#include "predict/fitted/fitted_model.h"
#include "profile/kernel_profile.h"

#include <span>
#include <string>
#include <vector>

namespace aiwc::predict {

/// A launch, and the file that it was read from, for messages.
struct ProfiledLaunch {
  std::string file;
  const profile::KernelProfile *profile = nullptr;
};

/// Launches, summed, on one device.
struct DeviceTime {
  const DeviceProfile *device = nullptr;
  TimeEstimate time;
  bool known = false; ///< whether the model was fitted to times of this device
  /// Whether its interval overlaps that of the fastest device: the model cannot tell which of the
  /// two is faster.
  bool tie = false;
};

struct KernelTimes {
  std::string kernel; ///< empty for the whole application
  size_t launches = 0;
  std::vector<DeviceTime> devices; ///< fastest first
};

struct Times {
  std::vector<KernelTimes> kernels; ///< in the order of their first launches
  KernelTimes application;
  /// Devices that lack a parameter, as "ID: no KEY, which ...".
  std::vector<std::string> leftOut;
};

/// Predicts every launch on every device and sums per kernel and over all. `transfers`: with those
/// between host and device. Throws Error, `FILE: FIELD is VALUE: expected ...`, for a profile that
/// cannot be used, and if no device can be predicted.
Times timesOf(const FittedModel &model, std::span<const ProfiledLaunch> launches,
              std::span<const DeviceProfile *const> devices, bool transfers);

std::string timesTable(const Times &times);
std::string timesJson(const Times &times);

} // namespace aiwc::predict
