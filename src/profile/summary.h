#pragma once

#include "profile/kernel_profile.h"

#include <string>

namespace aiwc::profile {

/// A profile for people: a title with kernel, invocation and NDRange, what is wrong with it if
/// anything, then the metrics by category with their units, at most 60 lines of at most 100
/// columns in all. Ends in a newline.
std::string toText(const KernelProfile &profile);

} // namespace aiwc::profile
