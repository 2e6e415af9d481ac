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
  /// (after - before) / before; none where that is no number: from 0, from or to no value.
  std::optional<double> relative;
};

/// Something that is not a metric, as text.
struct FieldChange {
  std::string key; ///< as in the JSON file
  std::string before;
  std::string after;
};

struct Comparison {
  /// Completeness, simulator errors and provenance: what the two profiles are of.
  std::vector<FieldChange> fields;
  /// Those that differ; the ones without a relative change first, then the largest change of
  /// either sign, then the catalogue's order.
  std::vector<MetricChange> metrics;
  /// The keys of the histograms that differ.
  std::vector<std::string_view> histograms;

  bool same() const { return fields.empty() && metrics.empty() && histograms.empty(); }
};

Comparison compare(const KernelProfile &before, const KernelProfile &after);

} // namespace aiwc::profile
