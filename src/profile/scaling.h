/// How each metric follows the number of work-items, where a kernel is launched with another
/// NDRange: the column of docs/metrics.md, which benchmarks/scaling measured.
#pragma once

#include "profile/metric.h"

#include <cstdint>
#include <string_view>

namespace aiwc::profile {

enum class Scaling : uint8_t {
  kLaunch,    ///< the NDRange alone gives it
  kWorkItems, ///< grows in proportion to the work-items
  kStays,     ///< does not change with them
  kLogarithm, ///< an entropy of addresses: one bit more where the work-items double
  kDerived,   ///< made of other metrics, by its definition
  kUnknown,   ///< follows from something else: a single launch does not tell
};

/// "launch", "work-items", "stays", "logarithm", "derived", "unknown".
std::string_view toString(Scaling scaling);

Scaling scalingOf(Metric metric);

/// Whether work-groups or their barriers take part in the definition, so that nothing is known of
/// the metric for another local size.
bool dependsOnWorkGroups(Metric metric);

/// Whether its values are in [0, 1].
bool isFraction(Metric metric);

} // namespace aiwc::profile
