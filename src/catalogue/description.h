/// The type of a metric's description. `src/catalogue/<family>.h` has the descriptions of a
/// family's metrics; all code that lists, classifies or names metrics uses them (catalogue.h).
/// These headers include only the standard library, so that programs that read profiles do not need
/// the analyses.
#pragma once

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

/// A member that a description must set: a description without it does not compile.
template <typename Enum> class Required {
public:
  constexpr Required(Enum value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr operator Enum() const { return value_; } // NOLINT(google-explicit-constructor)

private:
  Enum value_;
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

/// The metric's value for a kernel of kernels/, derived by hand. `tests/kernels` checks it.
struct Example {
  std::string_view kernel; ///< kernels/<kernel>.sim
  double value;
  std::string_view because; ///< how the value follows from the kernel's source
};

/// The description of one metric, or of one metric per parameter if it has parameters.
struct MetricDescription {
  /// The metric's key in JSON and in code. With parameters, the keys are `<key>_<parameter>`.
  std::string_view key;
  /// The metric's name in the AIWC literature, with `{}` for the parameter; empty if it equals the
  /// key.
  std::string_view name = {};
  std::span<const uint32_t> parameters = {};
  Required<Category> category;
  Required<MetricType> type;
  std::string_view unit = {}; ///< "bytes", "bits", "instructions", ...; empty for a pure number
  Required<Range> range;
  std::string_view definition; ///< one or two sentences
  Required<Scaling> scaling;
  Required<LocalSize> localSize;
  Required<Estimate> estimate;
  Compact compact = {};
  /// The label of the metric's line in the text summary. Adjacent metrics in the catalogue with the
  /// same label share one line. With parameters, the label has `{}` for them; there is one line for
  /// all parameters, or two if there are many.
  std::string_view summaryLine = {};
  /// Key of a metric of another family: this metric, and those that follow it in its family's
  /// table, are listed after that one. Empty: the metric keeps its place in its family.
  std::string_view listedAfter = {};
  std::span<const Example> examples = {};
};

} // namespace aiwc::metrics
