/// The catalogue of metrics (metrics/catalogue) and the type of their values. Writers, readers,
/// `aiwc metrics` and `aiwc diff` all iterate over the catalogue.
#pragma once

#include "metrics/catalogue/catalogue.h"

#include <cstdint>
#include <string_view>
#include <variant>

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

/// "Compute", "Parallelism", "Memory", "Control".
std::string_view toString(Category category);
/// "count", "real".
std::string_view toString(MetricType type);
/// "launch", "work-items", "stays", "logarithm", "derived", "unknown".
std::string_view toString(Scaling scaling);
/// "exact", "total", "mean", "lower bound", "upper bound", "sample".
std::string_view toString(Estimate estimate);

/// A metric's value. `std::monostate` means "no value": the metric was not computed, or is not
/// defined (a ratio to zero). It is `null` in JSON and `NaN` in CSV.
using Value = std::variant<std::monostate, uint64_t, double>;

/// The value as a double; NaN if there is no value.
double toDouble(const Value &value);

} // namespace aiwc::profile
