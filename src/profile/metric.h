/// The catalogue of metrics (src/catalogue) and the type of their values. Writers, readers,
/// `aiwc show --metrics` and `aiwc diff` all iterate over the catalogue.
#pragma once

#include "catalogue/catalogue.h"
#include "text/text.h"

#include <string_view>

namespace aiwc::profile {

using metrics::catalogue;
using metrics::Category;
using metrics::Estimate;
using metrics::findMetric;
using metrics::index;
using metrics::info;
using metrics::kMetricCount;
using metrics::LocalSize;
using metrics::Metric;
using metrics::MetricInfo;
using metrics::MetricType;
using metrics::MetricVector;
using metrics::Range;
using metrics::Scaling;
using text::toDouble;
using text::Value; ///< of a metric

/// "Compute", "Parallelism", "Memory", "Control".
std::string_view toString(Category category);
/// "count", "real".
std::string_view toString(MetricType type);
/// "launch", "work-items", "stays", "logarithm", "derived", "unknown".
std::string_view toString(Scaling scaling);
/// "exact", "total", "mean", "lower bound", "upper bound", "sample".
std::string_view toString(Estimate estimate);

} // namespace aiwc::profile
