/// Metrics, as profiles have them: the catalogue (metrics/catalogue), and their values. Writers,
/// readers, `aiwc metrics` and `aiwc diff` are all driven by the catalogue.
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

/// A metric's value. `std::monostate` says that it has none: it was not computed, or its
/// definition gives none (a ratio to zero). JSON has `null` for it, CSV `NaN`.
using Value = std::variant<std::monostate, uint64_t, double>;

/// The value as a double; NaN where it has none.
double toDouble(const Value &value);

} // namespace aiwc::profile
