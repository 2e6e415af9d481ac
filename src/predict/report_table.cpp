#include "predict/report.h"
#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace aiwc::predict {

namespace {

/// Four significant digits with the unit in which they have one to three before the point.
std::string scaled(double value, std::span<const std::string_view> units, double smallest) {
  double size = smallest;
  size_t i = 0;
  for (; i + 1 < units.size() && value >= 999.95 * size; ++i)
    size *= 1000;
  const double shown = value / size;
  const int decimals = shown >= 99.995 ? 1 : shown >= 9.9995 ? 2 : 3;
  return fmt::format("{:.{}f} {}", shown, decimals, units[i]);
}

std::string duration(double seconds) {
  constexpr std::array<std::string_view, 4> kUnits = {"ns", "us", "ms", "s"};
  return scaled(seconds, kUnits, 1e-9);
}

std::string energy(const std::optional<double> &joules) {
  constexpr std::array<std::string_view, 5> kUnits = {"nJ", "uJ", "mJ", "J", "kJ"};
  return joules ? scaled(*joules, kUnits, 1e-9) : "-";
}

std::string percentage(double part, double whole) {
  return whole > 0 ? fmt::format("{:.0f} %", 100 * part / whole) : "-";
}

std::string nameOf(const Candidate &candidate) {
  const std::string id = profile::printable(candidate.device.id, 60);
  return candidate.whatIf.empty()
             ? id
             : fmt::format("{} [{}]", id, profile::printable(candidate.whatIf, 60));
}

std::string counted(uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", profile::formatReadable(count), what, count == 1 ? "" : "s");
}

using Row = std::vector<std::string>;
constexpr std::string_view kIndent = "  ";

struct Ranked {
  const DevicePrediction *device;
  const Entry *entry;
};

/// `entryOf` gives a device's entry of the kernel in question.
template <typename EntryOf>
std::vector<Ranked> ranked(const Prediction &prediction, EntryOf entryOf) {
  std::vector<Ranked> result;
  for (const DevicePrediction &device : prediction.devices)
    if (!device.ruledOut())
      result.push_back({&device, &entryOf(device)});
  std::ranges::stable_sort(result, {}, [](const Ranked &row) { return row.entry->rank; });
  return result;
}

std::string table(const Prediction &prediction, const std::vector<Ranked> &rows) {
  const bool transfers = prediction.exposedTransfers > 0;
  std::vector<Row> text = {
      {"rank", "device", "cost", "relative", "bound by", "comp", "fast", "slow", "lat", "sync"}};
  const std::vector<bool> left = {false, true, false, false, true};
  if (transfers)
    text[0].emplace_back("trans");
  for (const char *heading : {"Gop/s", "roofline", "op/byte", "energy"})
    text[0].emplace_back(heading);
  for (const auto &[device, entry] : rows) {
    const Cost &cost = entry->cost;
    Row row = {fmt::format("{}", entry->rank),
               nameOf(device->candidate) + (cost.doubleRateForSingle ? " *" : ""),
               duration(entry->seconds), fmt::format("{:.2f}", entry->relative),
               std::string(entry->boundBy())};
    for (const double term : cost.terms)
      row.push_back(percentage(term, entry->seconds));
    if (transfers)
      row.push_back(percentage(entry->transferSeconds, entry->seconds));
    row.push_back(fmt::format("{:.4g}", cost.upperBoundGflops));
    row.push_back(fmt::format("{:.4g}", cost.rooflineGflops));
    row.push_back(std::isinf(cost.intensity) ? "-" : fmt::format("{:.3g}", cost.intensity));
    row.push_back(energy(entry->energyJoules));
    text.push_back(std::move(row));
  }
  return profile::textTable(text, left, kIndent);
}

std::string heading(const std::string &name, uint64_t invocations,
                    const std::vector<Ranked> &rows) {
  std::string text =
      fmt::format("{}, {}", profile::printable(name, 60), counted(invocations, "invocation"));
  if (!rows.empty()) {
    const Cost &cost = rows[0].entry->cost;
    text += fmt::format(", {} {}operations",
                        profile::formatReadable(static_cast<uint64_t>(cost.operations)),
                        cost.floatingPoint ? "floating-point " : "");
  }
  return text + "\n";
}

std::string notes(const Prediction &prediction) {
  std::string text;
  bool doubleRate = false;
  bool allOperations = false;
  for (const PredictedKernel &kernel : prediction.kernels)
    if (kernel.sampled > 0)
      text += fmt::format("sampled: {} of {} of {}; their work was estimated from a part of the "
                          "work-groups\n",
                          profile::formatReadable(kernel.sampled),
                          counted(kernel.invocations, "invocation"),
                          profile::printable(kernel.name, 60));
  for (const PredictedKernel &kernel : prediction.kernels)
    if (kernel.withErrors > 0)
      text += fmt::format(
          "the simulator reported {} in {} of {} of {}; their profiles may not describe a "
          "correct run\n",
          counted(kernel.simulatorErrors, "error"), profile::formatReadable(kernel.withErrors),
          counted(kernel.invocations, "invocation"), profile::printable(kernel.name, 60));
  for (const DevicePrediction &device : prediction.devices)
    for (const Entry &entry : device.kernels) {
      doubleRate = doubleRate || entry.cost.doubleRateForSingle;
      allOperations = allOperations || !entry.cost.floatingPoint;
    }
  if (doubleRate)
    text += "* single precision costed at the double-precision rate, the only known rate: an upper "
            "bound\n";
  if (allOperations)
    text += "if a heading has operations without \"floating-point\", operations of all kinds are "
            "costed, because the kernel's work is not floating point\n";
  for (const DevicePrediction &device : prediction.devices)
    if (device.ruledOut()) {
      text += fmt::format("ruled out: {}, which has no", nameOf(device.candidate));
      for (size_t i = 0; i < device.lacking.size(); ++i)
        text += fmt::format("{} {}", i ? "," : "", info(device.lacking[i]).key);
      text += '\n';
    }
  return text.empty() ? text : "\n" + text;
}

} // namespace

