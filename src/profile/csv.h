#pragma once

#include "profile/kernel_profile.h"

#include <string>

namespace aiwc::profile {

/// The metrics as CSV: a header `metric,category,value`, then a row per metric in the catalogue's
/// order under the literature's name. Counts are integers, reals read back exactly, `NaN` stands
/// for no value. Lines end in "\n".
std::string toCsv(const KernelProfile &profile);

} // namespace aiwc::profile
