#pragma once

#include "profile/kernel_profile.h"

#include <string>

namespace aiwc::profile {

/// The metrics as CSV: a header `metric,category,value`, then one row per metric in the catalogue's
/// order. The first column is the metric's name in the AIWC literature. Counts are integers, reals
/// are printed so that they read back exactly, and a metric without a value is `NaN`. Lines end in
/// "\n".
std::string toCsv(const KernelProfile &profile);

} // namespace aiwc::profile
