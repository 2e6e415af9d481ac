#include "diff_output.h"

#include "advice/words.h"
#include "predict/report.h"
#include "profile/kernel_words.h"
#include "report/json_parts.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <variant>

namespace aiwc::cli {

using advice::plural;
using profile::KernelProfile;
using profile::Provenance;
using profile::Value;
using views::KernelComparison;
using views::Launches;
using views::QuantityChange;

namespace {

using Json = nlohmann::ordered_json;

/// The few numbers that say what a kernel costs, wherever it runs.
struct CostMetric {
  std::string_view key;  ///< of a views::Quantity
  std::string_view name; ///< for people
  bool fewerIsBetter = true;
};
constexpr std::array<CostMetric, 8> kCostMetrics = {{
    {"total_instruction_count", "instructions"},
    {"fp_ops", "floating-point operations"},
    {"fp_ops_f64", "of them 64-bit"},
    {"bytes_read_global", "read from global memory"},
    {"bytes_written_global", "written to global memory"},
    {"dram_bytes@32KiB", "misses of 32 KiB of cache"},
    {"coalescing_32", "coalescing of 32 lanes", false},
    {"lane_utilization_32", "use of 32 lanes", false},
}};

std::string kernelName(const KernelComparison &kernel) {
  return text::printable(kernel.name(), 60);
}

std::string nameOf(const std::string &argument) {
  return text::printable(argument, 4096);
}

/// A change in percent; what was not there before is new.
std::string changeText(const QuantityChange &change) {
  constexpr double kFourDigits = 1000;
  constexpr double kMany = 1e15;
  if (const double percent = 100 * change.relative.value_or(0);
      percent >= kFourDigits && percent < kMany) { // three digits without an exponent
    const double unit = std::pow(10, std::floor(std::log10(percent)) - 2);
    return fmt::format(
        "+{} %", text::formatReadable(static_cast<uint64_t>(std::round(percent / unit) * unit)));
  }
  if (change.relative)
    return fmt::format("{:+.3g} %", 100 * *change.relative);
  return profile::toDouble(change.before) == 0 && profile::toDouble(change.after) > 0 ? "new" : "-";
}

/// "256x256 in groups of 16x16"
std::string ndrange(const Provenance &of) {
  return profile::inWordsOf(
      of.sourceKind, fmt::format("{} in groups of {}", profile::sizeText(of.globalSize, of.workDim),
                                 profile::sizeText(of.localSize, of.workDim)));
}

std::string countOf(const Launches &launches) {
  return plural(static_cast<double>(launches.size()), "launch", "launches");
}

/// "2 launches of 64x64 in groups of 8x8, 1 launch of ...": an NDRange once, in order of first
/// appearance.
std::string launchesText(const Launches &launches) {
  std::vector<std::pair<std::string, Launches>> kinds;
  for (const KernelProfile *launch : launches) {
    const std::string kind = ndrange(launch->provenance);
    auto known = std::ranges::find(kinds, kind, &std::pair<std::string, Launches>::first);
    if (known == kinds.end())
      known = kinds.insert(kinds.end(), {kind, {}});
    known->second.push_back(launch);
  }
  constexpr size_t kMost = 4;
  std::vector<std::string> parts;
  for (const auto &[kind, of] : kinds) {
    if (parts.size() == kMost) {
      parts.push_back(fmt::format("and {} other sizes", kinds.size() - kMost));
      break;
    }
    parts.push_back(fmt::format("{} of {}", countOf(of), kind));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// " as launched on a gpu"; empty for what is launched on all devices.
std::string onTypes(const std::vector<std::string> &types) {
  return types.empty() ? "" : fmt::format(" as launched on {}", fmt::join(types, " and "));
}

std::string title(const KernelComparison &kernel, const std::vector<std::string> &types) {
  const std::string name = kernelName(kernel) + onTypes(types);
  if (kernel.before.size() == kernel.after.size())
    return fmt::format("{}: {}", name, launchesText(kernel.before));
  return fmt::format("{}: {} -> {}", name, kernel.before.size(), countOf(kernel.after));
}

std::string factorText(const TimeChange &time) {
  const double factor = profile::toDouble(time.after) / profile::toDouble(time.before);
  if (time.before == time.after)
    return "the same";
  if (!std::isfinite(factor) || factor == 0)
    return "";
  // Two digits of the larger one, and what is nearly the same in percent.
  if (factor < 1.1 && factor > 1 / 1.1)
    return fmt::format("{:.2g} % {}", 100 * std::abs(factor - 1), factor < 1 ? "less" : "more");
  return factor < 1 ? fmt::format("{} times faster", advice::rounded(1 / factor))
                    : fmt::format("{} times slower", advice::rounded(factor));
}

std::string timeText(const Value &seconds) {
  return std::holds_alternative<std::monostate>(seconds)
             ? "unknown"
             : predict::duration(profile::toDouble(seconds));
}

std::string timeTable(const std::vector<TimeChange> &times, const std::string &heading) {
  std::vector<std::vector<std::string>> rows = {{heading, "before", "after", "", ""}};
  for (const TimeChange &time : times) {
    if (!time.isLaunchedThere)
      continue;
    const bool tells = !time.part.empty() && time.before != time.after;
    rows.push_back({time.device, timeText(time.before), timeText(time.after), factorText(time),
                    tells ? fmt::format("{} {}{}", time.part, time.partSeconds < 0 ? "-" : "+",
                                        predict::duration(std::abs(time.partSeconds)))
                          : ""});
  }
  if (std::ranges::any_of(rows, [](const auto &row) { return !row.back().empty(); }))
    rows.front().back() = "most of it";
  return rows.size() < 2
             ? ""
             : text::textTable(rows, {true, false, false, true, true}, {.indent = "  "});
}

/// Which launches the values of a row are of.
std::string launchesCell(const QuantityChange &change) {
  const std::string of =
      change.launch ? fmt::format("invocation {}", change.launch->provenance.invocation) : "sum";
  return fmt::format("{}; {} changed", of, change.launches);
}

/// "15.9 MiB", "644", "6.1 %".
std::string amountText(const Value &value, std::string_view unit) {
  if (const auto *count = std::get_if<uint64_t>(&value))
    return unit == "bytes" ? text::formatBytes(*count) : text::formatReadable(value);
  if (const auto *real = std::get_if<double>(&value))
    return unit.empty() ? fmt::format("{:.3g} %", 100 * *real) : fmt::format("{:.3g}", *real);
  return "unknown";
}

/// The rows of metrics: of those that say what a kernel costs, with whether that is better; and how
/// many others there are.
std::string costTable(const KernelComparison &kernel) {
  const bool several = kernel.before.size() > 1 || kernel.after.size() > 1;
  std::vector<std::vector<std::string>> rows;
  for (const CostMetric &metric : kCostMetrics) {
    const auto change = std::ranges::find(kernel.metrics, metric.key, &QuantityChange::key);
    if (change == kernel.metrics.end() || change->withinError)
      continue;
    const double grown = views::difference(change->before, change->after);
    const std::string verdict = !(std::abs(grown) > 0)                ? ""
                                : (grown < 0) == metric.fewerIsBetter ? "better"
                                                                      : "worse";
    rows.push_back({std::string(metric.name), amountText(change->before, change->unit),
                    amountText(change->after, change->unit), changeText(*change), verdict});
    if (several)
      rows.back().push_back(launchesCell(*change));
  }
  const size_t within =
      static_cast<size_t>(std::ranges::count_if(kernel.metrics, &QuantityChange::withinError));
  const size_t others = kernel.metrics.size() - within - rows.size();
  std::string text;
  if (!rows.empty()) {
    std::vector<std::string> heading = {"cost", "before", "after", "change", ""};
    if (several)
      heading.emplace_back("launches");
    rows.insert(rows.begin(), std::move(heading));
    text = text::textTable(rows, {true, false, false, false, true, true}, {.indent = "  "});
  }
  std::vector<std::string> left;
  if (others > 0)
    left.push_back(plural(static_cast<double>(others), "further metric"));
  if (within > 0)
    left.push_back(plural(static_cast<double>(within), "change within the error of sampling",
                          "changes within the error of sampling"));
  if (!left.empty())
    text += fmt::format("  {} (--all)\n", fmt::join(left, ", "));
  return text;
}

std::string metricTable(const KernelComparison &kernel) {
  if (kernel.metrics.empty())
    return {};
  const bool several = kernel.before.size() > 1 || kernel.after.size() > 1;
  std::vector<std::vector<std::string>> rows = {{"metric", "before", "after", "change"}};
  for (const QuantityChange &change : kernel.metrics)
    rows.push_back({change.key, text::formatReadable(change.before),
                    text::formatReadable(change.after),
                    changeText(change) + (change.withinError ? ", sampling" : "")});
  if (several) {
    rows[0].emplace_back("launches");
    for (size_t i = 0; i < kernel.metrics.size(); ++i)
      rows[i + 1].push_back(launchesCell(kernel.metrics[i]));
  }
  return text::textTable(rows, {true, false, false, false, true}, {.indent = "  "});
}

std::string fieldLines(const KernelComparison &kernel, bool all) {
  std::string text = kernel.sourceChanged ? "  source changed\n" : "";
  for (const views::FieldChange &field : kernel.fields) {
    if (field.key == "source_hash" || field.key == "code_hash" ||
        (!all && field.key.starts_with("reuse.")))
      continue;
    text += fmt::format("  {}: {} -> {}{}\n", field.key, text::printable(field.before),
                        text::printable(field.after),
                        field.launches == 1 || field.launches == kernel.pairs.size()
                            ? ""
                            : fmt::format(" (the first of {} launches)", field.launches));
  }
  return text;
}

/// Whether a kernel's source is all that changed: the tables by source line may change with it.
bool onlySource(const KernelComparison &kernel) {
  constexpr std::array<std::string_view, 3> kByLine = {"loops", "lines", "accesses"};
  return kernel.sourceChanged && kernel.onlyBefore.empty() && kernel.onlyAfter.empty() &&
         kernel.metrics.empty() && kernel.fields.size() == 1 &&
         std::ranges::all_of(kernel.histograms, [&](std::string_view histogram) {
           return std::ranges::find(kByLine, histogram) != kByLine.end();
         });
}

std::string kernelText(const Diff &diff, size_t i, bool all) {
  const KernelComparison &kernel = diff.kernels[i];
  std::string text = title(kernel, diff.types[i]) + "\n" + fieldLines(kernel, all);
  for (const auto &[only, in] :
       {std::pair(&kernel.onlyBefore, &diff.before), std::pair(&kernel.onlyAfter, &diff.after)})
    if (!only->empty())
      text += fmt::format("  only in {}: {}\n", nameOf(*in), launchesText(*only));
  if (kernel.changed == 0)
    text += "  the other launches do not differ\n";
  text += timeTable(diff.times[i], "predicted time");
  if (!all)
    return text + costTable(kernel);
  text += metricTable(kernel);
  if (!kernel.histograms.empty())
    text += fmt::format("  histograms that differ: {}\n", fmt::join(kernel.histograms, ", "));
  return text;
}

/// What all of it means, in a sentence: "After is 2.2 times faster on rtx4090 and ...".
std::string conclusion(const Diff &diff) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < diff.application.size(); ++i) {
    const TimeChange &time = diff.application[i];
    const std::string factor = factorText(time);
    if (factor.empty())
      continue;
    std::string part = fmt::format("{} on {}", factor, time.device);
    // The kernel that is to blame, where some became slower and the sum hides which.
    double most = 0;
    const KernelComparison *worst = nullptr;
    for (size_t k = 0; k < diff.kernels.size(); ++k) {
      if (diff.kernels[k].before.empty() || diff.kernels[k].after.empty() ||
          !diff.times[k][i].isLaunchedThere)
        continue;
      const double grown = views::difference(diff.times[k][i].before, diff.times[k][i].after);
      if (grown > most) {
        most = grown;
        worst = &diff.kernels[k];
      }
    }
    constexpr double kNotable = 0.01;
    if (worst && diff.kernels.size() > 1 && most > kNotable * profile::toDouble(time.before))
      part += fmt::format(" ({} takes {} more)", kernelName(*worst), predict::duration(most));
    parts.push_back(std::move(part));
  }
  return parts.empty() ? ""
                       : "\n" + text::wrapped(fmt::format("Predicted time of {} against {}: {}.",
                                                          nameOf(diff.after), nameOf(diff.before),
                                                          fmt::join(parts, ", ")),
                                              0, 100);
}

std::string listed(const std::vector<std::string> &names) {
  return fmt::format("{}\n", fmt::join(names, ", "));
}

Json relativeJson(const std::optional<double> &relative) {
  return relative ? Json(*relative) : Json(nullptr);
}

/// after / before; none if one of them is unknown or before is 0.
std::optional<double> factorOf(const TimeChange &time) {
  const double factor = profile::toDouble(time.after) / profile::toDouble(time.before);
  return std::isfinite(factor) ? std::optional(factor) : std::nullopt;
}

Json timesJson(const std::vector<TimeChange> &times) {
  Json json = Json::array();
  for (const TimeChange &time : times)
    if (time.isLaunchedThere)
      json.push_back({{"device", time.device},
                      {"before_s", report::valueJson(time.before)},
                      {"after_s", report::valueJson(time.after)},
                      {"factor", relativeJson(factorOf(time))}});
  return json;
}

Json launchesJson(const Launches &launches) {
  Json json = Json::array();
  for (const KernelProfile *launch : launches)
    json.push_back({{"invocation", launch->provenance.invocation},
                    {"global_size", launch->provenance.globalSize},
                    {"local_size", launch->provenance.localSize}});
  return json;
}

Json invocationJson(const QuantityChange &change) {
  return change.launch ? Json(change.launch->provenance.invocation) : Json(nullptr);
}

Json kernelJson(const KernelComparison &kernel, const std::vector<std::string> &types,
                const std::vector<TimeChange> &times) {
  Json json = {{"kernel", kernel.name()},
               {"device_types", types},
               {"source_changed", kernel.sourceChanged},
               {"launches_before", kernel.before.size()},
               {"launches_after", kernel.after.size()},
               {"launches_matched", kernel.pairs.size()},
               {"launches_changed", kernel.changed},
               {"only_before", launchesJson(kernel.onlyBefore)},
               {"only_after", launchesJson(kernel.onlyAfter)},
               {"fields", Json::array()},
               {"metrics", Json::array()},
               {"histograms", kernel.histograms},
               {"times", timesJson(times)}};
  for (const auto &field : kernel.fields)
    json["fields"].push_back({{"key", field.key},
                              {"before", field.before},
                              {"after", field.after},
                              {"launches", field.launches}});
  for (const QuantityChange &change : kernel.metrics)
    json["metrics"].push_back({{"key", change.key},
                               {"before", report::valueJson(change.before)},
                               {"after", report::valueJson(change.after)},
                               {"relative_change", relativeJson(change.relative)},
                               {"launches", change.launches},
                               {"invocation", invocationJson(change)}});
  return json;
}

} // namespace

std::string asText(const Diff &diff, bool all) {
  std::string text = fmt::format("{} -> {}\n", nameOf(diff.before), nameOf(diff.after));
  std::vector<size_t> changed;
  std::vector<std::string> same;
  std::vector<std::string> sourceOnly;
  std::vector<std::string> onlyBefore;
  std::vector<std::string> onlyAfter;
  size_t launches = 0;
  for (size_t i = 0; i < diff.kernels.size(); ++i) {
    const KernelComparison &kernel = diff.kernels[i];
    launches += kernel.before.size();
    const auto with = [&](const Launches &of) {
      return fmt::format("{}{} ({})", kernelName(kernel), onTypes(diff.types[i]), countOf(of));
    };
    if (kernel.after.empty())
      onlyBefore.push_back(with(kernel.before));
    else if (kernel.before.empty())
      onlyAfter.push_back(with(kernel.after));
    else if (kernel.same())
      same.push_back(kernelName(kernel) + onTypes(diff.types[i]));
    else if (onlySource(kernel))
      sourceOnly.push_back(kernelName(kernel) + onTypes(diff.types[i]));
    else
      changed.push_back(i);
  }
  const auto conditions = [&] {
    const std::string count = plural(static_cast<double>(diff.conditions), "condition");
    return diff.conditions == 0 || !diff.violations.empty() ? std::string()
           : diff.conditions == 1 ? std::string("  the condition of --fail-on does not hold\n")
                                  : fmt::format("  none of {} of --fail-on holds\n", count);
  };
  if (same.size() == diff.kernels.size())
    return text +
           fmt::format("  no difference: {}, {}\n",
                       plural(static_cast<double>(same.size()), "kernel"),
                       plural(static_cast<double>(launches), "launch", "launches")) +
           conditions();
  if (!onlyBefore.empty())
    text += fmt::format("  only in {}: {}", nameOf(diff.before), listed(onlyBefore));
  if (!onlyAfter.empty())
    text += fmt::format("  only in {}: {}", nameOf(diff.after), listed(onlyAfter));
  const size_t both = diff.kernels.size() - onlyBefore.size() - onlyAfter.size();
  if (both == 0)
    text += "  the runs have no kernel in common, so no time is compared\n";
  if (!sourceOnly.empty())
    text += fmt::format("  only the source changed: {}", listed(sourceOnly));
  if (!same.empty())
    text += fmt::format("  no difference: {}", listed(same));
  if (diff.kernels.size() > 1 && both > 0 && same.size() < diff.kernels.size())
    text += timeTable(diff.application,
                      both == diff.kernels.size() ? "predicted time of all"
                      : both == 1
                          ? "predicted time of the kernel that both have"
                          : fmt::format("predicted time of all {} kernels that both have", both));
  text += conditions();
  for (const size_t i : changed)
    text += "\n" + kernelText(diff, i, all);
  if (!changed.empty())
    text += conclusion(diff);
  return text;
}

std::string asJson(const Diff &diff) {
  Json json = {{"before", diff.before},
               {"after", diff.after},
               {"same", std::ranges::all_of(diff.kernels, &KernelComparison::same)},
               {"times", timesJson(diff.application)},
               {"kernels", Json::array()},
               {"failures", Json::array()}};
  for (size_t i = 0; i < diff.kernels.size(); ++i)
    json["kernels"].push_back(kernelJson(diff.kernels[i], diff.types[i], diff.times[i]));
  for (const Violation &violation : diff.violations)
    json["failures"].push_back({{"condition", violation.condition->text},
                                {"kernel", violation.kernel->name()},
                                {"key", violation.change.key},
                                {"before", report::valueJson(violation.change.before)},
                                {"after", report::valueJson(violation.change.after)},
                                {"relative_change", relativeJson(violation.change.relative)},
                                {"invocation", invocationJson(violation.change)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string inWords(const Violation &violation) {
  const QuantityChange &change = violation.change;
  const auto value = [&](const Value &of) {
    if (change.unit != "s" || std::holds_alternative<std::monostate>(of))
      return text::formatReadable(of);
    return fmt::format("{:.5g} us", 1e6 * profile::toDouble(of));
  };
  const double grown = views::difference(change.before, change.after);
  const char *verb = grown > 0 ? "grew" : grown < 0 ? "fell" : "changed";
  std::string text = kernelName(*violation.kernel);
  if (violation.kernel->before.empty())
    text += ", which is new";
  if (violation.kernel->after.empty())
    text += ", which is gone";
  if (change.launch && violation.kernel->pairs.size() > 1)
    text += fmt::format(", invocation {}", change.launch->provenance.invocation);
  text += fmt::format(": {} {}", change.key, verb);
  if (change.relative)
    text += fmt::format(" by {:.3g} %", 100 * std::abs(*change.relative));
  return text + fmt::format(", from {} to {}: the limit is {}", value(change.before),
                            value(change.after), violation.condition->limit());
}

} // namespace aiwc::cli
