#include "command.h"
#include "command_line/output.h"
#include "inputs.h"
#include "text/text.h"
#include "train/baselines.h"
#include "train/fit.h"
#include "train/folds.h"
#include "train/one_measured.h"
#include "train/scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::cli {

namespace {

/// How good the predictions of one kind for a set of times are.
struct JudgedRow {
  std::string leftOut; ///< "application", ...
  std::string data;    ///< the data set; ", no doubt" where doubtful times are not judged
  std::string by;      ///< "fitted model", "nearest", ...
  /// None for what predicts no times, only a device.
  std::optional<train::ErrorScore> error;
  bool hasIntervals = false; ///< whether coverage and sure pairs mean anything
  std::optional<train::ChoiceScore> choice;
  bool ranks = true; ///< whether `choice->spearman` and `choice->pairs` are meaningful
};

/// Every number of a row, with its name in text and in CSV.
struct Column {
  std::string_view text, csv;
  /// Empty where the row does not have it.
  std::string (*cell)(const JudgedRow &row);
};

using train::ChoiceScore;
using train::ErrorScore;

template <double ErrorScore::*member, int digits> std::string errorCell(const JudgedRow &row) {
  if (!row.error || row.error->times == 0)
    return {};
  return fmt::format("{:.{}f}", (*row.error).*member, digits);
}

template <double ChoiceScore::*member, int digits> std::string choiceCell(const JudgedRow &row) {
  return row.choice ? fmt::format("{:.{}f}", (*row.choice).*member, digits) : std::string();
}

template <double ChoiceScore::*member, int digits> std::string rankCell(const JudgedRow &row) {
  return row.ranks ? choiceCell<member, digits>(row) : std::string();
}

std::string timesCell(const JudgedRow &row) {
  return row.error ? fmt::format("{}", row.error->times) : std::string();
}

std::string coverageCell(const JudgedRow &row) {
  return row.hasIntervals ? errorCell<&ErrorScore::coverage, 2>(row) : std::string();
}

template <double ChoiceScore::*member> std::string sureCell(const JudgedRow &row) {
  return row.hasIntervals && row.choice ? choiceCell<member, 3>(row) : std::string();
}

std::string workloadsCell(const JudgedRow &row) {
  return row.choice ? fmt::format("{}", row.choice->workloads) : std::string();
}

constexpr Column kColumns[] = {
    {"times", "times", timesCell},
    {"|ln error|", "ln_error", errorCell<&ErrorScore::lnError, 3>},
    {"factor", "factor", errorCell<&ErrorScore::factor, 2>},
    {"bias", "bias_factor", errorCell<&ErrorScore::bias, 2>},
    {"by app", "by_application", errorCell<&ErrorScore::perApplication, 3>},
    {"cover", "coverage", coverageCell},
    {"choices", "choices", workloadsCell},
    {"rho", "spearman", rankCell<&ChoiceScore::spearman, 3>},
    {"top-1", "top_one", choiceCell<&ChoiceScore::topOne, 3>},
    {"within 5 %", "within_five_percent", choiceCell<&ChoiceScore::withinFive, 3>},
    {"pairs", "pairs", rankCell<&ChoiceScore::pairs, 3>},
    {"sure", "sure_pairs", sureCell<&ChoiceScore::surePairs>},
    {"right", "sure_pairs_right", sureCell<&ChoiceScore::surePairsRight>},
    {"regret", "regret", choiceCell<&ChoiceScore::regret, 3>},
    {"worst", "worst", choiceCell<&ChoiceScore::worst, 1>},
};

/// Why a protocol must not be believed; empty for the honest ones.
std::string_view warning(std::string_view leftOut) {
  return leftOut == train::toString(train::LeaveOut::kRandomTimes)
             ? " (misleading: other times of the same kernels are trained on)"
             : "";
}

/// A table for each thing left out. Rows of one `leftOut` must be next to each other.
std::string judgedText(const std::vector<JudgedRow> &rows) {
  std::vector<std::string> header = {"", ""};
  for (const Column &column : kColumns)
    header.emplace_back(column.text);
  std::string text;
  for (size_t begin = 0; begin < rows.size();) {
    const std::string &leftOut = rows[begin].leftOut;
    std::vector<std::vector<std::string>> table = {header};
    const std::string *data = nullptr;
    for (; begin < rows.size() && rows[begin].leftOut == leftOut; ++begin) {
      const JudgedRow &row = rows[begin];
      std::vector<std::string> &cells = table.emplace_back();
      cells = {data && *data == row.data ? "" : row.data, row.by};
      data = &row.data;
      for (const Column &column : kColumns) {
        const std::string cell = column.cell(row);
        cells.push_back(cell.empty() ? "-" : cell);
      }
    }
    text += fmt::format("{}left out: {}{}\n", text.empty() ? "" : "\n", leftOut, warning(leftOut));
    text += text::textTable(table, {true, true}, {.indent = "  "});
  }
  return text;
}

/// A header, then a line per row; empty fields where there is no number.
std::string judgedCsv(const std::vector<JudgedRow> &rows) {
  std::string csv = "left_out,data,predicted_by";
  for (const Column &column : kColumns)
    csv += fmt::format(",{}", column.csv);
  csv += "\n";
  for (const JudgedRow &row : rows) {
    csv += fmt::format("{},{},{}", row.leftOut, text::csvField(row.data), text::csvField(row.by));
    for (const Column &column : kColumns)
      csv += fmt::format(",{}", column.cell(row));
    csv += "\n";
  }
  return csv;
}

using namespace train;

struct EvaluateOptions {
  std::vector<std::string> times;
  std::vector<std::string> without;
  std::vector<std::string> leaveOut;
  std::vector<std::string> devices;
  std::vector<std::string> against;
  bool byApplication = false;
  bool oneMeasured = false;
  bool csv = false;
};

/// Gives every device the launch overhead that its fastest time in the data implies: what a
/// measurement of a device that is left out would say.
void giveLaunchOverheads(TrainingSet &set) {
  for (size_t d = 0; d < set.devices.size(); ++d) {
    double least = std::numeric_limits<double>::infinity();
    for (const MeasuredTime &time : set.times)
      if (time.device == d)
        least = std::min(least, time.micros);
    if (least < kShortLaunchMicros)
      set.devices[d].profile.set(predict::Parameter::kLaunchOverhead, least,
                                 std::string(predict::kShortestLaunchSource));
  }
}

FitOptions fitOptionsOf(const EvaluateOptions &options) {
  FitOptions result;
  result.without.assign(predict::kCoefficientCount, false);
  for (const std::string &key : options.without) {
    const auto found =
        std::ranges::find(predict::coefficients(), key, &predict::CoefficientInfo::key);
    if (found == predict::coefficients().end()) {
      std::vector<std::string_view> keys;
      for (const predict::CoefficientInfo &coefficient : predict::coefficients())
        keys.push_back(coefficient.key);
      throw Error(fmt::format("aiwc-model evaluate: --without is '{}': expected one of {}",
                              text::printable(key, 60), fmt::join(keys, ", ")));
    }
    result.without[static_cast<size_t>(found - predict::coefficients().begin())] = true;
  }
  return result;
}

constexpr std::string_view kBestDevice = "best-device";
constexpr std::string_view kFittedModel = "fitted model";

/// What the model can be judged against, the slow ones last.
std::vector<std::string> rivals() {
  std::vector<std::string> names = {std::string(kBestDevice)};
  for (const Baseline baseline : kBaselines)
    names.emplace_back(toString(baseline));
  return names;
}

/// What was predicted for each time while it was left out.
struct Predicted {
  std::string by;
  std::vector<LeftOutPrediction> times;
  bool hasIntervals = false;
};

Predicted byBaseline(const BaselinePredictor &predictor, const TrainingSet &set,
                     const std::vector<Fold> &folds) {
  Predicted result{std::string(toString(predictor.baseline())),
                   std::vector<LeftOutPrediction>(set.times.size())};
  for (const Fold &fold : folds) {
    const std::vector<double> predicted = predictor.lnPredicted(fold);
    for (size_t i = 0; i < fold.test.size(); ++i)
      result.times[fold.test[i]].lnMicros = predicted[i];
  }
  return result;
}

JudgedRow judged(const Predicted &predicted, const TrainingSet &set,
                 const std::vector<size_t> &times) {
  JudgedRow row;
  row.by = predicted.by;
  row.error = errorOf(set, times, predicted.times);
  row.hasIntervals = predicted.hasIntervals;
  row.choice = choiceOf(set, times, predicted.times, predicted.hasIntervals);
  return row;
}

/// A forest takes seconds to train: its folds are joined to so many at most.
constexpr size_t kForests = 12;

/// Times that are judged together.
struct Judged {
  std::string name;
  std::vector<size_t> times;
};

/// The times of each data set, those of them without a doubt and, if asked for, those of each
/// application. Of several data sets also the times of all: long and short ones apart, because what
/// a launch takes decides the short ones, and by the largest part of the model's prediction
/// (`parts`, by time), because the parts' errors differ.
std::vector<Judged> judgedTimes(const TrainingSet &set, const EvaluateOptions &options,
                                const std::vector<predict::PartTimes> &parts) {
  const std::vector<std::string> &devices = options.devices;
  std::map<std::string, std::vector<size_t>> dataSets;
  for (size_t i = 0; i < set.times.size(); ++i)
    if (devices.empty() ||
        std::ranges::find(devices, set.devices[set.times[i].device].profile.id) != devices.end())
      dataSets[set.workloads[set.times[i].workload].dataSet].push_back(i);
  std::vector<Judged> result;
  for (const auto &[name, all] : dataSets) {
    std::vector<size_t> undoubted = all;
    std::erase_if(undoubted,
                  [&](size_t i) { return !set.workloads[set.times[i].workload].doubt.empty(); });
    result.push_back({name, all});
    if (undoubted.size() < all.size())
      result.push_back({name + ", no doubt", undoubted});
    if (!options.byApplication)
      continue;
    std::map<std::string, std::vector<size_t>> applications;
    for (const size_t i : all)
      applications[set.workloads[set.times[i].workload].application].push_back(i);
    for (const auto &[application, own] : applications)
      result.push_back({fmt::format("{}, {}", name, application), own});
  }
  if (dataSets.size() > 1) {
    constexpr double kShort = 50; // microseconds
    Judged longOnes{"all, no doubt, 50 us or more", {}};
    Judged shortOnes{"all, no doubt, below 50 us", {}};
    for (const auto &[name, all] : dataSets)
      for (const size_t i : all)
        if (set.workloads[set.times[i].workload].doubt.empty())
          (set.times[i].micros < kShort ? shortOnes : longOnes).times.push_back(i);
    std::vector<Judged> groups = {longOnes, shortOnes};
    for (const auto part :
         {predict::ErrorPart::kLaunch, predict::ErrorPart::kMemory, predict::ErrorPart::kOther}) {
      Judged &group =
          groups.emplace_back(Judged{fmt::format("all, no doubt, mostly {}", toString(part)), {}});
      for (const std::vector<size_t> &times : {longOnes.times, shortOnes.times})
        for (const size_t i : times)
          if (!std::isnan(parts[i][0]) && std::ranges::max_element(parts[i]) - parts[i].begin() ==
                                              static_cast<std::ptrdiff_t>(part))
            group.times.push_back(i);
    }
    for (Judged &group : groups)
      if (!group.times.empty())
        result.push_back(std::move(group));
  }
  return result;
}

std::vector<JudgedRow> judgedRows(const TrainingSet &set, const EvaluateOptions &options,
                                  const std::vector<Predicted> &predictions,
                                  const std::vector<predict::PartTimes> &parts) {
  const bool hasBestDevice =
      std::ranges::find(options.against, kBestDevice) != options.against.end();
  std::vector<JudgedRow> rows;
  for (const auto &[name, times] : judgedTimes(set, options, parts)) {
    const size_t first = rows.size();
    for (const Predicted &predicted : predictions)
      rows.push_back(judged(predicted, set, times));
    if (const auto best = hasBestDevice ? bestDevice(set, times) : std::nullopt) {
      JudgedRow row;
      row.by = "always " + best->id;
      row.choice = best->choice;
      row.ranks = false;
      rows.push_back(row);
    }
    for (size_t i = first; i < rows.size(); ++i)
      rows[i].data = name;
  }
  return rows;
}

/// The rows of times on devices other than one that is taken to be measured, without and with what
/// that one says; all of them, and those of devices of its class.
std::vector<JudgedRow> oneMeasuredRows(const TrainingSet &set, const EvaluateOptions &options,
                                       const Predicted &model,
                                       const std::vector<predict::PartTimes> &parts) {
  OneMeasured one = oneMeasured(set, model.times);
  std::vector<predict::PartTimes> ofTimes;
  for (const size_t i : one.time)
    ofTimes.push_back(parts[i]);
  Judged ofOneClass{"all, no doubt, of its class", {}};
  for (size_t i = 0; i < one.set.times.size(); ++i)
    if (one.sameClass[i] && one.set.workloads[one.set.times[i].workload].doubt.empty())
      ofOneClass.times.push_back(i);
  EvaluateOptions others = options;
  others.against.clear();
  const std::vector<Predicted> predictions = {{"none measured", std::move(one.unconditioned), true},
                                              {"one measured, scaled by it", std::move(one.scaled)},
                                              {"one measured", std::move(one.conditioned), true}};
  std::vector<JudgedRow> rows = judgedRows(one.set, others, predictions, ofTimes);
  for (const Predicted &predicted : predictions) {
    rows.push_back(judged(predicted, one.set, ofOneClass.times));
    rows.back().data = ofOneClass.name;
  }
  return rows;
}

void requireDevices(const TrainingSet &set, const std::vector<std::string> &ids) {
  std::set<std::string> known;
  for (const MeasuredDevice &device : set.devices)
    known.insert(device.profile.id);
  for (const std::string &id : ids)
    if (!known.contains(id))
      throw Error(fmt::format("aiwc-model evaluate: --devices has '{}': expected some of {}",
                              text::printable(id, 60), fmt::join(known, ", ")));
}

std::string evaluated(const EvaluateOptions &options) {
  const FitOptions fitOptions = fitOptionsOf(options);
  const predict::DeviceLibrary library = loadDevices();
  TrainingSet set;
  for (const std::string &file : options.times)
    addTimes(file, library, set);
  requireDevices(set, options.devices);
  giveLaunchOverheads(set);
  const std::vector<FitRow> fitted = fitRows(set, fitOptions);
  std::vector<BaselinePredictor> baselines;
  for (const Baseline baseline : kBaselines)
    if (std::ranges::find(options.against, toString(baseline)) != options.against.end())
      baselines.emplace_back(baseline, set);
  const std::vector<size_t> usable = withoutDoubt(set);
  std::vector<JudgedRow> rows;
  for (const LeaveOut leaveOut : kLeaveOuts) {
    if (!options.leaveOut.empty() &&
        std::ranges::find(options.leaveOut, toString(leaveOut)) == options.leaveOut.end())
      continue;
    const std::vector<Fold> folds = foldsOf(set, usable, leaveOut);
    if (folds.empty())
      continue;
    const std::vector<predict::PartTimes> parts =
        leaveOneOut(set, fitted, usable, leaveOut, fitOptions);
    std::vector<Predicted> predictions = {
        {std::string(kFittedModel), withIntervals(set, fitted, folds, parts), true}};
    for (const BaselinePredictor &baseline : baselines)
      predictions.push_back(
          byBaseline(baseline, set,
                     baseline.baseline() == Baseline::kForest ? joined(folds, kForests) : folds));
    std::vector<JudgedRow> judged = options.oneMeasured
                                        ? oneMeasuredRows(set, options, predictions.front(), parts)
                                        : judgedRows(set, options, predictions, parts);
    for (JudgedRow &row : judged) {
      row.leftOut = toString(leaveOut);
      rows.push_back(std::move(row));
    }
  }
  if (rows.empty())
    throw Error(fmt::format(
        "aiwc-model evaluate: nothing to leave out: expected times without a doubt "
        "of two or more {}s",
        fmt::join(options.leaveOut.empty() ? std::vector<std::string>{"kernel"} : options.leaveOut,
                  "s or ")));
  return options.csv ? judgedCsv(rows) : judgedText(rows);
}

} // namespace

