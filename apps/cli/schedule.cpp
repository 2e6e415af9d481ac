#include "schedule.h"

#include "command.h"
#include "command_line/output.h"
#include "common/error.h"
#include "inputs.h"
#include "predict/costed_launch.h"
#include "predict/device_profile.h"
#include "predict/report.h"
#include "profile/json.h"
#include "run/folder.h"
#include "schedule/comparison.h"
#include "schedule/run_graph.h"
#include "text/json_text.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace aiwc::cli {

namespace {

/// Something that takes time on a track.
struct TimelineEvent {
  size_t track = 0;
  std::string name;
  std::string category; ///< "launch" or "transfer"
  double begin = 0;     ///< seconds from the begin of the timeline
  double seconds = 0;   ///< how long it takes
  std::vector<std::pair<std::string, uint64_t>> counts = {}; ///< such as "bytes", shown with it
};

/// A source of times, such as "measured on PoCL": a process of the format, whose threads are the
/// tracks.
struct Timeline {
  std::string name;
  std::vector<std::string> tracks;
  std::vector<TimelineEvent> events;
  /// Pairs of events, by their places: the second begins after the first has ended, and needs what
  /// that made.
  std::vector<std::pair<size_t, size_t>> dependences;
};

using text::JsonList;
constexpr double kMicrosPerSecond = 1e6;

/// An event of the format, of which `begin` has written what all phases have.
class Event {
public:
  Event(JsonList &events, std::string_view phase, std::string_view name, size_t process,
        size_t thread)
      : object_(events.next(), JsonList::Kind::kObject) {
    object_.member("ph", phase);
    object_.member("name", name);
    object_.member("pid", uint64_t{process});
    object_.member("tid", uint64_t{thread});
  }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { object_.close(); }

