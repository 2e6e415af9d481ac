#include "catalogue/definitions.h"
#include "command.h"
#include "command_line/output.h"
#include "profile/metric.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace aiwc::cli {

namespace {

struct MetricsOptions {
  bool json = false;
  bool csv = false;
  bool markdown = false;
};

/// "kernels/saxpy: 2, an addition after a multiplication."
std::string exampleOf(const metrics::Example &example) {
  return fmt::format("kernels/{}: {:g}, {}.", example.kernel, example.value, example.because);
}

std::string asText() {
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

/// The tables of docs/metrics.md, one per category, which scripts/metric-tables puts there.
std::string asMarkdown() {
  std::string text;
  const auto rows = profile::catalogue();
  for (size_t i = 0; i < rows.size(); i += std::max<size_t>(1, rows[i].parameters.size())) {
    const profile::MetricInfo &metric = rows[i];
    if (i == 0 || rows[i - 1].category != metric.category)
      text += fmt::format("{}<!-- {}: aiwc metrics --markdown -->\n"
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

std::string asCsv() {
  std::string text = "key,name,category,type,unit,definition,scaling,sampled\n";
  for (const profile::MetricInfo &metric : profile::catalogue())
    text += fmt::format("{},{},{},{},{},{},{},{}\n", metric.key, text::csvField(metric.name),
                        profile::toString(metric.category), profile::toString(metric.type),
                        metric.unit, text::csvField(metrics::definitionOf(metric.metric)),
                        profile::toString(metric.scaling), profile::toString(metric.estimate));
  return text;
}

std::string asJson() {
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

} // namespace

void addMetrics(Command app) {
  auto options = std::make_shared<MetricsOptions>();
  Command command = app.subcommand("metrics", "List every metric with its definition");
  Option json = command.flag("--json", options->json, "Print JSON");
  Option csv = command.flag("--csv", options->csv, "Print CSV").excludes(json);
  command.flag("--markdown", options->markdown, "Print the tables of docs/metrics.md")
      .excludes({json, csv});
  command.examples(
      {{"aiwc metrics", "what each metric means"}, {"aiwc metrics --csv > metrics.csv", ""}});
  command.action([options] {
    print(options->json       ? asJson()
          : options->csv      ? asCsv()
          : options->markdown ? asMarkdown()
                              : asText());
  });
}

} // namespace aiwc::cli
