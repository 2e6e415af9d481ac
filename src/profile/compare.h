#pragma once

#include "profile/kernel_profile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::profile {

struct MetricChange {
  Metric metric;
  Value before;
  Value after;
  /// (after - before) / before; no value if `before` is 0 or one of the two metrics has no value.
  std::optional<double> relative;
};

/// A changed field that is not a metric, with both values as text.
struct FieldChange {
  std::string key; ///< its key in the JSON file
  std::string before;
  std::string after;
};

struct Comparison {
  /// Changes in completeness, simulator errors and provenance.
  std::vector<FieldChange> fields;
  /// The metrics that differ: first those without a relative change, then by decreasing absolute
  /// relative change; ties are in the catalogue's order.
  std::vector<MetricChange> metrics;
  /// The keys of the histograms that differ.
  std::vector<std::string_view> histograms;

  bool same() const { return fields.empty() && metrics.empty() && histograms.empty(); }
};

Comparison compare(const KernelProfile &before, const KernelProfile &after);

} // namespace aiwc::profile
