#include "tune_output.h"

#include "predict/prediction.h"
#include "predict/report.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace aiwc::cli {

namespace {

using Json = nlohmann::ordered_json;
using Outcome = TunedVariant::Outcome;

/// So many names stand in a sentence.
constexpr size_t kNamed = 5;
constexpr size_t kReasonBytes = 1000;

/// A name of several words, "v1.cl A=1,B=2", for people.
std::string forPeople(std::string name) {
  std::ranges::replace(name, ',', ' ');
  return text::printable(name, 100);
}

std::string indentedRows(const std::string &table) {
  std::string text;
  for (const std::string &line : text::split(table, '\n'))
    if (!line.empty())
      text += "  " + line + "\n";
  return text;
}

/// The finding that is expected to save most of the variant's time on the device; nullptr if none
/// saves enough to be worth one.
const advice::Finding *costliestOn(const TunedVariant &variant, size_t device) {
  const advice::Finding *most = nullptr;
  double gain = advice::kLeastGain;
  for (const advice::Finding &finding : variant.findings)
    if (!finding.gains.empty() && finding.gains[device].expected() >= gain) {
      most = &finding;
      gain = finding.gains[device].expected();
    }
  return most;
}

std::string inWords(const advice::Finding *finding) {
  if (!finding)
    return "";
  const uint64_t line = finding->line();
  return finding->title + (line > 0 ? fmt::format(", line {}", line) : "");
}

/// Whether the model cannot tell which of it and the first is faster.
bool isTie(const TunedVariant &variant, size_t device) {
  return variant.odds[device].fasterThanFirst >= predict::kTieProbability;
}

std::string tableOn(const TunedKernel &kernel, size_t device, size_t top) {
  const std::vector<const TunedVariant *> order = rankedOn(kernel, device);
  const size_t shown = std::min(order.size(), top);
  std::vector<std::vector<std::string>> rows = {
      {"variant", "predicted", "of the best", "within 10 %", "costs most"}};
  std::vector<std::string> ties;
  for (size_t i = 0; i < order.size(); ++i) {
    const TunedVariant &variant = *order[i];
    if (i > 0 && isTie(variant, device))
      ties.push_back(forPeople(variant.name));
    if (i >= shown)
      continue;
    const double seconds = variant.costs[device].seconds;
    rows.push_back({forPeople(variant.name), predict::duration(seconds),
                    fmt::format("{:.2f}", seconds / order[0]->costs[device].seconds),
                    fmt::format("{:.0f} %", 100 * variant.odds[device].nearBest),
                    inWords(costliestOn(variant, device))});
  }
  std::string text = fmt::format("{}, the fastest {} of {} variants\n{}", kernel.devices[device].id,
                                 shown, order.size(), indentedRows(text::textTable(rows, {true})));
  if (!ties.empty())
    text += text::wrapped(
        fmt::format("Cannot be told apart from the first: {}.", text::someOf(ties, kNamed)), 2,
        100);
  return text;
}

std::vector<const TunedVariant *> withOutcome(const TunedKernel &kernel, Outcome outcome) {
  std::vector<const TunedVariant *> found;
  for (const TunedVariant &variant : kernel.variants)
    if (variant.outcome == outcome)
      found.push_back(&variant);
  return found;
}

Json asJson(const advice::Finding *finding, size_t device) {
  if (!finding)
    return nullptr;
  const uint64_t line = finding->line();
  const advice::Gain &gain = finding->gains[device];
  return {{"rule", advice::info(finding->rule).key},
          {"title", finding->title},
          {"line", line > 0 ? Json(line) : Json(nullptr)},
          {"problem", finding->problem},
          {"remedy", finding->remedy},
          {"gain", gain.expected()}};
}

Json reasons(const std::vector<const TunedVariant *> &variants) {
  Json list = Json::array();
  for (const TunedVariant *variant : variants)
    list.push_back({{"variant", variant->name}, {"reason", variant->reason}});
  return list;
}

} // namespace

std::vector<const TunedVariant *> rankedOn(const TunedKernel &kernel, size_t device) {
  std::vector<const TunedVariant *> order = withOutcome(kernel, Outcome::kRanked);
  std::ranges::stable_sort(
      order, {}, [&](const TunedVariant *variant) { return variant->costs[device].seconds; });
  return order;
}

std::string asText(const TunedKernel &kernel, size_t top) {
  std::string text;
  for (size_t device = 0; device < kernel.devices.size(); ++device)
    text += (device > 0 ? "\n" : "") + tableOn(kernel, device, top);
  if (rankedOn(kernel, 0).size() > 1) {
    if (kernel.areAlike)
      text += "\nAll variants have the same code and sizes: the simulator sees no "
              "difference between them\n";
    text += "\nwithin 10 %: the probability of taking at most 10 % longer than the fastest of "
            "them\n";
  }
  const auto wrong = withOutcome(kernel, Outcome::kWrong);
  for (size_t i = 0; i < std::min(wrong.size(), kNamed); ++i)
    text += fmt::format("{}wrong: {}: {}\n", i == 0 ? "\n" : "", forPeople(wrong[i]->name),
                        text::printable(wrong[i]->reason, kReasonBytes));
  if (wrong.size() > kNamed)
    text += fmt::format("and {} more with other results\n", wrong.size() - kNamed);
  if (const auto left = withOutcome(kernel, Outcome::kNotRun); !left.empty())
    text += fmt::format("\nleft out: {} variant{} that cannot be run; {}: {}\n", left.size(),
                        left.size() == 1 ? "" : "s", forPeople(left.front()->name),
                        text::printable(left.front()->reason, kReasonBytes));
  return text;
}

std::string asJson(const TunedKernel &kernel) {
  Json devices = Json::array();
  for (size_t device = 0; device < kernel.devices.size(); ++device) {
    const std::vector<const TunedVariant *> order = rankedOn(kernel, device);
    Json ranking = Json::array();
    for (const TunedVariant *variant : order) {
      const predict::VariantOdds &odds = variant->odds[device];
      const double seconds = variant->costs[device].seconds;
      ranking.push_back({{"variant", variant->name},
                         {"seconds", seconds},
                         {"of_best", seconds / order[0]->costs[device].seconds},
                         {"within_10_percent", odds.nearBest},
                         {"faster_than_first", odds.fasterThanFirst},
                         {"tie", isTie(*variant, device)},
                         {"finding", asJson(costliestOn(*variant, device), device)}});
    }
    devices.push_back({{"device", kernel.devices[device].id}, {"ranking", std::move(ranking)}});
  }
  return Json{{"results_of", kernel.reference.empty() ? Json(nullptr) : Json(kernel.reference)},
              {"devices", std::move(devices)},
              {"wrong", reasons(withOutcome(kernel, Outcome::kWrong))},
              {"left_out", reasons(withOutcome(kernel, Outcome::kNotRun))}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace aiwc::cli
