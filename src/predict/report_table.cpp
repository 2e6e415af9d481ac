#include "predict/caveats.h"
#include "predict/report.h"
#include "profile/kernel_words.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace aiwc::predict {

namespace {

/// Two significant digits with the unit in which they have one to three before the point.
std::string twoDigits(double value, std::span<const std::string_view> units, double smallest) {
  double size = smallest;
  size_t i = 0;
  for (; i + 1 < units.size() && value >= 995 * size; ++i)
    size *= 1000;
  const double shown = value / size;
  return fmt::format("{:.{}f} {}", shown >= 99.5 ? 10 * std::round(shown / 10) : shown,
                     shown < 9.95 ? 1 : 0, units[i]);
}

std::string nameOf(const Candidate &candidate) {
  const std::string id = text::printable(candidate.device.id, 60);
  return candidate.whatIf.empty()
             ? id
             : fmt::format("{} [{}]", id, text::printable(candidate.whatIf, 60));
}

using Row = std::vector<std::string>;
constexpr std::string_view kIndent = "  ";

/// The largest part and its share: "DRAM (63 %)".
std::string largestPart(const Prediction &prediction, const Entry &entry,
                        std::string_view sourceKind) {
  const size_t part = entry.boundBy();
  const bool transfers = part == Entry::kTransfers;
  const double seconds = transfers ? entry.transferSeconds : entry.cost.parts[part];
  return fmt::format("{} ({:.0f} %)",
                     profile::inWordsOf(sourceKind, std::string(partName(prediction.parts, part))),
                     entry.seconds > 0 ? 100 * seconds / entry.seconds : 0);
}

std::string interval(const Entry &entry) {
  return entry.interval ? fmt::format("{} to {}", duration(entry.interval->low),
                                      duration(entry.interval->high))
                        : "-";
}

std::string factorText(double factor) {
  return fmt::format("{:.{}f}", factor, factor < 9.95 ? 1 : 0);
}

/// "1.4 (0.9 to 2.2)": the time over that of the best device, and the interval of that.
std::string ofTheBest(const Entry &entry) {
  if (!entry.againstBest)
    return factorText(entry.relative);
  const Interval &ratio = entry.againstBest->ratio;
  return fmt::format("{} ({} to {})", factorText(entry.relative), factorText(ratio.low),
                     factorText(ratio.high));
}

/// Of being faster than the best device: "31 %, tie".
std::string probability(const Entry &entry) {
  if (!entry.againstBest)
    return {};
  const double percent = 100 * entry.againstBest->probability;
  return fmt::format("{}{}", percent < 1 ? "< 1 %" : fmt::format("{:.0f} %", percent),
                     entry.tie() ? ", tie" : "");
}

/// "12 us", or "12 us (3 of 5 launches)"
std::string measuredTime(const Entry &entry) {
  if (!entry.measured)
    return {};
  const std::string time = duration(entry.measured->seconds);
  return entry.measured->launches == entry.launches
             ? time
             : fmt::format("{} ({} of {} launches)", time,
                           text::formatReadable(entry.measured->launches),
                           text::formatReadable(entry.launches));
}

/// The rows that a table shows: the fastest, and all that were measured.
std::vector<RankedEntry> shownOf(const std::vector<RankedEntry> &rows, size_t top) {
  std::vector<RankedEntry> shown;
  for (size_t i = 0; i < rows.size(); ++i)
    if (i < top || rows[i].entry->measured)
      shown.push_back(rows[i]);
  return shown;
}

std::string table(const Prediction &prediction, const std::vector<RankedEntry> &rows,
                  const TableOptions &options, std::string_view sourceKind) {
  const bool intervals = std::ranges::any_of(
      rows, [](const RankedEntry &row) { return row.entry->interval.has_value(); });
  const bool probabilities = std::ranges::any_of(
      rows, [](const RankedEntry &row) { return row.entry->againstBest.has_value(); });
  std::vector<Row> text = {{"device", "time"}};
  std::vector<bool> left = {true, false};
  const auto column = [&](const char *heading, bool isLeft) {
    text[0].emplace_back(heading);
    left.push_back(isLeft);
  };
  if (intervals)
    column("80 % interval", false);
  const bool areMeasured = std::ranges::any_of(
      rows, [](const RankedEntry &row) { return row.entry->measured.has_value(); });
  if (areMeasured) {
    column("measured", false);
    column("/ predicted", false);
  }
  column("of the best", false);
  column("most of it", true);
  if (probabilities)
    column("P(faster)", true);
  for (const auto &[device, entry] : shownOf(rows, options.top)) {
    Row row = {nameOf(device->candidate), duration(entry->seconds)};
    if (intervals)
      row.push_back(interval(*entry));
    if (areMeasured) {
      row.push_back(measuredTime(*entry));
      row.push_back(entry->measured ? fmt::format("{:.2f}", entry->measured->ratio()) : "");
    }
    row.push_back(ofTheBest(*entry));
    row.push_back(largestPart(prediction, *entry, sourceKind));
    if (probabilities)
      row.push_back(probability(*entry));
    text.push_back(std::move(row));
  }
  std::string result = text::textTable(text, left,
                                       {.indent = kIndent,
                                        .names = {0},
                                        .terminal = options.terminal,
                                        .heading = true,
                                        .best = text.size() > 2 ? size_t{1} : SIZE_MAX});
  if (const size_t shown = text.size() - 1; shown < rows.size())
    result += fmt::format("{}... and {} more, slower (--top {} shows all)\n", kIndent,
                          rows.size() - shown, rows.size());
  return result;
}

/// "lud, 2,046 launches, 32 of them characterised; from 3 times measured on rtx3080".
std::string heading(const std::string &name, uint64_t invocations, uint64_t characterised,
                    const std::map<std::string, uint64_t> &measuredOn,
                    const text::Terminal &terminal) {
  std::string text =
      text::emphasised(text::printable(name, 60), text::Emphasis::kHeading, terminal) + ", " +
      text::counted(invocations, "launch");
  if (characterised > 0 && characterised < invocations) // a scaled launch has a sentence
    text += fmt::format(", {} of them characterised", text::formatReadable(characterised));
  for (std::string_view before = "; from "; const auto &[device, times] : measuredOn) {
    text += fmt::format("{}{} measured on {}", before, text::counted(times, "time"),
                        text::printable(device, 60));
    before = " and ";
  }
  return text + "\n";
}

/// Nobody measured the power: a sentence about the fastest device is all that can be said.
std::string energy(const Prediction &prediction) {
  constexpr std::array<std::string_view, 5> kUnits = {"nJ", "uJ", "mJ", "J", "kJ"};
  for (const auto &[device, entry] : ranked(prediction))
    if (entry->rank == 1 && entry->energyJoules)
      return fmt::format("energy: about {} on {} if it draws its thermal design power while it is "
                         "busy; no power was measured",
                         twoDigits(*entry->energyJoules, kUnits, 1e-9), nameOf(device->candidate));
  return {};
}

/// That of all kernels, or nothing.
std::string sourceKindOf(const Prediction &prediction) {
  std::vector<std::string_view> kinds;
  for (const PredictedKernel &kernel : prediction.kernels)
    kinds.push_back(kernel.sourceKind);
  return profile::sourceKindOfAll(kinds);
}

std::string notes(const Prediction &prediction, const text::Terminal &terminal) {
  std::string text;
  for (const std::string &caveat : caveats(prediction))
    text +=
        text::wrapped(profile::inWordsOf(sourceKindOf(prediction), caveat), 0, terminal.columns);
  if (const std::string line = energy(prediction); !line.empty())
    text += text::wrapped(line, 0, terminal.columns);
  // Most devices have no measured curves: one line for those that lack the same.
  constexpr size_t kMostNamed = 3;
  std::map<std::string, std::vector<std::string>> withoutCurves;
  for (const DevicePrediction &device : prediction.devices) {
    if (!device.ruledOut())
      continue;
    const std::string keys = fmt::format("{}", fmt::join(device.missing.keys(), ", "));
    if (device.missing.parameters.empty())
      withoutCurves[keys].push_back(nameOf(device.candidate));
    else
      text += fmt::format("left out: {}, whose file has no {}\n", nameOf(device.candidate), keys);
  }
  for (const auto &[keys, devices] : withoutCurves)
    if (devices.size() > kMostNamed)
      text +=
          fmt::format("left out: {} devices, whose profiles have no {}\n", devices.size(), keys);
    else
      for (const std::string &device : devices)
        text += fmt::format("left out: {}, whose file has no {}\n", device, keys);
  return text.empty() ? text : "\n" + text;
}

} // namespace

