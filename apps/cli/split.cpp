#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "embedded.h"
#include "inputs.h"
#include "invocations.h"
#include "models.h"
#include "predict/mapping.h"
#include "predict/report.h"
#include "profile/kernel_words.h"
#include "schedule.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::cli {

namespace {

struct SplitReport {
  std::string model;
  predict::SplitOptions options;
  std::vector<predict::DeviceProfile> devices;
  std::vector<LeftOut> leftOut; ///< devices excluded when the user asked for "all"
  std::vector<NamedProfile> profiles;
  std::vector<predict::Split> splits;        ///< one per profile
  std::optional<predict::Mappings> mappings; ///< if there is more than one profile
};

using Json = nlohmann::ordered_json;
constexpr double kMicro = 1e6;

/// `seconds`, and how much longer than `best` that is.
std::string compared(double seconds, double best) {
  return fmt::format("{} ({:.2g}x)", predict::duration(seconds), best > 0 ? seconds / best : 1);
}

std::string sizeList(const profile::Size3 &size, uint32_t dimensions) {
  return fmt::format("{}", fmt::join(std::span(size).first(dimensions), ","));
}

std::string title(const NamedProfile &named) {
  const profile::Provenance &provenance = named.profile->provenance;
  return fmt::format("{}, {}, invocation {}", text::printable(named.file, 4096),
                     text::printable(provenance.kernel, 60), provenance.invocation);
}

/// Of the launch `index`, which represents `represented` launches.
std::string splitTable(const SplitReport &report, size_t index, size_t represented) {
  const NamedProfile &named = report.profiles[index];
  const profile::Provenance &provenance = named.profile->provenance;
  const predict::Split &split = report.splits[index];
  const auto inWords = [&](std::string sentence) {
    return profile::inWordsOf(provenance.sourceKind, std::move(sentence));
  };
  std::string text = fmt::format(
      "{}{}: {}", title(named),
      represented > 1 ? fmt::format(", the longest of {} that it represents", represented) : "",
      inWords(fmt::format("{} work-group{} of {}, split along {}\n", split.workGroups,
                          split.workGroups == 1 ? "" : "s",
                          sizeList(provenance.localSize, provenance.workDim),
                          "xyz"[split.dimension])));
  constexpr std::string_view kRow = "  {:<24} {:>12} {:>8} {:>18} {:>18} {:>12}\n";
  text += fmt::format(fmt::runtime(kRow), "device", inWords("work-groups"), "share",
                      "global offset", "global size", "ends after");
  for (size_t i = 0; i < report.devices.size(); ++i) {
    const predict::Share &share = split.best.shares[i];
    const bool some = share.workGroups > 0;
    text += fmt::format(fmt::runtime(kRow), report.devices[i].id, share.workGroups,
                        fmt::format("{:.1f} %", 100 * static_cast<double>(share.workGroups) /
                                                    static_cast<double>(split.workGroups)),
                        some ? sizeList(share.globalOffset, provenance.workDim) : "-",
                        some ? sizeList(share.globalSize, provenance.workDim) : "-",
                        some ? predict::duration(share.finishSeconds) : "-");
  }
  const double best = split.best.makespanSeconds;
  return text + fmt::format("  all done after {}; evenly split {}; {} alone {}\n",
                            predict::duration(best), compared(split.even.makespanSeconds, best),
                            report.devices[split.bestSingle].id,
                            compared(split.singleSeconds, best));
}

/// A row for each stretch of kernels on one device.
std::string mappingTable(const SplitReport &report) {
  const predict::Mappings &mappings = *report.mappings;
  const auto &steps = mappings.best.steps;
  std::string text =
      fmt::format("the {} kernels one after the other, each on one device\n", steps.size());
  constexpr std::string_view kRow = "  {:<24} {:>12} {:>12} {:>12}  {}\n";
  text += fmt::format(fmt::runtime(kRow), "device", "kernels", "their time", "moving data", "from");
  for (size_t first = 0, end = 0; first < steps.size(); first = end) {
    double seconds = 0;
    for (end = first; end < steps.size() && steps[end].device == steps[first].device; ++end)
      seconds += steps[end].kernelSeconds;
    text +=
        fmt::format(fmt::runtime(kRow), report.devices[steps[first].device].id, end - first,
                    predict::duration(seconds), predict::duration(steps[first].migrationSeconds),
                    title(report.profiles[first]));
  }
  const double best = mappings.best.seconds;
  return text + fmt::format("  all done after {}; {} alone {}; each where it is fastest {}\n",
                            predict::duration(best),
                            report.devices[mappings.bestSingle.steps.front().device].id,
                            compared(mappings.bestSingle.seconds, best),
                            compared(mappings.eachFastest.seconds, best));
}

Json identity(const NamedProfile &named) {
  return {{"file", named.file},
          {"kernel", named.profile->provenance.kernel},
          {"invocation", named.profile->provenance.invocation}};
}

Json planJson(const SplitReport &report, const predict::Split &split, const predict::Plan &plan) {
  Json shares = Json::array();
  for (size_t i = 0; i < plan.shares.size(); ++i) {
    const predict::Share &share = plan.shares[i];
    shares.push_back(
        {{"device", report.devices[i].id},
         {"work_groups", share.workGroups},
         {"share", static_cast<double>(share.workGroups) / static_cast<double>(split.workGroups)},
         {"global_offset", share.globalOffset},
         {"global_size", share.globalSize},
         {"finish_us", share.finishSeconds * kMicro}});
  }
  return shares;
}

Json oneJson(const SplitReport &report, size_t index) {
  const profile::Provenance &provenance = report.profiles[index].profile->provenance;
  const predict::Split &split = report.splits[index];
  Json json = identity(report.profiles[index]);
  json["work_dim"] = provenance.workDim;
  json["local_size"] = provenance.localSize;
  json["work_groups"] = split.workGroups;
  json["dimension"] = std::string(1, "xyz"[split.dimension]);
  json["makespan_us"] = split.best.makespanSeconds * kMicro;
  json["shares"] = planJson(report, split, split.best);
  json["even"] = {{"makespan_us", split.even.makespanSeconds * kMicro},
                  {"shares", planJson(report, split, split.even)}};
  json["best_single"] = {{"device", report.devices[split.bestSingle].id},
                         {"makespan_us", split.singleSeconds * kMicro}};
  return json;
}

Json mappingJson(const SplitReport &report) {
  if (!report.mappings)
    return nullptr;
  const predict::Mappings &mappings = *report.mappings;
  Json steps = Json::array();
  for (size_t i = 0; i < mappings.best.steps.size(); ++i) {
    const predict::Mapping::Step &step = mappings.best.steps[i];
    Json json = identity(report.profiles[i]);
    json["device"] = report.devices[step.device].id;
    json["kernel_us"] = step.kernelSeconds * kMicro;
    json["migration_us"] = step.migrationSeconds * kMicro;
    steps.push_back(std::move(json));
  }
  return {{"total_us", mappings.best.seconds * kMicro},
          {"steps", std::move(steps)},
          {"best_single",
           {{"device", report.devices[mappings.bestSingle.steps.front().device].id},
            {"total_us", mappings.bestSingle.seconds * kMicro}}},
          {"each_fastest", {{"total_us", mappings.eachFastest.seconds * kMicro}}}};
}

/// The launches by kind, in the order of the first of each.
std::vector<std::vector<size_t>> splitsByKind(const SplitReport &report) {
  std::vector<std::vector<size_t>> groups;
  std::map<std::string, size_t> places;
  for (size_t i = 0; i < report.splits.size(); ++i) {
    const auto [place, isNew] =
        places.emplace(run::workOf(report.profiles[i].launch), groups.size());
    if (isNew)
      groups.emplace_back();
    groups[place->second].push_back(i);
  }
  return groups;
}

std::string splitText(const SplitReport &report) {
  std::string text;
  for (const std::vector<size_t> &represented : splitsByKind(report)) {
    const size_t longest = *std::ranges::max_element(
        represented, {}, [&](size_t index) { return report.splits[index].best.makespanSeconds; });
    text += (text.empty() ? "" : "\n") + splitTable(report, longest, represented.size());
  }
  if (report.mappings)
    text += "\n" + mappingTable(report);
  for (const LeftOut &device : report.leftOut)
    text += fmt::format("left out: {}, whose file has no {}\n", device.device, device.lacks);
  return text;
}

std::string splitJson(const SplitReport &report) {
  Json devices = Json::array();
  for (const predict::DeviceProfile &device : report.devices)
    devices.push_back(device.id);
  Json leftOut = Json::array();
  for (const LeftOut &device : report.leftOut)
    leftOut.push_back({{"device", device.device}, {"lacks", device.lacks}});
  Json splits = Json::array();
  for (size_t i = 0; i < report.splits.size(); ++i)
    splits.push_back(oneJson(report, i));
  const Json json = {{"model", report.model},
                     {"transfers", report.options.transfers.exposed},
                     {"whole_input", report.options.transfers.wholeInput},
                     {"devices", std::move(devices)},
                     {"left_out", std::move(leftOut)},
                     {"splits", std::move(splits)},
                     {"mapping", mappingJson(report)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

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
  command.flag("--json", arguments->json, "Print JSON");
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
                       .json = arguments->json});
    }
    const SplitReport result = report(*arguments);
    print(arguments->json ? splitJson(result) : splitText(result));
  });
}

} // namespace aiwc::cli
