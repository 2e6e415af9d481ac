/// The catalogue of all metrics: the descriptions of all families, sorted at compile time, and
/// `Metric`, the type that identifies one of them.
#pragma once

#include "catalogue/families.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace aiwc::metrics {

/// A metric, as its index in the catalogue. It has no enumerators: code names a metric by its key,
/// `"fp_ops"_metric`.
enum class Metric : uint16_t {};

/// The metric as an index into arrays with one element per metric.
constexpr size_t index(Metric metric) {
  return static_cast<size_t>(metric);
}

/// The description of one metric, with the parameter inserted into its key and name.
struct MetricInfo : MetricDescription {
  Metric metric;
  uint32_t parameter; ///< 0 if the description has no parameters
  std::string_view family;
};

namespace detail {

struct Row {
  std::string_view family;
  const MetricDescription *description = nullptr;
};

#define AIWC_PLUS_SIZE(family) +family::kMetrics.size()
inline constexpr size_t kRows = 0 AIWC_FAMILIES(AIWC_PLUS_SIZE, AIWC_PLUS_SIZE);
#undef AIWC_PLUS_SIZE

using Rows = std::array<Row, kRows>;

/// All descriptions by category, then by family, then in the order of the family's table.
consteval Rows rowsByCategory() {
  Rows rows;
  size_t end = 0;
  const auto append = [&](Category category, std::string_view family, const auto &descriptions) {
    for (const MetricDescription &description : descriptions)
      if (description.category == category)
        rows[end++] = {family, &description};
  };
  for (const Category category :
       {Category::kCompute, Category::kParallelism, Category::kMemory, Category::kControl}) {
#define AIWC_APPEND(family) append(category, #family, family::kMetrics);
    AIWC_FAMILIES(AIWC_APPEND, AIWC_APPEND)
#undef AIWC_APPEND
  }
  return rows;
}

/// Moves each row that sets `listedAfter`, with the rows that follow it in its family, to the place
/// after that metric.
consteval Rows orderedRows() {
  const Rows all = rowsByCategory();
  Rows rows = all;
  const auto placeOf = [&rows](std::string_view key) {
    const auto place =
        std::ranges::find(rows, key, [](const Row &row) { return row.description->key; });
    return place == rows.end() ? throw "listedAfter: expected the key of a metric" : place;
  };
  for (size_t i = 0; i < all.size(); ++i) {
    const MetricDescription &first = *all[i].description;
    if (first.listedAfter.empty())
      continue;
    size_t length = 1;
    while (i + length < all.size() && all[i + length].family == all[i].family &&
           all[i + length].description->category == first.category &&
           all[i + length].description->listedAfter.empty())
      ++length;
    const auto begin = placeOf(first.key);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    const auto after = placeOf(first.listedAfter) + 1;
    if (after > end)
      std::rotate(begin, end, after);
    else
      std::rotate(after, begin, end);
  }
  return rows;
}

inline constexpr Rows kOrdered = orderedRows();

consteval size_t countMetrics() {
  size_t count = 0;
  for (const Row &row : kOrdered)
    count += std::max<size_t>(1, row.description->parameters.size());
  return count;
}

/// A text that is built at compile time.
struct Text {
  std::array<char, 48> characters{};
  size_t size = 0;

  constexpr void add(std::string_view text) {
    for (const char c : text)
      characters[size++] = c; // a text that is too long does not compile
  }
  constexpr void add(uint32_t number) {
    if (number >= 10)
      add(number / 10);
    characters[size++] = static_cast<char>('0' + number % 10);
  }
  constexpr std::string_view view() const { return {characters.data(), size}; }
};

} // namespace detail

inline constexpr size_t kMetricCount = detail::countMetrics();

namespace detail {

struct Texts {
  std::array<Text, kMetricCount> keys, names;
};

consteval Texts textsOfMetrics() {
  Texts texts;
  size_t i = 0;
  for (const Row &row : kOrdered) {
    const MetricDescription &description = *row.description;
    if (description.parameters.empty()) {
      texts.keys[i].add(description.key);
      texts.names[i++].add(description.name.empty() ? description.key : description.name);
    }
    for (const uint32_t parameter : description.parameters) {
      Text &key = texts.keys[i];
      key.add(description.key);
      key.add("_");
      key.add(parameter);
      Text &name = texts.names[i++];
      const size_t place = description.name.find("{}");
      if (place == std::string_view::npos) {
        name = key;
        continue;
      }
      name.add(description.name.substr(0, place));
      name.add(parameter);
      name.add(description.name.substr(place + 2));
    }
  }
  return texts;
}

inline constexpr Texts kTexts = textsOfMetrics();

template <size_t... i>
consteval std::array<MetricInfo, sizeof...(i)> infos(std::index_sequence<i...>) {
  std::array<const Row *, kMetricCount> rows{};
  std::array<uint32_t, kMetricCount> parameters{};
  size_t end = 0;
  for (const Row &row : kOrdered) {
    if (row.description->parameters.empty())
      rows[end++] = &row;
    for (const uint32_t parameter : row.description->parameters) {
      rows[end] = &row;
      parameters[end++] = parameter;
    }
  }
  std::array<MetricInfo, sizeof...(i)> metrics = {
      MetricInfo{*rows[i]->description, static_cast<Metric>(i), parameters[i], rows[i]->family}...};
  for (size_t m = 0; m < metrics.size(); ++m) {
    metrics[m].key = kTexts.keys[m].view();
    metrics[m].name = kTexts.names[m].view();
  }
  return metrics;
}

inline constexpr auto kCatalogue = infos(std::make_index_sequence<kMetricCount>());

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

consteval bool isConsistent() {
  for (const MetricInfo &metric : kCatalogue) {
    if (metric.definition.empty() || find(metric.key) != &metric)
      return false;
    for (const char c : metric.key)
      if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
        return false;
  }
  return true;
}
static_assert(isConsistent(), "every metric has a definition, and a key that no other has, of "
                              "lower-case letters, digits and underscores");

} // namespace detail

/// All metrics in the order in which they are listed: by category, then by family.
constexpr std::span<const MetricInfo> catalogue() {
  return detail::kCatalogue;
}

constexpr const MetricInfo &info(Metric metric) {
  return detail::kCatalogue[index(metric)];
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
