#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "embedded.h"
#include "inputs.h"
#include "models.h"
#include "predict/mapping.h"
#include "schedule.h"
#include "split_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

namespace aiwc::cli {

namespace {

struct SplitArguments {
  std::vector<std::string> files;
  LaunchOptions launch;
  std::string devices{kUsualDevices};
  double transfers = 0;
  ModelOptions model;
  bool wholeInput = false;
  std::string dimension;
  bool schedule = false;
  std::optional<uint64_t> process;
  std::string output;
  bool json = false;
  bool csv = false;
};

predict::SplitOptions optionsOf(const SplitArguments &arguments) {
  if (!(arguments.transfers >= 0 && arguments.transfers <= 1))
    throw Error(
        fmt::format("aiwc split: --transfers is {:g}: expected 0 to 1", arguments.transfers));
  predict::SplitOptions options{
      .transfers = {.exposed = arguments.transfers, .wholeInput = arguments.wholeInput}};
  if (!arguments.dimension.empty())
    options.dimension = static_cast<size_t>(arguments.dimension[0] - 'x');
  return options;
}

SplitReport report(const SplitArguments &arguments) {
  SplitReport report;
  report.options = optionsOf(arguments);
  report.devices = devicesWithRepeats(loadDevices(), arguments.devices);
  report.profiles = readRuns(arguments.files, LaunchFilter(arguments.launch, "aiwc split"));
  const auto model = chosenModel(arguments.model);
  report.model = model->name();
  std::vector<predict::CostedLaunch> launches;
  for (const NamedProfile &named : report.profiles) {
    if (const std::string reason = model->whyNot(*named.profile); !reason.empty())
      throw Error(named.file + ": " + reason);
    launches.emplace_back(*named.profile, *model);
  }
  if (arguments.transfers > 0 &&
      std::ranges::all_of(launches, [](const auto &launch) { return launch.traffic.isNone(); }))
    warn(std::string("aiwc split: ") + kNoTransfers);
  report.leftOut =
      leaveOut(report.devices, arguments.devices, [&](const predict::DeviceProfile &device) {
        predict::Missing missing;
        for (const predict::CostedLaunch &launch : launches) {
          missing.add(predict::missingForSplit(launch, device, report.options.transfers));
          if (launches.size() > 1) // data moves between devices
            missing.add(launch.model().missingForTransfers({.bytes = 0, .transfers = 1}, device));
        }
        return missing;
      });

  for (size_t i = 0; i < launches.size(); ++i) {
    try {
      report.splits.push_back(predict::split(launches[i], report.devices, report.options));
      // Checks the profiles one at a time, since an error for a sequence does not say which kernel
      // it is about.
      if (launches.size() > 1) // the kernel twice, since data moves only between kernels
        mapKernels(std::vector(2, launches[i]), report.devices, report.options.transfers);
    } catch (const Error &error) {
      throw Error(report.profiles[i].file + ": " + error.what());
    }
  }
  if (launches.size() > 1)
    report.mappings = mapKernels(launches, report.devices, report.options.transfers);
  return report;
}

} // namespace

void addSplit(Command app) {
  auto arguments = std::make_shared<SplitArguments>();
  Command command =
      app.subcommand("split", "Split kernels among devices, choose a device for each kernel, or "
                              "schedule a run on several devices");
  addRuns(command, arguments->files, ", in the order in which the kernels run").required();
  addLaunchOptions(command, arguments->launch);
  addDevicesOption(command, arguments->devices,
                   "Use these devices; one that is named twice is two cards");
  Option transfers =
      command
          .option("--transfers", &arguments->transfers,
                  "Share of the host transfers' time to add: 0 (all hidden) to 1 (all exposed)")
          .type("RATIO")
          .showDefault();
  addModelOptions(command, arguments->model);
  Option whole = command.flag("--whole-input", arguments->wholeInput,
                              "Send all of the input to every device, not only its share");
  Option dimension =
      command
          .option("--dimension", &arguments->dimension,
                  "Split along x, y or z (default: the slowest-varying one with enough "
                  "work-groups)")
          .oneOf({"x", "y", "z"});
  Option scheduled =
      command
          .flag("--schedule", arguments->schedule,
                "Simulate how the launches of one run would be scheduled, each on one device")
          .excludes({command.declared("--global"), command.declared("--local"), transfers, whole,
                     dimension});
  command
      .option("--process", &arguments->process,
              "Number of the process whose launches to schedule, if the run has several")
      .type("N")
      .needs(scheduled);
  command
      .option("-o,--output", &arguments->output,
              "Also write the schedules as a timeline for Perfetto, FILE.json")
      .type("FILE")
      .needs(scheduled);
  Option json = command.flag("--json", arguments->json, "Print JSON");
  command.flag("--csv", arguments->csv, "Print a CSV row per schedule and worker")
      .needs(scheduled)
      .excludes(json);
  command.examples({{"aiwc split profiles --devices i9-13900k,rtx4090", "a CPU beside a GPU"},
                    {"aiwc split profiles --devices rtx4090,rtx4090 --transfers 1 --json", ""},
                    {"aiwc split profiles --schedule --devices rtx4090,rtx4090 -o trace.json",
                     "two cards of one model"}});
  command.action([arguments] {
    if (arguments->schedule) {
      if (arguments->files.size() > 1)
        throw Misuse("--schedule takes one RUN");
      return schedule({.run = arguments->files.front(),
                       .launch = arguments->launch,
                       .devices = arguments->devices,
                       .model = arguments->model,
                       .process = arguments->process,
                       .output = arguments->output,
                       .json = arguments->json,
                       .csv = arguments->csv});
    }
    const SplitReport result = report(*arguments);
    print(arguments->json ? splitJson(result) : splitText(result));
  });
}

} // namespace aiwc::cli
