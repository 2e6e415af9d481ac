/// What a kernel does, in plain words.
#pragma once

#include "advice/launch_kinds.h"
#include "predict/device_profile.h"
#include "predict/fitted/fitted_cost_model.h"

#include <span>
#include <string>
#include <vector>

namespace aiwc::advice {

struct DescriptionLine {
  std::string subject; ///< "Work", "Cache"
  std::string text;    ///< one sentence or two
};

/// What the kernel does, in all launches together and how they differ: per work-item, how parallel
/// it is, how it uses memory and caches, whether its lanes and branches agree, what it transfers,
/// and what limits it on each of `devices`. About a dozen lines. What the profiles do not tell has
/// no line. `launches` is not empty.
std::vector<DescriptionLine> descriptionOf(std::span<const LaunchKind> launches,
                                           std::span<const predict::DeviceProfile> devices,
                                           const predict::FittedCostModel &model);

} // namespace aiwc::advice
