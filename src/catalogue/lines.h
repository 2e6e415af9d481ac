/// Instructions, floating-point operations and bytes per source line. The family has no metrics,
/// but fills the rows of `Histograms::lines`.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::lines {

inline constexpr std::array<MetricDescription, 0> kMetrics{};

} // namespace aiwc::metrics::lines
