/// Joins the descriptions of all families at compile time, in the order in which metrics are
/// listed. For the program that makes the catalogue's table, and for definitions.cpp.
#pragma once

#include "catalogue/asap.h"
#include "catalogue/atomic_contention.h"
#include "catalogue/branch_entropy.h"
#include "catalogue/coalescing.h"
#include "catalogue/family_list.h"
#include "catalogue/freedom_to_reorder.h"
#include "catalogue/host_transfers.h"
#include "catalogue/idioms.h"
#include "catalogue/instruction_mix.h"
#include "catalogue/lane_utilization.h"
#include "catalogue/lines.h"
#include "catalogue/loops.h"
#include "catalogue/memory_addresses.h"
#include "catalogue/parallel_spatial_locality.h"
#include "catalogue/parallelism.h"
#include "catalogue/reuse_distance.h"

#include <algorithm>
#include <array>

namespace aiwc::metrics {

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

inline constexpr size_t kDescribed = countMetrics();

struct Texts {
  std::array<Text, kDescribed> keys, names;
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

/// A metric: its description, and its parameter or 0.
struct Described {
  const Row *row = nullptr;
  uint32_t parameter = 0;

  constexpr const MetricDescription &description() const { return *row->description; }
};

consteval std::array<Described, kDescribed> describedMetrics() {
  std::array<Described, kDescribed> metrics;
  size_t end = 0;
  for (const Row &row : kOrdered) {
    if (row.description->parameters.empty())
      metrics[end++] = {&row, 0};
    for (const uint32_t parameter : row.description->parameters)
      metrics[end++] = {&row, parameter};
  }
  return metrics;
}
/// In the order of the catalogue.
inline constexpr auto kMetricsDescribed = describedMetrics();

consteval bool isConsistent() {
  for (size_t i = 0; i < kDescribed; ++i) {
    if (kMetricsDescribed[i].description().definition.empty())
      return false;
    const std::string_view key = kTexts.keys[i].view();
    for (size_t k = 0; k < i; ++k)
      if (kTexts.keys[k].view() == key)
        return false;
    for (const char c : key)
      if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '_')
        return false;
  }
  return true;
}
static_assert(isConsistent(), "every metric has a definition, and a key that no other has, of "
                              "lower-case letters, digits and underscores");

} // namespace detail

} // namespace aiwc::metrics
