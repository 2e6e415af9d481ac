/// Intervals of times whose profiles are estimates themselves.
#pragma once

#include "predict/cost_model.h"

namespace aiwc::predict {

/// The interval of a time, or of factors of one (`seconds` is 1), for a profile that is itself off
/// by a factor of `errorFactor`: the two errors are independent, and their logarithms add up as
/// variances do. As it is if `errorFactor` is 1 or less, or the time 0.
Interval widened(const Interval &interval, double seconds, double errorFactor);

} // namespace aiwc::predict
