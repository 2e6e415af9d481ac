#include "metric_tables.h"

#include "catalogue/definitions.h"
#include "profile/metric.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace aiwc::describe {
namespace {

/// The key and the parameters of a description: `coalescing_{16,32,64}`, `..._{1..10}`.
std::string keyOf(const profile::MetricInfo &first) {
  if (first.parameters.empty())
    return std::string(first.key);
  const std::string_view key = first.key.substr(0, first.key.rfind('_'));
  const auto last = first.parameters.back();
  const bool consecutive = last - first.parameters.front() + 1 == first.parameters.size();
  return consecutive ? fmt::format("{}_{{{}..{}}}", key, first.parameters.front(), last)
                     : fmt::format("{}_{{{}}}", key, fmt::join(first.parameters, ","));
}

/// Of the literature; with k for the parameter.
std::string nameOf(const profile::MetricInfo &first) {
  if (first.name == first.key)
    return {};
  if (first.parameters.empty())
    return fmt::format("**{}**", first.name);
  const std::string number = fmt::format(" {} ", first.parameter);
  std::string name(first.name);
  return fmt::format("**{}**", name.replace(name.find(number), number.size(), " k "));
}

} // namespace

std::string metricTables() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); i += std::max<size_t>(1, rows[i].parameters.size())) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}<!-- {}: scripts/metric-tables -->\n"
                          "| key | name | unit | definition |\n|---|---|---|---|\n",
                          i ? "<!-- end -->\n" : "", profile::toString(metric.category));
    const bool count = metric.type == profile::MetricType::kCount; // every count has a unit
    text += fmt::format("| `{}` | {} | {}{} | {} |\n", keyOf(metric), nameOf(metric),
                        count ? "" : (metric.unit.empty() ? "real" : "real, "), metric.unit,
                        metrics::definitionOf(metric.metric));
  }
  return text + "<!-- end -->\n";
}

} // namespace aiwc::describe
