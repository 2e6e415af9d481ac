/// The metrics of a launch from those of one or two others.
#pragma once

#include "embed/launch_scaling.h"
#include "embed/scaling_law.h"

namespace aiwc::embed {

/// Gives `to.profile` metrics, level widths and reuse distances, and `to.origins`: by `law`, from
/// `nearest` and, where the law is fitted, `second`. `to` has its provenance and
/// `otherLocalSize` already. Throws Error for what exceeds 2^64 - 1.
void scaleMetrics(const profile::KernelProfile &nearest, const profile::KernelProfile *second,
                  const ScalingLaw &law, ScaledProfile &to);

} // namespace aiwc::embed
