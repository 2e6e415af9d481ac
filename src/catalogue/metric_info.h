/// What programs need to know of a metric: all of its description but the prose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aiwc::metrics {

enum class Category : uint8_t { kCompute, kParallelism, kMemory, kControl };

/// The type of a metric's value. A count is a non-negative integer, exact to 64 bits.
enum class MetricType : uint8_t { kCount, kReal };

enum class Range : uint8_t {
  kNotNegative,
  kFraction, ///< in [0, 1]
};

/// How the value changes with the number of work-items if the kernel is launched with another
/// NDRange (docs/metrics.md, "Other launches").
enum class Scaling : uint8_t {
  kLaunch,    ///< computed from the NDRange
  kWorkItems, ///< grows in proportion to the work-items
  kStays,     ///< does not change
  kLogarithm, ///< an entropy of addresses: grows by one bit when the work-items double
  kDerived,   ///< computed from other metrics by its definition
  kUnknown,   ///< cannot be derived from a single launch
};

/// Whether the definition depends on work-groups or their barriers. If it does, the value for
/// another local size is unknown.
enum class LocalSize : uint8_t { kDoesNotMatter, kMatters };

/// How the value in a profile of sampled work-groups relates to the launch's value
/// (docs/metrics.md, "Sampled work-groups").
enum class Estimate : uint8_t {
  kExact,      ///< the launch's value, which does not depend on the sample
  kTotal,      ///< a sum over groups, scaled to all of them; has a standard error
  kMean,       ///< the sample's mean, ratio or quantile, an estimate; has a standard error
  kLowerBound, ///< the sample's value, at most the launch's
  kUpperBound, ///< the sample's value, at least the launch's
  kSample,     ///< the sample's value; says nothing about the launch
};

/// The place of the metric in the compact form of a profile (docs/embedding.md).
struct Compact {
  static constexpr uint16_t kOptional = UINT16_MAX;

  /// Adjacent metrics in the catalogue with the same `list` are stored as one list under this key.
  /// Empty: the metric has its own key.
  std::string_view list = {};
  /// Set for metrics that a prediction or the start of the summary needs; these come first, by
  /// increasing rank. The others follow in the catalogue's order and are left out if there is no
  /// room.
  uint16_t rank = kOptional;
};

/// A metric, as its index in the catalogue. It has no enumerators: code names a metric by its key,
/// `"fp_ops"_metric`.
enum class Metric : uint16_t {};

/// The metric as an index into arrays with one element per metric.
constexpr size_t index(Metric metric) {
  return static_cast<size_t>(metric);
}

/// One metric. Its key, name and the like are those of its MetricDescription, which documents them,
/// with the parameter inserted.
struct MetricInfo {
  Metric metric{};
  std::string_view key;
  std::string_view name;
  std::string_view family;
  std::span<const uint32_t> parameters; ///< of the description; empty if it has none
  uint32_t parameter = 0;               ///< this metric's; 0 if there are none
  Category category{};
  MetricType type{};
  std::string_view unit;
  Range range{};
  Scaling scaling{};
  LocalSize localSize{};
  Estimate estimate{};
  Compact compact = {};
  std::string_view summaryLine;
};

} // namespace aiwc::metrics
