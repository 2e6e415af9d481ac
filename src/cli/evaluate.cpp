#include "command.h"
#include "inputs.h"
#include "output.h"
#include "profile/text.h"
#include "train/fit.h"
#include "train/folds.h"
#include "train/scores.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>

namespace aiwc::cli {

namespace {

using namespace train;

struct EvaluateOptions {
  std::vector<std::string> times;
  std::vector<std::string> deviceFolders;
  std::vector<std::string> without;
  std::vector<std::string> leaveOut;
  std::vector<std::string> devices;
  bool coverage = false;
};

/// What was predicted for each time while it was left out; NaN where nothing could be.
struct Protocol {
  std::vector<double> fitted, fixedOrder;
  std::vector<predict::Spread> spreads; ///< empty unless coverage is asked for
};

/// Gives every device the launch overhead that its fastest time in the data implies: what a
/// measurement of a device that is left out would say.
void giveLaunchOverheads(TrainingSet &set) {
  for (size_t d = 0; d < set.devices.size(); ++d) {
    double least = std::numeric_limits<double>::infinity();
    for (const MeasuredTime &time : set.times)
      if (time.device == d)
        least = std::min(least, time.micros);
    set.devices[d].profile.set(predict::Parameter::kLaunchOverhead, least,
                               "measured: the smallest of the times");
  }
}

FitOptions fitOptionsOf(const EvaluateOptions &options) {
  FitOptions result;
  result.without.assign(predict::kTimeTermCount, false);
  for (const std::string &key : options.without) {
    const auto found = std::ranges::find(predict::timeTerms(), key, &predict::TimeTermInfo::key);
    if (found == predict::timeTerms().end()) {
      std::vector<std::string_view> keys;
      for (const predict::TimeTermInfo &term : predict::timeTerms())
        keys.push_back(term.key);
      throw Error(fmt::format("aiwc evaluate: --without is '{}': expected one of {}",
                              profile::printable(key, 60), fmt::join(keys, ", ")));
    }
    result.without[static_cast<size_t>(found - predict::timeTerms().begin())] = true;
  }
  return result;
}

/// How long each device takes compared with the mean over the devices, ln: the same for every
/// workload. NaN for devices without a time in `training`.
std::vector<double> fixedOrder(const TrainingSet &set, const std::vector<FitRow> &rows,
                               const std::vector<size_t> &training) {
  std::map<size_t, std::pair<double, double>> workloads; // sum of ln t, count
  for (const size_t i : training) {
    auto &[sum, count] = workloads[set.times[i].workload];
    sum += rows[i].lnMicros;
    ++count;
  }
  std::vector<std::pair<double, double>> devices(set.devices.size());
  for (const size_t i : training) {
    const auto &[sum, count] = workloads[set.times[i].workload];
    devices[set.times[i].device].first += rows[i].lnMicros - sum / count;
    ++devices[set.times[i].device].second;
  }
  std::vector<double> result;
  result.reserve(devices.size());
  for (const auto &[sum, count] : devices)
    result.push_back(sum / count);
  return result;
}

Protocol run(const TrainingSet &set, const std::vector<FitRow> &rows, LeaveOut leaveOut,
             const EvaluateOptions &options, const FitOptions &fitOptions) {
  const std::vector<size_t> usable = withoutDoubt(set);
  Protocol result;
  result.fitted.assign(rows.size(), std::numeric_limits<double>::quiet_NaN());
  result.fixedOrder = result.fitted;
  if (options.coverage)
    result.spreads.resize(rows.size());
  for (const Fold &fold : foldsOf(set, usable, leaveOut)) {
    const predict::FittedModel model = fit(set, rows, fold.training, fitOptions);
    const std::vector<double> order = fixedOrder(set, rows, fold.training);
    for (const size_t i : fold.test) {
      result.fitted[i] = lnPredicted(model, set, rows[i]);
      result.fixedOrder[i] = order[set.times[i].device];
    }
    if (!options.coverage)
      continue;
    const auto inner = leaveOneOut(set, rows, fold.training, LeaveOut::kApplication, fitOptions);
    const predict::Spread spread = spreadOf(rows, fold.training, inner);
    for (const size_t i : fold.test)
      result.spreads[i] = spread;
  }
  return result;
}

using Row = std::vector<std::string>;

Row scores(const std::string &name, const TrainingSet &set, const std::vector<size_t> &times,
           const std::vector<double> &predicted, const std::vector<predict::Spread> &spreads,
           bool isTime) {
  Row row = {name};
  const ErrorScore error = errorOf(set, times, predicted, spreads);
  row.push_back(fmt::format("{}", error.times));
  row.push_back(isTime ? fmt::format("{:.3f}", error.lnError) : "-");
  row.push_back(isTime ? fmt::format("{:.2f}", error.factor) : "-");
  row.push_back(isTime ? fmt::format("{:.3f}", error.perApplication) : "-");
  row.push_back(isTime && !spreads.empty() ? fmt::format("{:.2f}", error.coverage) : "-");
  const auto choice = choiceOf(set, times, predicted);
  if (!choice) {
    row.resize(row.size() + 6, "-");
    return row;
  }
  for (const double value :
       {choice->spearman, choice->topOne, choice->withinFive, choice->pairs, choice->regret})
    row.push_back(fmt::format("{:.3f}", value));
  row.push_back(fmt::format("{:.1f}", choice->worst));
  return row;
}

std::string table(const TrainingSet &set, const Protocol &protocol,
                  const EvaluateOptions &options) {
  std::vector<Row> rows = {{"", "times", "|ln error|", "factor", "by app", "cover", "rho", "top-1",
                            "within 5 %", "pairs", "regret", "worst"}};
  std::set<std::string> dataSets;
  for (const Workload &workload : set.workloads)
    dataSets.insert(workload.dataSet);
  for (const std::string &dataSet : dataSets) {
    std::vector<size_t> all;
    for (size_t i = 0; i < set.times.size(); ++i)
      if (set.workloads[set.times[i].workload].dataSet == dataSet &&
          (options.devices.empty() ||
           std::ranges::find(options.devices, set.devices[set.times[i].device].profile.id) !=
               options.devices.end()))
        all.push_back(i);
    std::vector<size_t> undoubted = all;
    std::erase_if(undoubted,
                  [&](size_t i) { return !set.workloads[set.times[i].workload].doubt.empty(); });
    rows.push_back(scores(dataSet, set, all, protocol.fitted, protocol.spreads, true));
    if (undoubted.size() < all.size())
      rows.push_back(
          scores(dataSet + ", no doubt", set, undoubted, protocol.fitted, protocol.spreads, true));
    rows.push_back(scores(dataSet + ", fixed order", set, all, protocol.fixedOrder, {}, false));
  }
  return profile::textTable(rows, {true}, "  ");
}

std::string evaluated(const EvaluateOptions &options) {
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  TrainingSet set;
  for (const std::string &file : options.times)
    addTimes(file, library, set);
  giveLaunchOverheads(set);
  const FitOptions fitOptions = fitOptionsOf(options);
  const std::vector<FitRow> rows = fitRows(set, fitOptions);
  std::string text;
  for (const LeaveOut leaveOut : kLeaveOuts) {
    if (!options.leaveOut.empty() &&
        std::ranges::find(options.leaveOut, toString(leaveOut)) == options.leaveOut.end())
      continue;
    if (foldsOf(set, withoutDoubt(set), leaveOut).empty())
      continue;
    const Protocol protocol = run(set, rows, leaveOut, options, fitOptions);
    text += fmt::format("{}left out: {}{}\n", text.empty() ? "" : "\n", toString(leaveOut),
                        leaveOut == LeaveOut::kRandomTimes
                            ? " (misleading: other times of the same kernels are trained on)"
                            : "");
    text += table(set, protocol, options);
  }
  if (text.empty())
    throw Error("aiwc evaluate: the times are of one application, kernel, size, suite and device: "
                "expected two of one of these");
  return text;
}

} // namespace

void addEvaluate(CLI::App &app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App *command = app.add_subcommand(
      "evaluate", "Show how well a prediction model does on times that it was not fitted to");
  command
      ->add_option("TIMES", options->times,
                   "CSV files of measured times and the profiles of their launches")
      ->required();
  std::vector<std::string> protocols;
  protocols.reserve(kLeaveOuts.size());
  for (const LeaveOut leaveOut : kLeaveOuts)
    protocols.emplace_back(toString(leaveOut));
  command
      ->add_option(
          "--leave-out", options->leaveOut,
          "Only leave out this: application, kernel, size, suite, device, ... (repeatable)")
      ->type_name("WHAT")
      ->check(CLI::IsMember(protocols));
  command->add_option("--devices", options->devices, "Only judge these devices, comma-separated")
      ->type_name("IDS")
      ->delimiter(',');
  command
      ->add_option("--without", options->without, "Leave this term out of the model (repeatable)")
      ->type_name("TERM");
  command->add_flag("--coverage", options->coverage,
                    "Also check the intervals, with a leave-one-out inside each fold (slow)");
  addDeviceFolders(*command, options->deviceFolders);
  command->callback([options] { print(evaluated(*options)); });
}

} // namespace aiwc::cli
