#include "metrics.h"

#include "catalogue/definitions.h"
#include "profile/metric.h"
#include "text/text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace aiwc::cli {

namespace {

/// "kernels/saxpy: 2, an addition after a multiplication."
std::string exampleOf(const metrics::Example &example) {
  return fmt::format("kernels/{}: {:g}, {}.", example.kernel, example.value, example.because);
}

} // namespace

std::string metricsText() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); ++i) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}{}\n", i ? "\n" : "", profile::toString(metric.category));
    text += fmt::format("  {}", metric.key);
    if (metric.name != metric.key)
      text += fmt::format(" ({})", metric.name);
    if (!metric.unit.empty())
      text += fmt::format(", {}", metric.unit);
    text += "\n" + text::wrapped(fmt::format("{} [{}]", metrics::definitionOf(metric.metric),
                                             profile::toString(metric.scaling)),
                                 6);
    for (const metrics::Example &example : metrics::examplesOf(metric.metric))
      text += text::wrapped(exampleOf(example), 6);
  }
  return text;
}

std::string metricsCsv() {
  std::string text = "key,name,category,type,unit,definition,scaling,sampled\n";
  for (const profile::MetricInfo &metric : profile::catalogue())
    text += fmt::format("{},{},{},{},{},{},{},{}\n", metric.key, text::csvField(metric.name),
                        profile::toString(metric.category), profile::toString(metric.type),
                        metric.unit, text::csvField(metrics::definitionOf(metric.metric)),
                        profile::toString(metric.scaling), profile::toString(metric.estimate));
  return text;
}

std::string metricsJson() {
  auto json = nlohmann::ordered_json::array();
  for (const profile::MetricInfo &metric : profile::catalogue()) {
    json.push_back({{"key", metric.key},
                    {"name", metric.name},
                    {"category", profile::toString(metric.category)},
                    {"type", profile::toString(metric.type)},
                    {"unit", metric.unit},
                    {"definition", metrics::definitionOf(metric.metric)},
                    {"scaling", profile::toString(metric.scaling)},
                    {"sampled", profile::toString(metric.estimate)}});
    for (const metrics::Example &example : metrics::examplesOf(metric.metric))
      json.back()["examples"].push_back(
          {{"kernel", example.kernel}, {"value", example.value}, {"because", example.because}});
  }
  return json.dump(2) + "\n";
}

} // namespace aiwc::cli
