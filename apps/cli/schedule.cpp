#include "schedule.h"

#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "inputs.h"
#include "predict/costed_launch.h"
#include "profile/json.h"
#include "run/folder.h"
#include "schedule/run_graph.h"
#include "schedule_output.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

/// The launches of one process, in order, each with a profile.
std::vector<run::Launch> launchesOf(const run::Run &run, const std::string &file,
                                    const std::optional<uint64_t> &process,
                                    const LaunchFilter &filter) {
  if (!run.finished())
    throw Error(fmt::format("{}: the run of '{}' has not ended, or was killed: expected a whole "
                            "run",
                            file, text::printable(run::commandLine(run))));
  std::set<uint64_t> processes;
  for (const run::Launch &launch : run.launches)
    processes.insert(launch.process);
  if (processes.empty())
    throw Error(fmt::format("{}: launched no kernel: expected one at least", file));
  if (!process && processes.size() > 1)
    throw Error(fmt::format("{}: has launches of {} processes: expected --process N, one of {}",
                            file, processes.size(), fmt::join(processes, ", ")));
  const uint64_t wanted = process.value_or(*processes.begin());
  if (!processes.contains(wanted))
    throw Error(fmt::format("aiwc split: --process {}: expected one of {}", wanted,
                            fmt::join(processes, ", ")));
  std::vector<run::Launch> launches;
  for (const run::Launch &launch : run.launches)
    if (launch.process == wanted)
      launches.push_back(launch);
  std::ranges::sort(launches, {}, &run::Launch::number);
  for (size_t i = 0; i < launches.size(); ++i) {
    if (launches[i].number != i)
      throw Error(
          fmt::format("{}: lacks launch {} of process {}: expected all launches", file, i, wanted));
    if (filter.selects(launches[i]) && !launches[i].hasProfile())
      throw Error(fmt::format("{}: launch {}, of {}, has no profile: expected a run of all kernels "
                              "and invocations",
                              file, i, text::printable(launches[i].kernel)));
  }
  std::erase_if(launches, [&](const run::Launch &launch) { return !filter.selects(launch); });
  if (launches.empty())
    throw Error(fmt::format("no profile{} in {}: expected one", filter.text(), file));
  return launches;
}

/// What is the same of all launches that a profile represents.
struct ProfiledWork {
  std::vector<double> seconds;                           ///< by device
  std::vector<std::optional<predict::Interval>> factors; ///< by device, of its errors
  std::optional<std::vector<profile::AccessRow>> accesses;
};

ProfiledWork workOf(const fs::path &file, const std::vector<predict::DeviceProfile> &devices,
                    const predict::CostModel &model) {
  const profile::KernelProfile profile = profile::readProfile(file);
  ProfiledWork work{{}, {}, profile.accesses};
  const std::string name = text::printable(file.string(), 4096);
  if (const std::string reason = model.whyNot(profile); !reason.empty())
    throw Error(name + ": " + reason);
  try {
    const predict::CostedLaunch launch(profile, model);
    for (const predict::DeviceProfile &device : devices) {
      const predict::Cost cost = launch.cost(device);
      work.seconds.push_back(cost.seconds);
      std::optional<predict::Interval> factors = model.interval(device, cost);
      if (factors)
        factors = predict::Interval{factors->low / cost.seconds, factors->high / cost.seconds};
      work.factors.push_back(factors);
    }
  } catch (const Error &error) {
    throw Error(name + ": " + error.what());
  }
  return work;
}

schedule::Errors errorsOf(const std::vector<predict::DeviceProfile> &devices) {
  schedule::Errors errors;
  std::map<std::string, size_t> kinds;
  for (const predict::DeviceProfile &device : devices)
    errors.deviceKinds.push_back(kinds.try_emplace(device.id, kinds.size()).first->second);
  errors.deviceKinds.push_back(kinds.size()); // the host
  return errors;
}

/// The file of the run. Other things that hold profiles do not say what their launches share.
fs::path runFileOf(const std::string &argument) {
  std::error_code ignored;
  const fs::path path = argument;
  if (fs::is_directory(path, ignored) ? run::contentOf(path).runs.empty()
                                      : !path.filename().string().starts_with("run")) {
    readRuns({argument}, LaunchFilter()); // says what is wrong with what is no run at all
    throw Error(fmt::format("{}: has profiles, but no run.json, which says in which order launches "
                            "came and what they share: expected the folder of one run",
                            text::printable(argument, 4096)));
  }
  return run::onlyRunOf(path);
}

ScheduleReport reportOf(const ScheduleArguments &arguments) {
  ScheduleReport report;
  const predict::DeviceLibrary library = loadDevices();
  report.devices = devicesWithRepeats(library, arguments.devices);
  const auto model = chosenModel(arguments.model);
  report.model = model->name();
  const fs::path file = runFileOf(arguments.run);
  const LaunchFilter filter(arguments.launch, "aiwc split");
  report.run = text::printable(file.string(), 4096);
  const run::Run run = run::readRun(file);
  report.command = run::commandLine(run);

  std::map<std::string, ProfiledWork> works; // by profile
  std::vector<schedule::LaunchTask> tasks;
  for (const run::Launch &launch : launchesOf(run, report.run, arguments.process, filter)) {
    auto work = works.find(launch.profile);
    if (work == works.end())
      work = works
                 .emplace(launch.profile,
                          workOf(file.parent_path() / launch.profile, report.devices, *model))
                 .first;
    tasks.push_back({launch.kernel, launch.invocation, work->second.seconds, work->second.factors,
                     schedule::usesOf(launch, work->second.accesses), launch.hostToDevice,
                     launch.deviceToHost});
    if (std::ranges::find(report.kernels, launch.kernel) == report.kernels.end())
      report.kernels.push_back(launch.kernel);
  }
  report.launches = tasks.size();
  report.graph = schedule::graphOf(tasks, report.devices, *model);
  schedule::check(report.graph);
  report.comparison = schedule::compare(report.graph, errorsOf(report.devices));
  return report;
}

} // namespace

void schedule(const ScheduleArguments &arguments) {
  if (!arguments.output.empty() && !arguments.output.ends_with(".json"))
    throw Error(fmt::format("aiwc split: -o {}: expected a name that ends in .json",
                            text::printable(arguments.output, 4096)));
  const ScheduleReport report = reportOf(arguments);
  if (!arguments.output.empty())
    writeOutput(arguments.output, scheduleTrace(report));
  print(arguments.json  ? scheduleJson(report)
        : arguments.csv ? scheduleCsv(report)
                        : scheduleText(report));
}

} // namespace aiwc::cli
