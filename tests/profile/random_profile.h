#pragma once

#include "profile/kernel_profile.h"
#include "support/files.h"

#include <cstdint>

namespace aiwc::test {

/// Any profile at all: every field takes ordinary and extreme values. The same for the same seed.
profile::KernelProfile randomProfile(uint64_t seed);

/// Field by field, reals by their bits.
bool equal(const profile::KernelProfile &a, const profile::KernelProfile &b);

} // namespace aiwc::test
