#pragma once

#include "profile/kernel_profile.h"

#include <string>
#include <string_view>

namespace aiwc::profile {

/// The columns of the wide table, which has a row per profile: the file, what the profile is of,
/// and one column per metric, under its key, in the catalogue's order. The columns are the same for
/// all profiles of a version. Ends in "\n".
std::string wideCsvHeader();
/// The row of `profile`, which was read from `file`. Sizes are in work-items, 1 in missing
/// dimensions; `sampled_groups` and `total_groups` are 0 if all work-groups were characterised.
/// Counts are integers, reals are printed so that they read back exactly, and a metric without a
/// value is `NaN`. Ends in "\n".
std::string wideCsvRow(std::string_view file, const KernelProfile &profile);

} // namespace aiwc::profile
