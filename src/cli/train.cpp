#include "command.h"
#include "common/file.h"
#include "inputs.h"
#include "output.h"
#include "train/eod_run.h"
#include "train/fit.h"

#include <fmt/format.h>

#include <memory>
#include <set>

namespace aiwc::cli {

namespace {

struct TrainOptions {
  std::vector<std::string> times;
  std::vector<std::string> deviceFolders;
  std::string output;
  // Of --update.
  std::string model, device, profiles;
  std::vector<std::string> measured;
  bool least = false;
};

void writeModel(const TrainOptions &options) {
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  train::TrainingSet set;
  for (const std::string &file : options.times)
    train::addTimes(file, library, set);
  replaceFile(options.output, predict::toJson(train::train(set)));
}

/// Says which times were used, and which were not.
std::string updateReport(const TrainOptions &options, const train::TrainingSet &set,
                         const std::vector<train::LeftOut> &leftOut) {
  std::set<std::string> applications;
  for (const train::Workload &workload : set.workloads)
    applications.insert(workload.application);
  std::string text = fmt::format("{}: fitted to {} time{} of {} application{}\n", options.device,
                                 set.times.size(), set.times.size() == 1 ? "" : "s",
                                 applications.size(), applications.size() == 1 ? "" : "s");
  for (const auto &[id, reason] : leftOut)
    text += fmt::format("left out: {} {} {}: {}\n", id.application, id.size, id.kernel, reason);
  return text;
}

void updateModel(const TrainOptions &options) {
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  const predict::DeviceProfile &device = library[options.device];
  const predict::FittedModel model = predict::readModel(options.model);
  const train::MeasuredTimes measured =
      train::readMeasured({options.measured.begin(), options.measured.end()});
  const std::string &profiles =
      options.profiles.empty() ? options.measured.front() : options.profiles;
  train::TrainingSet set;
  const std::vector<train::LeftOut> leftOut = train::addMeasured(
      measured, train::readCharacterised(profiles), device, std::string(predict::kOwnMeasurements),
      options.least ? train::Reference::kMinimum : train::Reference::kMedian, set);
  if (set.times.empty())
    throw Error(fmt::format("{}: no kernel that {} has a profile of: expected at least one (for "
                            "example, {} {} {}: {})",
                            options.measured.front(), profiles, leftOut.back().id.application,
                            leftOut.back().id.size, leftOut.back().id.kernel,
                            leftOut.back().reason));
  const std::string text = predict::toJson(train::update(model, set));
  replaceFile(options.output.empty() ? options.model : options.output, text);
  print(updateReport(options, set, leftOut));
}

} // namespace

void addTrain(CLI::App &app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App *command = app.add_subcommand("train", "Fit a prediction model to measured times");
  CLI::Option *times = command->add_option(
      "TIMES", options->times, "CSV files of measured times and the profiles of their launches");
  CLI::Option *output =
      command
          ->add_option("-o,--output", options->output,
                       "Write the model to this file (with --update, by default to MODEL)")
          ->type_name("FILE");
  CLI::Option *update =
      command
          ->add_option("--update", options->model,
                       "Only fit to --measured times how the device --device differs from others")
          ->type_name("MODEL")
          ->excludes(times);
  CLI::Option *measured = command
                              ->add_option("--measured", options->measured,
                                           "Folder that eod run wrote, of one device; repeatable")
                              ->type_name("DIR")
                              ->needs(update);
  CLI::Option *device =
      command->add_option("--device", options->device, "Id of the profile of that device")
          ->type_name("ID")
          ->needs(update);
  command
      ->add_option("--profiles", options->profiles,
                   "Folder that eod characterise wrote (default: the first --measured)")
      ->type_name("DIR")
      ->needs(update);
  command
      ->add_flag("--least", options->least,
                 "Use the fastest sample, not the median: on a machine with other work")
      ->needs(update);
  update->needs(measured, device);
  addDeviceFolders(*command, options->deviceFolders);
  addExamples(*command,
              {{"aiwc train times.csv -o mine.json", "then: aiwc predict --model mine.json"},
               {"aiwc train --update mine.json --measured runs --device gtx1080",
                "with times of one more device"}});
  command->callback([options, output, times] {
    if (!options->model.empty())
      return updateModel(*options);
    for (const CLI::Option *needed : {times, output})
      if (needed->empty())
        throw CLI::RequiredError(needed->get_name());
    writeModel(*options);
  });
}

} // namespace aiwc::cli
