/// What a kernel does, in plain words.
#pragma once

#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"
#include "profile/kernel_profile.h"

#include <span>
#include <string>
#include <vector>

namespace aiwc::advice {

struct DescriptionLine {
  std::string subject; ///< "Work", "Cache"
  std::string text;    ///< one sentence or two
};

/// What the kernel does per work-item, how parallel it is, how it uses memory and caches, whether
/// its lanes and branches agree, what it transfers, and what limits it on each of `devices`. About
/// a dozen lines. What the profile does not tell has no line.
std::vector<DescriptionLine> descriptionOf(const profile::KernelProfile &profile,
                                           std::span<const predict::DeviceProfile> devices,
                                           const predict::FittedCostModel &model);

} // namespace aiwc::advice
