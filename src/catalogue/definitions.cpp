#include "catalogue/definitions.h"

#include "catalogue/tables.h"

namespace aiwc::metrics {

static_assert(detail::kDescribed == kMetricCount);

std::string_view definitionOf(Metric metric) {
  return detail::kMetricsDescribed[index(metric)].description().definition;
}

std::span<const Example> examplesOf(Metric metric) {
  return detail::kMetricsDescribed[index(metric)].description().examples;
}

} // namespace aiwc::metrics
