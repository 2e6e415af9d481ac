/// How many instructions a kernel executes on a machine.
#pragma once

#include "profile/kernel_profile.h"

#include <cmath>

namespace aiwc::profile {

/// The machine instructions of a launch; all of its instructions if the profile, which an older
/// version wrote or which is a compact one, lacks them.
inline double machineInstructions(const KernelProfile &profile) {
  const double count = profile.real("machine_instruction_count"_metric);
  return std::isnan(count) ? profile.real("total_instruction_count"_metric) : count;
}

} // namespace aiwc::profile