  void micros(std::string_view key, double seconds) {
    object_.next(key) += fmt::format("{}", seconds * kMicrosPerSecond);
  }
  JsonList &object() { return object_; }

private:
  JsonList object_;
};

void name(JsonList &events, std::string_view what, size_t process, size_t thread,
          std::string_view text) {
  Event event(events, "M", what, process, thread);
  JsonList arguments(event.object().next("args"), JsonList::Kind::kObject);
  arguments.member("name", text);
  arguments.close();
}

void addEvent(JsonList &events, const TimelineEvent &one, size_t process) {
  Event event(events, "X", one.name, process, one.track + 1);
  event.object().member("cat", one.category);
  event.micros("ts", one.begin);
  event.micros("dur", one.seconds);
  JsonList arguments(event.object().next("args"), JsonList::Kind::kObject);
  for (const auto &[key, count] : one.counts)
    arguments.member(key, count);
  arguments.close();
}

/// An arrow ends where an event begins, and starts inside of one: the format takes the event that
/// goes on at this time.
void addDependence(JsonList &events, const TimelineEvent &from, const TimelineEvent &to,
                   size_t process, uint64_t id) {
  constexpr std::string_view kName = "needs";
  for (const bool isEnd : {false, true}) {
    const TimelineEvent &at = isEnd ? to : from;
    Event event(events, isEnd ? "f" : "s", kName, process, at.track + 1);
    event.object().member("cat", "dependence");
    event.object().member("id", id);
    if (isEnd)
      event.object().member("bp", "e"); // of the event that goes on, not of the next one
    event.micros("ts", isEnd ? at.begin : at.begin + at.seconds / 2);
  }
}

/// A JSON object with the member `traceEvents`: names of processes and threads (phase M), then a
/// complete event (X) for each event, then the two ends (s, f) of an arrow for each dependence.
/// Times are in microseconds.
std::string traceJson(std::span<const Timeline> timelines) {
  std::string text;
  JsonList object(text, JsonList::Kind::kObject, 0);
  object.member("displayTimeUnit", std::string_view("ns"));
  JsonList events(object.next("traceEvents"), JsonList::Kind::kArray, 2);
  uint64_t arrows = 0;
  for (size_t i = 0; i < timelines.size(); ++i) {
    const Timeline &timeline = timelines[i];
    const size_t process = i + 1; // 0 has a meaning of its own in some readers
    name(events, "process_name", process, 0, timeline.name);
    for (size_t track = 0; track < timeline.tracks.size(); ++track)
      name(events, "thread_name", process, track + 1, timeline.tracks[track]);
    for (const TimelineEvent &event : timeline.events)
      addEvent(events, event, process);
    for (const auto &[from, to] : timeline.dependences)
      addDependence(events, timeline.events[from], timeline.events[to], process, ++arrows);
  }
  events.close();
  object.close();
  return text + "\n";
}

struct ScheduleReport {
  std::string run; ///< its file
  std::string command;
  std::string model;
  std::vector<predict::DeviceProfile> devices; ///< the workers of the graph, but for the host
  std::vector<std::string> kernels;            ///< by kind of task, less one
  size_t launches = 0;
  schedule::Graph graph;
  schedule::Comparison comparison;
};

using Json = nlohmann::ordered_json;
constexpr std::string_view kOneDevice = "single";

size_t hostReadsOf(const ScheduleReport &report) {
  return report.graph.tasks.size() - report.launches;
}

/// The workers that are devices: "gtx1080", or "gtx1080 1" and "gtx1080 2" if there are two.
std::vector<std::string> workerNames(const ScheduleReport &report) {
  std::map<std::string, size_t> all, so;
  for (const predict::DeviceProfile &device : report.devices)
    ++all[device.id];
  std::vector<std::string> names;
  for (const predict::DeviceProfile &device : report.devices)
    names.push_back(all[device.id] > 1 ? fmt::format("{} {}", device.id, ++so[device.id])
                                       : device.id);
  return names;
}

std::string titleOf(const ScheduleReport &report, const schedule::Entry &entry) {
  return entry.only ? report.devices[*entry.only].id + " alone"
                    : std::string(schedule::name(entry.policy));
}

std::string_view policyOf(const schedule::Entry &entry) {
  return entry.only ? kOneDevice : schedule::name(entry.policy);
}

double busyShare(const schedule::Entry &entry, size_t worker) {
  const schedule::Schedule &schedule = entry.schedule;
  return schedule.makespan > 0 ? schedule.busy[worker] / schedule.makespan : 0;
}

size_t tasksOn(const schedule::Entry &entry, size_t worker) {
  return static_cast<size_t>(
      std::ranges::count(entry.schedule.placements, worker, &schedule::Placement::worker));
}

const schedule::Entry &bestSingle(const ScheduleReport &report) {
  const schedule::Entry *best = nullptr;
  for (const schedule::Entry &entry : report.comparison.entries)
    if (entry.only && (!best || entry.schedule.makespan < best->schedule.makespan))
      best = &entry;
  return *best;
}

std::string bytes(double count) {
  for (const auto &[unit, size] : {std::pair("GB", 1e9), {"MB", 1e6}, {"kB", 1e3}})
    if (count >= 0.9995 * size)
      return fmt::format("{:.3g} {}", count / size, unit);
  return fmt::format("{:.0f} B", count);
}

std::string headline(const ScheduleReport &report) {
  return fmt::format("{} of {} and {} of the host on {}", text::counted(report.launches, "launch"),
                     text::counted(report.kernels.size(), "kernel"),
                     text::counted(hostReadsOf(report), "read"),
                     fmt::join(workerNames(report), ", "));
}

std::string boundsLine(const ScheduleReport &report) {
  const schedule::Bounds &bounds = report.comparison.bounds;
  return fmt::format("no schedule ends before {}: critical path {}, work divided by devices {}",
                     predict::duration(std::max(bounds.criticalPath, bounds.work)),
                     predict::duration(bounds.criticalPath), predict::duration(bounds.work));
}

Json intervalJson(const schedule::Entry &entry) {
  if (!entry.interval)
    return nullptr;
  return {entry.interval->low * kMicrosPerSecond, entry.interval->high * kMicrosPerSecond};
}

Json entryJson(const ScheduleReport &report, const schedule::Entry &entry) {
  const schedule::Schedule &schedule = entry.schedule;
  Json json = {{"policy", policyOf(entry)},
               {"device", entry.only ? Json(report.devices[*entry.only].id) : Json(nullptr)},
               {"makespan_us", schedule.makespan * kMicrosPerSecond},
               {"interval_us", intervalJson(entry)},
               {"first_in", report.comparison.samples > 0 ? Json(entry.firstIn) : Json(nullptr)},
               {"bytes_moved", schedule.bytesMoved}};
  json["workers"] = Json::array();
  for (size_t worker = 0; worker < report.devices.size(); ++worker)
    json["workers"].push_back({{"device", report.devices[worker].id},
                               {"launches", tasksOn(entry, worker)},
                               {"busy_us", schedule.busy[worker] * kMicrosPerSecond},
                               {"busy_share", busyShare(entry, worker)}});
  json["tasks"] = Json::array();
  for (size_t task = 0; task < schedule.placements.size(); ++task) {
    const schedule::Placement &placement = schedule.placements[task];
    const bool host = placement.worker == report.devices.size();
    json["tasks"].push_back({{"task", report.graph.tasks[task].name},
                             {"worker", host ? Json("host") : Json(placement.worker)},
                             {"begin_us", placement.begin * kMicrosPerSecond},
                             {"end_us", placement.end * kMicrosPerSecond}});
  }
  json["transfers"] = Json::array();
  for (const schedule::Transfer &transfer : schedule.transfers) {
    const auto worker =
        std::ranges::find(report.graph.workers, transfer.memory, &schedule::Worker::memory);
    json["transfers"].push_back({{"worker", worker - report.graph.workers.begin()},
                                 {"direction", transfer.toHost ? "to_host" : "to_device"},
                                 {"task", report.graph.tasks[transfer.task].name},
                                 {"bytes", transfer.bytes},
                                 {"begin_us", transfer.begin * kMicrosPerSecond},
                                 {"end_us", transfer.end * kMicrosPerSecond}});
  }
  return json;
}

std::string scheduleText(const ScheduleReport &report) {
  const schedule::Comparison &comparison = report.comparison;
  const std::vector<std::string> names = workerNames(report);
  std::string text = fmt::format("{}: {}\n", report.run, headline(report));
  size_t width = 6;
  for (const schedule::Entry &entry : comparison.entries)
    width = std::max(width, titleOf(report, entry).size());
  const double single = bestSingle(report).schedule.makespan;
  text += fmt::format("  {:<{}}  {:>9}", "policy", width, "ends after");
  if (comparison.samples > 0)
    text += fmt::format("  {:>18}  {:>8}", "80 % interval", "first in");
  text += fmt::format("  {:>8}  {:>9}", "speed-up", "moved");
  for (const std::string &name : names)
    text += fmt::format("  {:>{}}", name + " busy", std::max<size_t>(name.size() + 5, 11));
  text += '\n';
  for (const schedule::Entry &entry : comparison.entries) {
    text += fmt::format("  {:<{}}  {:>10}", titleOf(report, entry), width,
                        predict::duration(entry.schedule.makespan));
    if (entry.interval)
      text += fmt::format("  {:>18}  {:>8}",
                          predict::duration(entry.interval->low) + " to " +
                              predict::duration(entry.interval->high),
                          fmt::format("{:.0f} %", 100 * entry.firstIn));
    text += fmt::format("  {:>8}  {:>9}",
                        entry.schedule.makespan > 0
                            ? fmt::format("{:.2f}x", single / entry.schedule.makespan)
                            : "-",
                        bytes(entry.schedule.bytesMoved));
    for (size_t worker = 0; worker < names.size(); ++worker)
      text += fmt::format("  {:>{}}", fmt::format("{:.0f} %", 100 * busyShare(entry, worker)),
                          std::max<size_t>(names[worker].size() + 5, 11));
    text += '\n';
  }
  text += fmt::format("  {}\n", boundsLine(report));
  if (comparison.samples > 0)
    text +=
        fmt::format("  speed-up: over the best single device; intervals and first places: of {} "
                    "samples of the model's errors\n",
                    comparison.samples);
  else
    text += "  speed-up: over the best single device; the model does not know its errors\n";
  return text;
}

std::string scheduleJson(const ScheduleReport &report) {
  const schedule::Comparison &comparison = report.comparison;
  Json devices = Json::array();
  for (const predict::DeviceProfile &device : report.devices)
    devices.push_back(device.id);
  Json schedules = Json::array();
  for (const schedule::Entry &entry : comparison.entries)
    schedules.push_back(entryJson(report, entry));
  const Json json = {{"run", report.run},
                     {"command", report.command},
                     {"model", report.model},
                     {"devices", std::move(devices)},
                     {"launches", report.launches},
                     {"host_reads", hostReadsOf(report)},
                     {"critical_path_us", comparison.bounds.criticalPath * kMicrosPerSecond},
                     {"work_per_device_us", comparison.bounds.work * kMicrosPerSecond},
                     {"samples", comparison.samples},
                     {"schedules", std::move(schedules)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Timeline timelineOf(const ScheduleReport &report, const schedule::Entry &entry,
                    const std::vector<std::vector<size_t>> &predecessors) {
  const schedule::Graph &graph = report.graph;
  Timeline timeline{"simulated: " + titleOf(report, entry), workerNames(report), {}, {}};
  timeline.tracks.emplace_back("host");
  const size_t links = timeline.tracks.size() - 1; // the host's memory, which comes first, has none
  for (size_t memory = 1; memory < graph.memories; ++memory) {
    const auto worker = std::ranges::find(graph.workers, memory, &schedule::Worker::memory);
    timeline.tracks.push_back("transfers of " +
                              timeline.tracks[static_cast<size_t>(worker - graph.workers.begin())]);
  }
  for (size_t task = 0; task < entry.schedule.placements.size(); ++task) {
    const schedule::Placement &placement = entry.schedule.placements[task];
    timeline.events.push_back({placement.worker, graph.tasks[task].name,
                               graph.workers[placement.worker].host ? "host" : "launch",
                               placement.begin, placement.end - placement.begin});
    for (const size_t before : predecessors[task])
      timeline.dependences.emplace_back(before, task);
  }
  for (const schedule::Transfer &transfer : entry.schedule.transfers) {
    const size_t event = timeline.events.size();
    timeline.events.push_back({links + transfer.memory,
                               transfer.toHost ? "device to host" : "host to device",
                               "transfer",
                               transfer.begin,
                               transfer.end - transfer.begin,
                               {{"bytes", static_cast<uint64_t>(transfer.bytes)}}});
    if (const std::optional<size_t> producer = graph.data[transfer.datum].producer)
      timeline.dependences.emplace_back(*producer, event);
    timeline.dependences.emplace_back(event, transfer.task);
  }
  return timeline;
}

/// A timeline of each schedule, with its workers and links as tracks.
std::string scheduleTrace(const ScheduleReport &report) {
  const auto predecessors = schedule::predecessorsOf(report.graph);
  std::vector<Timeline> timelines;
  for (const schedule::Entry &entry : report.comparison.entries)
    timelines.push_back(timelineOf(report, entry, predecessors));
  return traceJson(timelines);
}

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
  print(arguments.json ? scheduleJson(report) : scheduleText(report));
}

} // namespace aiwc::cli