void addEvaluate(Command app) {
  auto options = std::make_shared<EvaluateOptions>();
  Command command = app.subcommand(
      "evaluate", "Show how well a prediction model does on times that it was not fitted to");
  command
      .option("TIMES", &options->times,
              "CSV files of measured times and the profiles of their launches")
      .required();
  std::vector<std::string> protocols;
  protocols.reserve(kLeaveOuts.size());
  for (const LeaveOut leaveOut : kLeaveOuts)
    protocols.emplace_back(toString(leaveOut));
  command
      .option("--leave-out", &options->leaveOut,
              "Only leave out this: application, kernel, size, suite, device, ... (repeatable)")
      .type("WHAT")
      .repeatable()
      .oneOf(protocols);
  command.option("--devices", &options->devices, "Only judge these devices, comma-separated")
      .type("IDS")
      .commaSeparated();
  options->against = rivals();
  options->against.pop_back(); // a forest takes seconds
  command
      .option("--against", &options->against,
              "Judge these as well, comma-separated: best-device, roofline, nearest, "
              "automatch, forest (slow; default: all others)")
      .type("WHAT")
      .commaSeparated()
      .oneOf(rivals());
  command.option("--without", &options->without, "Leave out what has this coefficient (repeatable)")
      .type("COEFFICIENT")
      .repeatable();
  command.flag("--by-application", options->byApplication, "Also judge each application");
  command.flag("--one-measured", options->oneMeasured,
               "Judge the times on other devices once one is measured, each in turn");
  command.flag("--csv", options->csv, "Print CSV");
  command.examples({{"aiwc-model evaluate times.csv", ""},
                    {"aiwc-model evaluate times.csv --leave-out application --against nearest", ""},
                    {"aiwc-model evaluate times.csv --devices gtx1080,i7-6700k --csv", ""}});
  command.action([options] { print(evaluated(*options)); });
}

} // namespace aiwc::cli
