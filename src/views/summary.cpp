#include "views/summary.h"

#include "profile/kernel_words.h"
#include "profile/reuse.h"
#include "profile/sampling.h"
#include "text/text.h"
#include "views/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

namespace aiwc::views {

using namespace profile;

namespace {

/// Adjacent metrics of the catalogue that share one line of the summary.
struct Fold {
  std::string label;
  std::span<const MetricInfo> metrics;
};

constexpr size_t kLabelWidth = 42;

/// Inserts the parameters into the label: "Skipped 1 / 2 / 3 LSBs" for "Skipped {} LSBs". If that
/// is too long, inserts only the first and the last.
std::string labelOf(std::string_view pattern, std::span<const uint32_t> parameters) {
  const std::string label = fmt::format(fmt::runtime(pattern), fmt::join(parameters, " / "));
  return label.size() <= kLabelWidth
             ? label
             : fmt::format(fmt::runtime(pattern),
                           fmt::format("{} / ... / {}", parameters.front(), parameters.back()));
}

/// The fold that starts with the first of `metrics`, which is the rest of the catalogue.
Fold firstFold(std::span<const MetricInfo> metrics) {
  const MetricInfo &first = metrics.front();
  if (!first.parameters.empty()) {
    // If there are several lines, they have about the same length.
    constexpr size_t kMost = 6;
    const std::span<const uint32_t> all = first.parameters;
    const auto begin = static_cast<size_t>(std::ranges::find(all, first.parameter) - all.begin());
    const size_t lines = (all.size() + kMost - 1) / kMost;
    const size_t perLine = (all.size() + lines - 1) / lines;
    const auto parameters = all.subspan(begin, std::min(perLine, all.size() - begin));
    return {labelOf(first.summaryLine, parameters), metrics.first(parameters.size())};
  }
  size_t count = 1;
  while (!first.summaryLine.empty() && count < metrics.size() &&
         metrics[count].summaryLine == first.summaryLine)
    ++count;
  return {std::string(count == 1 ? first.name : first.summaryLine), metrics.first(count)};
}

std::string sizes(const Size3 &size, uint32_t dimensions) {
  std::string text = fmt::format("{}", size[0]);
  for (uint32_t i = 1; i < std::min<uint32_t>(dimensions, 3); ++i)
    text += fmt::format(" x {}", size[i]);
  return text;
}

std::string title(const Provenance &provenance) {
  const bool one = provenance.globalSize == Size3{1, 1, 1};
  std::string text = fmt::format("{}, invocation {}: {} work-item{} in groups of {}",
                                 text::printable(provenance.kernel, 60), provenance.invocation,
                                 sizes(provenance.globalSize, provenance.workDim), one ? "" : "s",
                                 sizes(provenance.localSize, provenance.workDim));
  if (provenance.globalOffset != Size3{})
    text += fmt::format(" from {}", sizes(provenance.globalOffset, provenance.workDim));
  if (provenance.localSizeLeftOpen)
    text += " (the application gives no local size)";
  return text + "\n";
}

/// A value in a fold. Reals have four digits, so that entropies and ratios align.
std::string foldedValue(const Value &value) {
  if (const auto *real = std::get_if<double>(&value); real && *real < 1e6)
    return fmt::format("{:.4g}", *real);
  return text::formatReadable(value);
}

/// One line of the summary. `error` is only set in sampled profiles and gets its own column.
std::string line(std::string_view label, const std::string &value, std::string_view unit,
                 const std::string &error = "") {
  if (value == "-")
    unit = "";
  if (value == "1")
    unit = text::singular(unit);
  const std::string text =
      fmt::format("  {:<{}}  {}{}{}", label, kLabelWidth, value, unit.empty() ? "" : " ", unit);
  return (error.empty() ? text : fmt::format("{:<78}  {}", text, error)) + "\n";
}

/// The error text for metrics that share a line; if all have standard errors, the largest relative
/// one.
std::string foldedError(const KernelProfile &profile, std::span<const MetricInfo> metrics) {
  std::string joined;
  std::string largest;
  double most = -1;
  bool allAlike = true;
  bool allNumbers = true;
  for (const MetricInfo &metric : metrics) {
    const std::string text = errorText(profile, metric.metric);
    if (&metric != metrics.data() && text != largest)
      allAlike = false;
    joined += (joined.empty() ? "" : " / ") + (text.empty() ? "-" : text);
    const double error = profile.standardError(metric.metric);
    if (text.empty())
      continue;
    allNumbers = allNumbers && !std::isnan(error);
    const double relative =
        error / std::abs(profile.real(metric.metric)); // infinite or NaN if the value is 0
    if (largest.empty() || relative > most) {
      largest = text;
      most = std::isnan(relative) ? -1 : relative;
    }
  }
  return allAlike || allNumbers ? largest : joined;
}

constexpr size_t kMaximumBins = 8;
constexpr double kBarLength = 20; // text::characters

/// The levels of the ASAP schedule by their number of operations, as a few lines. Each line covers
/// a range between powers of two and has a bar for its share of the levels. Empty if there are no
/// levels.
std::string levelWidths(const Histogram &levels) {
  if (levels.empty())
    return {};
  // Values from 2^(p - 1) to 2^p - 1 have bit width p.
  const int lowest = std::bit_width(levels.front().first);
  const int highest = std::bit_width(levels.back().first);
  const int step = (highest - lowest) / static_cast<int>(kMaximumBins) + 1;
  std::array<double, kMaximumBins> bins{};
  double total = 0;
  for (const auto &[width, count] : levels) {
    bins.at(static_cast<size_t>((std::bit_width(width) - lowest) / step)) +=
        static_cast<double>(count);
    total += static_cast<double>(count);
  }
  std::string text;
  for (size_t i = 0; i < bins.size(); ++i) {
    if (bins.at(i) == 0)
      continue;
    const int first = lowest + static_cast<int>(i) * step;
    const int last = std::min(first + step - 1, highest);
    const uint64_t from = first == 0 ? 0 : uint64_t{1} << (first - 1);
    const uint64_t to = last == 0 ? 0 : ~uint64_t{0} >> (64 - last);
    std::string label = "  levels of width " + text::formatReadable(from);
    if (from != to)
      label += " to " + text::formatReadable(to);
    const auto bar = static_cast<size_t>(std::ceil(bins.at(i) / total * kBarLength));
    text += line(label, text::formatReadable(bins.at(i)) + " " + std::string(bar, '#'), "");
  }
  return text;
}

/// A summary of the reuse distances: hit ratios of caches of some usual sizes, and the sizes at
/// which working sets begin to fit.
std::string reuseText(const KernelProfile &profile) {
  if (lineAccesses(profile) == 0)
    return "";
  constexpr std::array<uint64_t, 3> kCaches = {uint64_t{32} << 10U, uint64_t{256} << 10U,
                                               uint64_t{8} << 20U};
  std::string ratios;
  for (const uint64_t cache : kCaches)
    ratios += fmt::format("{}{:.4g}", ratios.empty() ? "" : " / ", *hitRatio(profile, cache));
  const std::string error = profile.provenance.sampled() ? "of the sample" : "";
  std::string text = line("hit ratio of 32 KiB / 256 KiB / 8 MiB, LRU", ratios, "", error);
  std::string knees;
  for (const Knee &knee : workingSetKnees(profile))
    knees += fmt::format("{}{} ({:.3g} -> {:.3g})", knees.empty() ? "" : ", ",
                         text::formatBytes(knee.cacheBytes), knee.missRatioBefore, knee.missRatio);
  text += line("working sets (miss ratio at half -> full)", knees.empty() ? "-" : knees, "", error);
  return text;
}

} // namespace

std::string toText(const KernelProfile &profile) {
  const auto inWords = [&](std::string text) {
    return profile::inWordsOf(profile.provenance.sourceKind, std::move(text));
  };
  std::string text = inWords(title(profile.provenance));
  if (!profile.provenance.scaledFrom.empty())
    text += fmt::format("  SCALED from {}, not measured.\n",
                        text::printable(profile.provenance.scaledFrom, 60));
  if (profile.provenance.extrapolated())
    text +=
        fmt::format("  EXTRAPOLATED from {}; +- is by how much samples differ from each other's "
                    "extrapolation.\n",
                    text::printable(profile.provenance.extrapolatedFrom, 200));
  if (profile.provenance.sampled())
    text += inWords(
        fmt::format("  SAMPLED: {} work-groups{}. Sums are scaled; +- is a standard error.\n",
                    sampledGroupsText(profile.provenance),
                    profile.provenance.othersLeftOut ? ", the others did not run" : ""));
  if (!profile.complete)
    text +=
        fmt::format("  INCOMPLETE: {}\n",
                    profile.reason.empty() ? "no reason given" : text::printable(profile.reason));
  if (profile.simulatorErrors > 0)
    text += fmt::format("  The simulator reported {} in this invocation.\n",
                        text::counted(profile.simulatorErrors, "error"));
  if (const std::string &reason = profile.provenance.engineReason; !reason.empty())
    text += fmt::format("  Interpreted: {}\n", text::printable(reason));
  for (size_t family = 0; family < profile.targets.size(); ++family)
    if (const auto &traffic = profile.targets[family]; traffic && traffic->stackBytes > 0)
      text += inWords(fmt::format(
          "  On {}, {} bytes per work-item stay in memory; {} bytes are read and written there.\n",
          kTargetFamilies[family], text::formatReadable(traffic->stackBytes),
          text::formatReadable(traffic->scratchBytes)));

  const auto metrics = catalogue();
  for (size_t i = 0; i < metrics.size();) {
    const MetricInfo &metric = metrics[i];
    // After the last memory metric.
    if (i > 0 && metrics[i - 1].category == Category::kMemory &&
        metric.category != Category::kMemory)
      text += reuseText(profile);
    if (i == 0 || metrics[i - 1].category != metric.category)
      text += fmt::format("{}\n", toString(metric.category));
    const Fold fold = firstFold(metrics.subspan(i));
    i += fold.metrics.size();
    if (fold.metrics.size() == 1) {
      text += line(inWords(fold.label), text::formatReadable(profile[metric.metric]),
                   inWords(std::string(metric.unit)), errorText(profile, metric.metric));
      continue;
    }
    std::string values;
    bool any = false;
    for (const MetricInfo &part : fold.metrics) {
      const Value &value = profile[part.metric];
      any = any || !std::holds_alternative<std::monostate>(value);
      values += (values.empty() ? "" : " / ") + foldedValue(value);
    }
    if (!any)
      values = "-";
    // Bytes and transfers share a line, and its label has both units.
    const bool oneUnit = fold.metrics.back().unit == metric.unit;
    text += line(inWords(fold.label), values, oneUnit ? inWords(std::string(metric.unit)) : "",
                 foldedError(profile, fold.metrics));
    if (metric.metric == "asap_fp_depth"_metric)
      text += levelWidths(profile.histograms.asapFpLevels);
  }
  return text + loopTable(profile);
}

} // namespace aiwc::views
