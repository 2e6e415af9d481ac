#include "command.h"
#include "inputs.h"
#include "output.h"
#include "train/fit.h"
#include "train/folds.h"
#include "train/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace aiwc::cli {

namespace {

using namespace train;

struct EvaluateOptions {
  std::vector<std::string> times;
  std::vector<std::string> deviceFolders;
  std::vector<std::string> without;
  std::vector<std::string> leaveOut;
  bool coverage = false;
};

/// Gives every device the launch overhead that its fastest time in the data implies.
void giveLaunchOverheads(TrainingSet &set) {
  for (size_t d = 0; d < set.devices.size(); ++d) {
    double least = std::numeric_limits<double>::infinity();
    for (const MeasuredTime &time : set.times)
      if (time.device == d)
        least = std::min(least, time.micros);
    set.devices[d].profile.set(predict::Parameter::kLaunchOverhead, least,
                               "measured: the smallest of the published times");
  }
}

void evaluate(const EvaluateOptions &options) {
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  TrainingSet set;
  for (const std::string &file : options.times)
    addTimes(file, library, set);
  giveLaunchOverheads(set);
  FitOptions fitOptions;
  fitOptions.without.assign(predict::kTimeTermCount, false);
  for (const std::string &key : options.without) {
    const auto found = std::ranges::find(predict::timeTerms(), key, &predict::TimeTermInfo::key);
    if (found == predict::timeTerms().end())
      throw Error(
          fmt::format("aiwc evaluate: --without is '{}': expected a term of the model", key));
    fitOptions.without[static_cast<size_t>(found - predict::timeTerms().begin())] = true;
  }
  const std::vector<FitRow> rows = fitRows(set, fitOptions);
  const std::vector<size_t> usable = withoutDoubt(set);
  std::vector<size_t> all(set.times.size());
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  std::set<std::string> dataSets;
  for (const Workload &workload : set.workloads)
    dataSets.insert(workload.dataSet);
  std::string text;
  for (const LeaveOut leaveOut : kLeaveOuts) {
    if (!options.leaveOut.empty() &&
        std::ranges::find(options.leaveOut, toString(leaveOut)) == options.leaveOut.end())
      continue;
    std::vector<double> predicted(rows.size(), std::numeric_limits<double>::quiet_NaN());
    std::vector<predict::Spread> spreads;
    if (options.coverage)
      spreads.resize(rows.size());
    for (const Fold &fold : foldsOf(set, usable, leaveOut)) {
      const predict::FittedModel model = fit(set, rows, fold.training, fitOptions);
      for (const size_t i : fold.test)
        predicted[i] = lnPredicted(model, set, rows[i]);
      if (!options.coverage)
        continue;
      const auto inner = leaveOneOut(set, rows, fold.training, LeaveOut::kApplication, fitOptions);
      const predict::Spread spread = spreadOf(set, rows, fold.training, inner);
      for (const size_t i : fold.test)
        spreads[i] = spread;
    }
    const auto line = [&](const std::string &name, const std::vector<size_t> &times) {
      const ErrorScore error = errorOf(set, times, predicted, spreads);
      text += fmt::format("{:28} {:5} {:.3f} x{:.2f} app {:.3f} cover {:.2f}", name, error.times,
                          error.lnError, error.factor, error.perApplication, error.coverage);
      if (const auto choice = choiceOf(set, times, predicted))
        text += fmt::format("  rho {:.3f} top1 {:.0f} within5 {:.0f} pairs {:.3f} regret {:.3f} "
                            "worst {:.1f}",
                            choice->spearman, 100 * choice->topOne, 100 * choice->withinFive,
                            choice->pairs, choice->regret, choice->worst);
      text += '\n';
    };
    text += fmt::format("--- left out: {}\n", toString(leaveOut));
    for (const std::string &dataSet : dataSets) {
      const auto select = [&](std::vector<size_t> from, const std::set<std::string> &devices = {}) {
        std::erase_if(from, [&](size_t i) {
          return set.workloads[set.times[i].workload].dataSet != dataSet ||
                 (!devices.empty() &&
                  !devices.contains(set.devices[set.times[i].device].profile.id));
        });
        return from;
      };
      line(dataSet, select(all));
      line(dataSet + ", not doubted", select(usable));
      if (dataSet == "devmap-2017") {
        line("  i7-3820 or HD 7970", select(all, {"i7-3820", "tahiti-hd7970"}));
        line("  i7-3820 or GTX 970", select(all, {"i7-3820", "gtx970"}));
        for (const char *device : {"i7-3820", "tahiti-hd7970", "gtx970"})
          line(std::string("  ") + device, select(all, {device}));
      }
    }
  }
  print(text);
}

} // namespace

void addEvaluate(CLI::App &app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App *command =
      app.add_subcommand("evaluate", "Judge the prediction by times that it was not fitted to");
  command->add_option("TIMES", options->times, "CSV files of measured times and their profiles")
      ->required();
  command
      ->add_option("--device-dir", options->deviceFolders, "Folder of device profiles, repeatable")
      ->type_name("DIR");
  command->add_option("--without", options->without,
                      "Leave out this term of the model, repeatable");
  command->add_option("--leave-out", options->leaveOut, "Only this protocol, repeatable");
  command->add_flag("--coverage", options->coverage, "Coverage of the intervals, nested");
  command->callback([options] { evaluate(*options); });
}

} // namespace aiwc::cli
