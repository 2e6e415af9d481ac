#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <utility>
#include <variant>

namespace aiwc::test {

/// Gives the profile an NDRange, and those of its metrics that follow from it their values.
inline void setNdrange(profile::KernelProfile &profile, uint32_t workDim,
                       const profile::Size3 &global, const profile::Size3 &local) {
  profile.provenance.workDim = workDim;
  profile.provenance.globalSize = global;
  profile.provenance.localSize = local;
  uint64_t items = 1;
  uint64_t groups = 1;
  uint64_t groupSize = 1;
  for (uint32_t i = 0; i < workDim; ++i) {
    items *= global[i];
    groups *= (global[i] + local[i] - 1) / local[i];
    groupSize *= local[i];
  }
  using namespace literals;
  for (const auto &[metric, value] :
       {std::pair{"work_items"_metric, items}, std::pair{"work_groups"_metric, groups},
        std::pair{"work_group_size"_metric, groupSize}})
    if (!std::holds_alternative<std::monostate>(profile[metric]))
      profile.setCount(metric, value);
}

} // namespace aiwc::test
