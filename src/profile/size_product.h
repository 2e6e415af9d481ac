#pragma once

#include "profile/launch_identity.h"

namespace aiwc::profile {

/// The product of the sizes, of which those that are 0 (not known) count as 1.
constexpr uint64_t productOf(const Size3 &sizes) {
  uint64_t product = 1;
  for (const uint64_t size : sizes)
    product *= size == 0 ? 1 : size;
  return product;
}

} // namespace aiwc::profile
