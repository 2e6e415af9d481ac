#include "command.h"
#include "common/file.h"
#include "inputs.h"
#include "train/fit.h"

#include <memory>

namespace aiwc::cli {

namespace {

struct TrainOptions {
  std::vector<std::string> times;
  std::vector<std::string> deviceFolders;
  std::string output;
};

void writeModel(const TrainOptions &options) {
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  train::TrainingSet set;
  for (const std::string &file : options.times)
    train::addTimes(file, library, set);
  replaceFile(options.output, predict::toJson(train::train(set)));
}

} // namespace

void addTrain(CLI::App &app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App *command = app.add_subcommand("train", "Fit a prediction model to measured times");
  command
      ->add_option("TIMES", options->times,
                   "CSV files of measured times and the profiles of their launches")
      ->required();
  command->add_option("-o,--output", options->output, "Write the model to this file")
      ->type_name("FILE")
      ->required();
  addDeviceFolders(*command, options->deviceFolders);
  command->callback([options] { writeModel(*options); });
}

} // namespace aiwc::cli
