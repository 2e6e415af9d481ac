/// The catalogue of all metrics, and look-ups in it.
#pragma once

#include "catalogue/metric_table.h" // made by make_table.cpp

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace aiwc::metrics {

inline constexpr size_t kMetricCount = kCatalogue.size();

namespace detail {

template <size_t... i>
consteval std::array<Metric, sizeof...(i)> metricsOf(std::index_sequence<i...>) {
  return {static_cast<Metric>(i)...};
}

inline constexpr auto kMetrics = metricsOf(std::make_index_sequence<kMetricCount>());

constexpr const MetricInfo *find(std::string_view key) {
  for (const MetricInfo &metric : kCatalogue)
    if (metric.key == key)
      return &metric;
  return nullptr;
}

/// The first metric of a description with parameters, by the description's key.
constexpr const MetricInfo *findVector(std::string_view key) {
  for (const MetricInfo &metric : kCatalogue)
    if (!metric.parameters.empty() && metric.key.starts_with(key) &&
        metric.key.substr(key.size()).find_last_of('_') == 0)
      return &metric;
  return nullptr;
}

} // namespace detail

/// All metrics in the order in which they are listed: by category, then by family.
constexpr std::span<const MetricInfo> catalogue() {
  return kCatalogue;
}

constexpr const MetricInfo &info(Metric metric) {
  return kCatalogue[index(metric)];
}

/// The metric with this key; nullptr if there is none.
constexpr const MetricInfo *findMetric(std::string_view key) {
  return detail::find(key);
}

/// The metrics of one description with parameters, in the order of the parameters:
/// `kVectorMetric<"lane_utilization">`.
class MetricVector : public std::span<const Metric> {
public:
  constexpr MetricVector(Metric first, std::span<const uint32_t> parameters)
      : span(&detail::kMetrics[index(first)], parameters.size()), parameters_(parameters) {}

  constexpr std::span<const uint32_t> parameters() const { return parameters_; }
  /// The metric of this parameter, which must be one of `parameters()`.
  constexpr Metric of(uint32_t parameter) const {
    return (*this)[static_cast<size_t>(std::ranges::find(parameters_, parameter) -
                                       parameters_.begin())];
  }

private:
  std::span<const uint32_t> parameters_;
};

} // namespace aiwc::metrics

namespace aiwc {

/// A string literal as a template parameter.
template <size_t size> struct LiteralText {
  std::array<char, size> characters{};

  consteval LiteralText(const char (&text)[size]) { // NOLINT(google-explicit-constructor)
    std::copy_n(text, size, characters.begin());
  }
  constexpr std::string_view view() const { return {characters.data(), size - 1}; }
};

/// Metrics by key, looked up at compile time: an unknown key does not compile.
inline namespace literals {

consteval metrics::Metric operator""_metric(const char *key, size_t size) {
  const metrics::MetricInfo *found = metrics::findMetric({key, size});
  return found ? found->metric : throw "expected the key of a metric";
}

/// The metrics of a description with parameters: `kVectorMetric<"lane_utilization">[i]`.
template <LiteralText key>
constexpr metrics::MetricVector kVectorMetric = [] {
  constexpr const metrics::MetricInfo *kFirst = metrics::detail::findVector(key.view());
  static_assert(kFirst != nullptr, "expected the key of a metric with parameters");
  return metrics::MetricVector(kFirst->metric, kFirst->parameters);
}();

} // namespace literals

} // namespace aiwc
