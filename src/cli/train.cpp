#include "command.h"
#include "inputs.h"
#include "output.h"
#include "train/fit.h"

#include <fmt/format.h>

namespace aiwc::cli {

namespace {

struct TrainOptions {
  std::vector<std::string> times;
  std::vector<std::string> deviceFolders;
  std::string output;
};

void train(const TrainOptions &options) {
  const predict::DeviceLibrary library = loadDevices(options.deviceFolders);
  train::TrainingSet set;
  for (const std::string &file : options.times)
    train::addTimes(file, library, set);
  print(predict::toJson(train::train(set)));
}

} // namespace

void addTrain(CLI::App &app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App *command = app.add_subcommand("train", "Fit the prediction to measured times");
  command->add_option("TIMES", options->times, "CSV files of measured times and their profiles")
      ->required();
  command
      ->add_option("--device-dir", options->deviceFolders, "Folder of device profiles, repeatable")
      ->type_name("DIR");
  command->callback([options] { train(*options); });
}

} // namespace aiwc::cli
