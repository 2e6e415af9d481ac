/// The metrics of a launch from those of one or two others.
#pragma once

#include "scaling/launch_scaling.h"
#include "scaling/scaling_law.h"

namespace aiwc::scaling {

/// Gives `to.profile` metrics, level widths and reuse distances, and `to.origins`: by `law`, from
/// `nearest` and, where the law is fitted, `second`. `to` has its provenance and
/// `otherLocalSize` already. Throws Error for what exceeds 2^64 - 1.
void scaleMetrics(const profile::KernelProfile &nearest, const profile::KernelProfile *second,
                  const ScalingLaw &law, ScaledProfile &to);

} // namespace aiwc::scaling
