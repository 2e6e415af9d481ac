/// What limits a kernel on a device, and how near it comes to what the device can do.
#pragma once

#include "advice/launch_kinds.h"
#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace aiwc::advice {

struct Limit {
  std::string_view part;     ///< the key of the largest part of the predicted time
  std::string_view activity; ///< what the device does in it: "access to memory (DRAM)"
  double share = 0;          ///< of the predicted time
  /// Of the device's bandwidth or peak rate, what the launches reach in their predicted time. No
  /// value: the part has no such roof.
  std::optional<double> ofRoof = {};
  std::string_view helps = {}; ///< what makes the part shorter
  std::string sourceKind = {}; ///< of the launches
};

/// Of all launches together. No value where the model cannot cost them on the device.
std::optional<Limit> limitOf(std::span<const LaunchKind> launches,
                             const predict::DeviceProfile &device,
                             const predict::FittedCostModel &model);

/// "access to memory (DRAM), 91 % of the predicted time, at 84 % of its bandwidth: above all, fewer
/// bytes help": for programmers who ask what to change first, in the words of the kernel's
/// language.
std::string inWords(const Limit &limit);

} // namespace aiwc::advice
