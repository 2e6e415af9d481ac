/// The type of a metric's description. `src/catalogue/<family>.h` has the descriptions of a
/// family's metrics. From these headers the build makes the table that programs use (catalogue.h),
/// so that a change of prose rebuilds little.
#pragma once

#include "catalogue/metric_info.h"

namespace aiwc::metrics {

/// A member that a description must set: a description without it does not compile.
template <typename Enum> class Required {
public:
  constexpr Required(Enum value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  constexpr operator Enum() const { return value_; } // NOLINT(google-explicit-constructor)

private:
  Enum value_;
};

/// What the values of a metric are.
struct ValueKind {
  Required<MetricType> type;
  std::string_view unit; ///< "bytes", "bits", "instructions", ...; empty for a pure number
  Required<Range> range;
};
constexpr ValueKind count(std::string_view unit) {
  return {MetricType::kCount, unit, Range::kNotNegative};
}
constexpr ValueKind real(std::string_view unit) {
  return {MetricType::kReal, unit, Range::kNotNegative};
}
constexpr ValueKind number() {
  return {MetricType::kReal, {}, Range::kNotNegative};
}
constexpr ValueKind fraction() {
  return {MetricType::kReal, {}, Range::kFraction};
}

/// What a launch tells about the metric in others: of more work-items, of another local size, and
/// of a sample in the whole launch.
struct OtherLaunches {
  Required<Scaling> scaling;
  Required<LocalSize> localSize;
  Required<Estimate> estimate;
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
  ValueKind value;
  std::string_view definition; ///< one or two sentences
  OtherLaunches launch;
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
