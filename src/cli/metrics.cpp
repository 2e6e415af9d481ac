#include "command.h"
#include "output.h"
#include "profile/metric.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

namespace aiwc::cli {

namespace {

struct MetricsOptions {
  bool json = false;
  bool csv = false;
};

/// `text` in lines of at most 80 columns, each indented.
std::string wrapped(std::string_view text, size_t indent) {
  constexpr size_t kColumns = 80;
  std::string lines;
  while (!text.empty()) {
    size_t length = text.size();
    if (length > kColumns - indent) {
      length = text.rfind(' ', kColumns - indent);
      if (length == std::string_view::npos)
        length = std::min(text.find(' '), text.size());
    }
    lines += fmt::format("{}{}\n", std::string(indent, ' '), text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return lines;
}

std::string asText() {
  std::string text;
  const auto metrics = profile::catalogue();
  for (size_t i = 0; i < metrics.size(); ++i) {
    const profile::MetricInfo &metric = metrics[i];
    if (i == 0 || metrics[i - 1].category != metric.category)
      text += fmt::format("{}{}\n", i ? "\n" : "", profile::toString(metric.category));
    text += fmt::format("  {}", metric.key);
    if (metric.name != metric.key)
      text += fmt::format(" ({})", metric.name);
    if (!metric.unit.empty())
      text += fmt::format(", {}", metric.unit);
    text +=
        "\n" +
        wrapped(fmt::format("{} [{}]", metric.definition, profile::toString(metric.scaling)), 6);
  }
  return text;
}

std::string asCsv() {
  std::string text = "key,name,category,type,unit,definition,scaling\n";
  for (const profile::MetricInfo &metric : profile::catalogue())
    text +=
        fmt::format("{},{},{},{},{},{},{}\n", metric.key, profile::csvField(metric.name),
                    profile::toString(metric.category), profile::toString(metric.type), metric.unit,
                    profile::csvField(metric.definition), profile::toString(metric.scaling));
  return text;
}

std::string asJson() {
  auto json = nlohmann::ordered_json::array();
  for (const profile::MetricInfo &metric : profile::catalogue())
    json.push_back({{"key", metric.key},
                    {"name", metric.name},
                    {"category", profile::toString(metric.category)},
                    {"type", profile::toString(metric.type)},
                    {"unit", metric.unit},
                    {"definition", metric.definition},
                    {"scaling", profile::toString(metric.scaling)}});
  return json.dump(2) + "\n";
}

} // namespace

void addMetrics(CLI::App &app) {
  auto options = std::make_shared<MetricsOptions>();
  CLI::App *command = app.add_subcommand("metrics", "List every metric with its definition");
  CLI::Option *json = command->add_flag("--json", options->json, "Print JSON");
  command->add_flag("--csv", options->csv, "Print CSV")->excludes(json);
  command->callback([options] {
    print(options->json ? asJson() : options->csv ? asCsv() : asText());
  });
}

} // namespace aiwc::cli
