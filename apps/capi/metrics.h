/// The metric that an index of the C interface stands for.
#pragma once

#include "profile/metric.h"

#include <cstddef>

namespace aiwc::capi {

/// Throws Failure, AIWC_BAD_ARGUMENT, if there are not so many metrics.
const profile::MetricInfo &metricAt(size_t index);

} // namespace aiwc::capi
