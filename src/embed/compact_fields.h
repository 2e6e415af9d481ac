/// The keys of the metrics in the compact form, shared by its writer and its reader.
#pragma once

#include "profile/metric.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aiwc::embed {

/// Consecutive metrics of the catalogue that are written under one key (`metrics::Compact`).
struct MetricList {
  std::string_view key;
  std::span<const profile::MetricInfo> metrics;

  constexpr uint16_t rank() const { return metrics.front().compact.rank; }
  /// Whether a prediction or the start of the summary needs these metrics. The others are left out
  /// if there is not enough room.
  constexpr bool essential() const { return rank() != metrics::Compact::kOptional; }
};

namespace detail {

/// The number of metrics, counted from the first, that belong to its list.
constexpr size_t lengthOfList(std::span<const profile::MetricInfo> metrics) {
  const std::string_view list = metrics.front().compact.list;
  size_t length = 1;
  while (!list.empty() && length < metrics.size() && metrics[length].compact.list == list)
    ++length;
  return length;
}

consteval size_t countLists() {
  size_t count = 0;
  for (auto left = profile::catalogue(); !left.empty(); left = left.subspan(lengthOfList(left)))
    ++count;
  return count;
}

using MetricLists = std::array<MetricList, countLists()>;

consteval MetricLists metricLists() {
  MetricLists lists;
  size_t end = 0;
  for (auto left = profile::catalogue(); !left.empty(); left = left.subspan(lengthOfList(left))) {
    const profile::MetricInfo &first = left.front();
    MetricList list{first.compact.list.empty() ? first.key : first.compact.list,
                    left.first(lengthOfList(left))};
    // After those of the same rank: the optional ones stay in the catalogue's order.
    size_t place = end++;
    for (; place > 0 && list.rank() < lists[place - 1].rank(); --place)
      lists[place] = lists[place - 1];
    lists[place] = list;
  }
  return lists;
}

} // namespace detail

/// The lists of metrics, in the order in which they are written.
inline constexpr detail::MetricLists kMetricLists = detail::metricLists();

} // namespace aiwc::embed