std::string duration(double seconds) {
  constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
  return twoDigits(seconds, kUnits, 1e-9);
}

std::string toTable(const Prediction &prediction, const TableOptions &options) {
  std::string text;
  uint64_t invocations = 0;
  uint64_t characterised = 0;
  std::map<std::string, uint64_t> measuredOn;
  for (size_t i = 0; i < prediction.kernels.size(); ++i) {
    const auto rows = ranked(prediction, i);
    const PredictedKernel &kernel = prediction.kernels[i];
    invocations += kernel.invocations;
    characterised += kernel.characterised;
    for (const auto &[device, times] : kernel.measuredOn)
      measuredOn[device] += times;
    text += (i ? "\n" : "") +
            heading(kernel.label, kernel.invocations, kernel.characterised, kernel.measuredOn,
                    options.terminal) +
            table(prediction, rows, options, kernel.sourceKind);
  }
  if (prediction.kernels.size() > 1) {
    const auto rows = ranked(prediction);
    text += "\n" +
            heading(prediction.whole ? "the whole application" : "these kernels together",
                    invocations, characterised, measuredOn, options.terminal) +
            table(prediction, rows, options, sourceKindOf(prediction));
  }
  return text + notes(prediction, options.terminal);
}

std::string alternativesTable(std::span<const std::string> names,
                              std::span<const Prediction> alternatives,
                              const TableOptions &options) {
  const auto secondsOf = [&](size_t device) {
    std::vector<double> seconds;
    for (const Prediction &alternative : alternatives)
      seconds.push_back(alternative.devices[device].application.seconds);
    return seconds;
  };
  std::vector<size_t> able;
  for (size_t i = 0; i < alternatives[0].devices.size(); ++i)
    if (std::ranges::none_of(alternatives, [&](const Prediction &alternative) {
          return alternative.devices[i].ruledOut();
        }))
      able.push_back(i);
  std::ranges::stable_sort(able, {}, [&](size_t i) { return std::ranges::min(secondsOf(i)); });
  std::vector<Row> rows = {{"device"}};
  for (const std::string &name : names)
    rows[0].push_back(text::printable(name, 40));
  rows[0].emplace_back("fastest");
  for (size_t n = 0; n < std::min(able.size(), options.top); ++n) {
    const std::vector<double> seconds = secondsOf(able[n]);
    rows.push_back({nameOf(alternatives[0].devices[able[n]].candidate)});
    for (const double each : seconds)
      rows.back().push_back(duration(each));
    const auto fastest = static_cast<size_t>(std::ranges::min_element(seconds) - seconds.begin());
    double next = HUGE_VAL; // of the others
    for (size_t i = 0; i < seconds.size(); ++i)
      if (i != fastest)
        next = std::min(next, seconds[i]);
    constexpr double kAlike = 1.02;
    const double times = next / seconds[fastest];
    rows.back().push_back(times < kAlike ? "alike"
                                         : fmt::format("{}, {:.2g} times",
                                                       text::printable(names[fastest], 40), times));
  }
  std::string text =
      fmt::format("{} runs, side by side: the time of all launches of each\n", names.size()) +
      text::textTable(
          rows, {true},
          {.indent = kIndent, .names = {0}, .terminal = options.terminal, .heading = true});
  if (able.size() > options.top)
    text += fmt::format("  ... and {} more, slower (--top {} shows all)\n",
                        able.size() - options.top, able.size());
  for (const std::string &note : alternatives[0].notes)
    text += text::wrapped(note, 0, options.terminal.columns);
  return text;
}

} // namespace aiwc::predict
