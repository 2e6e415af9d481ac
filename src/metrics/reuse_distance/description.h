/// Reuse distances of lines of global and constant memory, in all and per source line. No metrics:
/// histograms.
#pragma once

#include "metrics/catalogue/description.h"

#include <array>

namespace aiwc::metrics::reuse_distance {

inline constexpr std::array<MetricDescription, 0> kMetrics{};

} // namespace aiwc::metrics::reuse_distance
