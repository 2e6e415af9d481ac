/// What `aiwc show --metrics` prints: every metric with its definition.
#pragma once

#include <string>

namespace aiwc::cli {

std::string metricsText(); ///< in 80 columns, by category
std::string metricsCsv();  ///< a row per metric
std::string metricsJson(); ///< an array with an object per metric

} // namespace aiwc::cli
