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
  const size_t place = first.name.find(number);
  return fmt::format("**{} k {}**", first.name.substr(0, place),
                     first.name.substr(place + number.size()));
}

} // namespace

std::string metricTables() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); i += std::max<size_t>(1, rows[i].parameters.size())) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}<!-- {}: scripts/metric-tables -->\n"
                          "| key | name | type, unit | definition | other launches | sampled |\n"
                          "|---|---|---|---|---|---|\n",
                          i ? "<!-- end -->\n" : "", profile::toString(metric.category));
    text += fmt::format("| `{}` | {} | {}{}{} | {} | {} | {} |\n", keyOf(metric), nameOf(metric),
                        profile::toString(metric.type), metric.unit.empty() ? "" : ", ",
                        metric.unit, metrics::definitionOf(metric.metric),
                        profile::toString(metric.scaling), profile::toString(metric.estimate));
  }
  return text + "<!-- end -->\n";
}

} // namespace aiwc::describe
