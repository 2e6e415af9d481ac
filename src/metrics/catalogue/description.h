/// How a metric is described. `src/metrics/<family>/description.h` has the descriptions of a
/// family's metrics; everything that lists, classifies or names metrics reads them (catalogue.h).
/// These headers include the standard library alone: what reads profiles needs no analyses.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace aiwc::metrics {

enum class Category : uint8_t { kCompute, kParallelism, kMemory, kControl };

/// What a metric's values are. A count is a non-negative integer, exact to 64 bits.
enum class MetricType : uint8_t { kCount, kReal };

enum class Range : uint8_t {
  kNotNegative,
  kFraction, ///< in [0, 1]
};

/// How the value follows the number of work-items, where the kernel is launched with another
/// NDRange (docs/metrics.md, "Other launches").
enum class Scaling : uint8_t {
  kLaunch,    ///< the NDRange alone gives it
  kWorkItems, ///< grows in proportion to the work-items
  kStays,     ///< does not change with them
  kLogarithm, ///< an entropy of addresses: one bit more where the work-items double
  kDerived,   ///< made of other metrics, by its definition
  kUnknown,   ///< follows from something else: a single launch does not tell
};

/// Whether work-groups or their barriers take part in the definition, so that nothing is known of
/// the metric for another local size.
enum class LocalSize : uint8_t { kDoesNotMatter, kMatters };

/// What the value is in a profile of sampled work-groups (docs/metrics.md, "Sampled work-groups").
enum class Estimate : uint8_t {
  kExact,      ///< known without the groups
  kTotal,      ///< a sum over groups, scaled to all of them; has a standard error
  kMean,       ///< a mean, ratio or quantile of the sample, which estimates the launch's; has one
  kLowerBound, ///< of the sample; at most the launch's
  kUpperBound, ///< of the sample; at least the launch's
  kSample,     ///< of the sample; nothing follows for the launch
};

/// A member that a description has to set: without it, the description does not compile.
template <typename Enum> class Required {
public:
  constexpr Required(Enum value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr operator Enum() const { return value_; } // NOLINT(google-explicit-constructor)

private:
  Enum value_;
};

/// Where the compact form of a profile (docs/embedding.md) has the metric.
struct Compact {
  static constexpr uint16_t kOptional = UINT16_MAX;

  /// Neighbours in the catalogue with the same name share one key of that name, their values in a
  /// list. Empty: the metric has its own key.
  std::string_view list = {};
  /// Of what a prediction or the summary's first look needs, in this order. The others come after
  /// them, in the catalogue's order, and are left out where there is no room for all.
  uint16_t rank = kOptional;
};

/// A value that a kernel of kernels/ has, derived by hand; `tests/kernels` checks it.
struct Example {
  std::string_view kernel; ///< kernels/<kernel>.sim
  double value;
  std::string_view because; ///< how the value follows from the kernel's source
};

/// One metric; where it has parameters, one for each of them.
struct MetricDescription {
  /// Machine-readable; the key in JSON. With parameters: the keys are `<key>_<parameter>`.
  std::string_view key;
  /// The AIWC literature's, with `{}` for the parameter; empty where it is the key.
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
  /// Neighbours in the catalogue with the same one share this line of the text summary. With
  /// parameters, it has `{}` for them: there is one line for all, or two if they are many.
  std::string_view summaryLine = {};
  /// Key of the metric that this one is listed after, with those after it in its family's table.
  /// Empty: it comes after its predecessor in the table, or the family's first after the families
  /// before it.
  std::string_view listedAfter = {};
  std::span<const Example> examples = {};
};

} // namespace aiwc::metrics
