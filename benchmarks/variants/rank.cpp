/// aiwc-rank-variants: whether a model puts the variants of a kernel into the order of their
/// measured times.
#include "common/error.h"
#include "predict/accuracy.h"
#include "predict/device_library.h"
#include "train/eod_run.h"
#include "train/fit.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace aiwc;

struct Options {
  std::string measured, profiles, device;
  std::vector<std::string> models, deviceFolders;
  bool variants = false;
};

struct Variants {
  std::vector<std::string> names;
  std::vector<double> predicted, measured; ///< microseconds
};

std::string scoreRow(const Variants &variants) {
  const std::vector<double> &measured = variants.measured;
  const double best = *std::ranges::min_element(measured);
  double randomPick = 0;
  for (const double micros : measured)
    randomPick += micros / best / static_cast<double>(measured.size());
  const auto picked = std::ranges::min_element(variants.predicted) - variants.predicted.begin();
  return fmt::format("{},{:.2f},{:.2f},{:.2f},{:.2f},{}", measured.size(),
                     predict::spearman(variants.predicted, measured).value_or(0),
                     measured[static_cast<size_t>(picked)] / best, randomPick,
                     predict::deviationOf(variants.predicted, measured).error,
                     variants.names[static_cast<size_t>(picked)]);
}

std::string ranked(const Options &options) {
  const predict::DeviceLibrary library(
      predict::deviceFolders({options.deviceFolders.begin(), options.deviceFolders.end()}));
  train::TrainingSet set;
  const auto leftOut =
      train::addMeasured(train::readMeasured({options.measured}),
                         train::readCharacterised(options.profiles), library[options.device],
                         std::string(predict::kOwnMeasurements), train::Reference::kMinimum, set);
  if (!leftOut.empty())
    throw Error(fmt::format("{}: {}: {}: expected times and profiles of the same variants",
                            options.measured, leftOut.front().id.kernel, leftOut.front().reason));
  const std::vector<train::FitRow> rows = train::fitRows(set);
  std::string text = "model,problem,variants,spearman,cost_of_chosen,cost_of_random,error_factor,"
                     "chosen\n";
  std::string each = "model,problem,variant,measured_us,predicted_us\n";
  for (const std::string &file : options.models) {
    const predict::FittedModel model = predict::readModel(file);
    std::map<std::string, Variants> problems;
    for (size_t i = 0; i < rows.size(); ++i) {
      const train::Workload &workload = set.workloads[set.times[i].workload];
      Variants &variants = problems[workload.application];
      variants.names.push_back(workload.kernel);
      variants.measured.push_back(set.times[i].micros);
      variants.predicted.push_back(std::exp(train::lnPredicted(model, set, rows[i])));
      each += fmt::format("{},{},{},{:.4g},{:.4g}\n", file, workload.application, workload.kernel,
                          variants.measured.back(), variants.predicted.back());
    }
    for (const auto &[problem, variants] : problems)
      text += fmt::format("{},{},{}\n", file, problem, scoreRow(variants));
  }
  return options.variants ? each : text;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Ranks the variants that aiwc-variants ran by predicted times");
  app.add_option("MODEL", options.models, "Models that aiwc-model train wrote")->required();
  app.add_option("--measured", options.measured, "Folder with the rows.csv of a device")
      ->type_name("DIR")
      ->required();
  app.add_option("--profiles", options.profiles, "Folder with the profiles and their index.csv")
      ->type_name("DIR")
      ->required();
  app.add_option("--device", options.device, "The profile of the device")
      ->type_name("ID")
      ->required();
  app.add_option("--device-dir", options.deviceFolders, "Folder of device profiles, repeatable")
      ->type_name("DIR");
  app.add_flag("--variants", options.variants, "Print each variant");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    const std::string text = ranked(options);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error("standard output: cannot be written: expected room for the table");
  } catch (const Error &error) {
    std::fputs((std::string(error.what()) + "\n").c_str(), stderr);
    return 2;
  }
}
