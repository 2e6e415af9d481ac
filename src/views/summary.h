#pragma once

#include "profile/kernel_profile.h"

#include <string>

namespace aiwc::views {

using profile::KernelProfile;
using profile::Metric;
using profile::Value;

/// A profile as text for people: a title with kernel, invocation and NDRange, then problems of the
/// profile if there are any, then the metrics by category with their units. At most 60 lines of at
/// most 100 columns. Ends in a newline.
std::string toText(const KernelProfile &profile);

} // namespace aiwc::views
