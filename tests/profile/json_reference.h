#pragma once

#include "profile/kernel_profile.h"

#include <string>

namespace aiwc::test {

/// What `toJson` has to write, put together from a text per value: slower, and without an idea of
/// what was written before.
std::string referenceJson(const profile::KernelProfile &profile);

} // namespace aiwc::test
