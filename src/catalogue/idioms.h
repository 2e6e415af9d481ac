/// Idioms: how each access steps through memory, and the pattern of computation that it belongs to.
/// The family has no metrics, but fills `KernelProfile::accesses`.
#pragma once

#include "catalogue/description.h"

#include <array>

namespace aiwc::metrics::idioms {

inline constexpr std::array<MetricDescription, 0> kMetrics{};

} // namespace aiwc::metrics::idioms
