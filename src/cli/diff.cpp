#include "command.h"
#include "inputs.h"
#include "output.h"
#include "profile/compare.h"
#include "profile/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

namespace aiwc::cli {

namespace {

using profile::Comparison;

struct DiffOptions {
  std::string before;
  std::string after;
  bool json = false;
};

std::string percentage(const profile::MetricChange &change) {
  return change.relative ? fmt::format("{:+.4g} %", 100 * *change.relative) : "-";
}

std::string asText(const DiffOptions &options, const Comparison &comparison) {
  std::string text = fmt::format("{} -> {}\n", profile::printable(options.before, 4096),
                                 profile::printable(options.after, 4096));
  if (comparison.same())
    return text + "  no difference\n";
  for (const auto &field : comparison.fields)
    text += fmt::format("  {}: {} -> {}\n", field.key, profile::printable(field.before),
                        profile::printable(field.after));
  if (!comparison.metrics.empty()) {
    constexpr std::string_view kRow = "  {:<32} {:>22} {:>22} {:>12}\n";
    text += fmt::format(fmt::runtime(kRow), "metric", "before", "after", "change");
    for (const auto &change : comparison.metrics)
      text += fmt::format(fmt::runtime(kRow), profile::info(change.metric).name,
                          profile::formatReadable(change.before),
                          profile::formatReadable(change.after), percentage(change));
  }
  if (!comparison.histograms.empty())
    text += fmt::format("  histograms that differ: {}\n", fmt::join(comparison.histograms, ", "));
  return text;
}

nlohmann::ordered_json valueJson(const profile::Value &value) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return *count;
  if (const auto *real = std::get_if<double>(&value))
    return *real;
  return nullptr;
}

std::string asJson(const DiffOptions &options, const Comparison &comparison) {
  using Json = nlohmann::ordered_json;
  Json json = {{"before", options.before},
               {"after", options.after},
               {"fields", Json::array()},
               {"metrics", Json::array()},
               {"histograms", comparison.histograms}};
  for (const auto &field : comparison.fields)
    json["fields"].push_back(
        {{"key", field.key}, {"before", field.before}, {"after", field.after}});
  for (const auto &change : comparison.metrics)
    json["metrics"].push_back(
        {{"key", profile::info(change.metric).key},
         {"before", valueJson(change.before)},
         {"after", valueJson(change.after)},
         {"relative_change", change.relative ? Json(*change.relative) : Json(nullptr)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

void addDiff(CLI::App &app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App *command =
      app.add_subcommand("diff", "Show what changed between two profiles, largest change first");
  command->add_option("A", options->before, "JSON profile to start from")->required();
  command->add_option("B", options->after, "JSON profile to compare with it")->required();
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([options] {
    const auto before = readProfile(options->before);
    const auto after = readProfile(options->after);
    const Comparison comparison = profile::compare(before, after);
    print(options->json ? asJson(*options, comparison) : asText(*options, comparison));
  });
}

} // namespace aiwc::cli
