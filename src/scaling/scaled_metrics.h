/// Computes the metrics of a launch from those of one or two other launches.
#pragma once

#include "scaling/launch_scaling.h"
#include "scaling/scaling_law.h"

namespace aiwc::scaling {

/// Sets the metrics, level widths and reuse distances of `to.profile`, and `to.origins`. The values
/// follow from `law`, `nearest` and, if the law is fitted, `second`. `to` must already have its
/// provenance and `otherLocalSize`. Throws Error if a count would exceed 2^64 - 1.
void scaleMetrics(const profile::KernelProfile &nearest, const profile::KernelProfile *second,
                  const ScalingLaw &law, ScaledProfile &to);

} // namespace aiwc::scaling
