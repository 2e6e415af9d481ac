#include "command.h"
#include "command_line/output.h"
#include "common/file.h"
#include "inputs.h"
#include "run/folder.h"
#include "run/run.h"
#include "text/text.h"
#include "train/eod_run.h"
#include "train/fit.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace aiwc::cli {

namespace {

/// The table (train/training_set.h) of a run whose launches were measured themselves: of each
/// kernel, the time of all launches that were characterised or are represented by one that was.
/// `dataSet` and `size` are the table's; runs of one application need different sizes. Empty if
/// there is no such launch.
std::string timesTable(const run::Run &run, const std::string &dataSet,
                       const std::string &application, const std::string &size,
                       const std::string &device) {
  struct KernelTime {
    uint64_t nanos = 0;
    std::map<std::string, uint64_t> profiles; ///< launches of each
  };
  std::map<std::string, KernelTime> kernels;
  for (const run::Launch &launch : run.launches)
    if (launch.hasProfile() && !launch.nearestTo && launch.measured && launch.measured->nanos > 0 &&
        launch.measured->first != run::FirstLaunch::kWarmUp) {
      KernelTime &kernel = kernels[launch.kernel];
      kernel.nanos += launch.measured->nanos;
      ++kernel.profiles[launch.profile];
    }
  if (kernels.empty())
    return "";
  constexpr double kNanosPerMicro = 1e3;
  std::string table = "data_set,suite,application,size,kernel,profiles,host_bytes,host_transfers,"
                      "doubt,device,time_us,clock\n";
  for (const auto &[name, kernel] : kernels) {
    std::string profiles;
    for (const auto &[file, launches] : kernel.profiles)
      profiles += fmt::format("{}{}*{}", profiles.empty() ? "" : " ", launches, file);
    table += fmt::format("{0},{0},{1},{2},{3},{4},0,0,,{5},{6},kernel\n", dataSet,
                         text::csvField(application), text::csvField(size), text::csvField(name),
                         text::csvField(profiles), device,
                         static_cast<double>(kernel.nanos) / kNanosPerMicro);
  }
  return table;
}

struct TrainOptions {
  std::vector<std::string> times;
  std::string output;
  // Of --update.
  std::string model, device, profiles;
  std::vector<std::string> measured;
  bool fastest = false;
};

void writeModel(const TrainOptions &options) {
  const predict::DeviceLibrary library = loadDevices();
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
  std::string text = fmt::format("{}: fitted to {} of {}\n", options.device,
                                 text::counted(set.times.size(), "time"),
                                 text::counted(applications.size(), "application"));
  for (const auto &[id, reason] : leftOut)
    text += fmt::format("left out: {} {} {}: {}\n", id.application, id.size, id.kernel, reason);
  return text;
}

/// Adds the times of a run, whose launches were measured. Returns false if the folder has no run,
/// or has what eod run wrote.
bool addRun(const std::filesystem::path &folder, const predict::DeviceProfile &device,
            const predict::DeviceLibrary &library, train::TrainingSet &set) {
  if (!std::filesystem::is_directory(folder) || std::filesystem::exists(folder / "rows.csv"))
    return false;
  const std::vector<std::filesystem::path> runs = run::contentOf(folder).runs;
  for (const std::filesystem::path &file : runs) {
    const run::Run run = run::readRun(file);
    const std::string application = run.command.empty()
                                        ? folder.filename().string()
                                        : std::filesystem::path(run.command[0]).filename().string();
    const std::string table = timesTable(run, std::string(predict::kOwnMeasurements), application,
                                         file.string(), device.id);
    if (!table.empty())
      train::addTimes(table, file, library, set);
  }
  return !runs.empty();
}

void updateModel(const TrainOptions &options) {
  const predict::DeviceLibrary library = loadDevices();
  const predict::DeviceProfile &device = library[options.device];
  const predict::FittedModel model = predict::readModel(options.model);
  train::TrainingSet set;
  std::vector<std::filesystem::path> ofSuite; // the others are runs
  for (const std::string &folder : options.measured)
    if (!addRun(folder, device, library, set))
      ofSuite.emplace_back(folder);
  std::vector<train::LeftOut> leftOut;
  const std::string &profiles =
      options.profiles.empty() ? options.measured.front() : options.profiles;
  if (!ofSuite.empty())
    leftOut = train::addMeasured(
        train::readMeasured(ofSuite), train::readCharacterised(profiles), device,
        std::string(predict::kOwnMeasurements),
        options.fastest ? train::Reference::kMinimum : train::Reference::kMedian, set);
  if (set.times.empty() && leftOut.empty())
    throw Error(fmt::format("{}: no kernel with a profile was measured: expected a run of aiwc "
                            "attach",
                            options.measured.front()));
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

void addTrain(Command app) {
  auto options = std::make_shared<TrainOptions>();
  Command command = app.subcommand("train", "Fit a prediction model to measured times");
  Option times = command.option("TIMES", &options->times,
                                "CSV files of measured times and the profiles of their launches");
  Option output = command
                      .option("-o,--output", &options->output,
                              "Write the model to this file (with --update, by default to MODEL)")
                      .type("FILE");
  Option update =
      command
          .option("--update", &options->model,
                  "Only fit to --measured times how the device --device differs from others")
          .type("MODEL")
          .excludes(times);
  Option measured = command
                        .option("--measured", &options->measured,
                                "Folder that aiwc attach or eod run wrote, of one device; "
                                "repeatable")
                        .type("DIR")
                        .needs(update);
  Option device = command.option("--device", &options->device, "Id of the profile of that device")
                      .type("ID")
                      .needs(update);
  command
      .option("--profiles", &options->profiles,
              "Folder that eod characterise wrote (default: the first --measured)")
      .type("DIR")
      .needs(update);
  command
      .flag("--fastest", options->fastest,
            "Use the fastest sample, not the median: on a machine with other work")
      .needs(update);
  update.needs(measured);
  update.needs(device);
  command.examples(
      {{"aiwc-model train times.csv -o mine.json", "then: aiwc predict --model mine.json"},
       {"aiwc-model train --update mine.json --measured runs --device gtx1080",
        "with times of one more device, which eod run measured"},
       {"aiwc-model train --update mine.json --measured run --device gtx1080",
        "with those that aiwc attach measured"}});
  command.action([options, output, times] {
    if (!options->model.empty())
      return updateModel(*options);
    for (const Option &needed : {times, output})
      if (!needed.given())
        throw Misuse(needed.name() + " is required");
    writeModel(*options);
  });
}

} // namespace aiwc::cli