std::string toTable(const Prediction &prediction) {
  std::string text;
  uint64_t invocations = 0;
  for (size_t i = 0; i < prediction.kernels.size(); ++i) {
    const auto rows = ranked(prediction, [i](const DevicePrediction &device) -> const Entry & {
      return device.kernels[i];
    });
    const PredictedKernel &kernel = prediction.kernels[i];
    invocations += kernel.invocations;
    text += fmt::format("{}{}", i ? "\n" : "", heading(kernel.name, kernel.invocations, rows));
    text += table(prediction, rows);
  }
  if (prediction.kernels.size() > 1) {
    const auto rows = ranked(prediction, [](const DevicePrediction &device) -> const Entry & {
      return device.application;
    });
    text += "\n" + heading("the whole application", invocations, rows) + table(prediction, rows);
  }
  return text + notes(prediction);
}

std::string sweepTable(const Sweep &sweep, std::span<const Prediction> predictions) {
  const ParameterInfo &row = info(sweep.parameter);
  std::vector<Row> text = {
      {fmt::format("{}{}{}", row.symbol, row.unit.empty() ? "" : ", ", row.unit)}};
  for (const DevicePrediction &device : predictions[0].devices)
    text[0].push_back(nameOf(device.candidate));
  for (size_t i = 0; i < predictions.size(); ++i) {
    text.push_back({fmt::format("{:g}", sweep.values[i])});
    for (const DevicePrediction &device : predictions[i].devices)
      text.back().push_back(device.ruledOut()
                                ? "-"
                                : fmt::format("{}{}", duration(device.application.seconds),
                                              device.application.rank == 1 ? " <" : "  "));
  }
  return "cost of all invocations; < marks the best of its row\n" +
         profile::textTable(text, {}, kIndent) + notes(predictions[0]);
}

} // namespace aiwc::predict
