/// Reuse distances of cache lines of global and constant memory, in total and per source line. The
/// family has histograms, but no metrics.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::reuse_distance {

inline constexpr std::array<MetricDescription, 0> kMetrics{};

} // namespace aiwc::metrics::reuse_distance
