#include "timeline.h"

#include "schedule/run_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace aiwc::cli {

namespace {

constexpr double kSecondsPerNano = 1e-9;

/// A process of a run: the folder of the run, and the process's number.
using Process = std::pair<std::filesystem::path, uint64_t>;

Process processOf(const NamedProfile &named) {
  return {std::filesystem::path(named.file).parent_path(), named.launch.process};
}

/// The places of the launches, by process and number.
std::vector<size_t> inOrder(const std::vector<NamedProfile> &profiles) {
  std::vector<size_t> places(profiles.size());
  std::iota(places.begin(), places.end(), size_t{0});
  std::ranges::stable_sort(places, {}, [&](size_t place) {
    return std::pair(processOf(profiles[place]), profiles[place].launch.number);
  });
  return places;
}

/// Pairs of launches: the second reads what the first wrote.
std::vector<std::pair<size_t, size_t>> dependencesOf(const std::vector<NamedProfile> &profiles,
                                                     const std::vector<size_t> &places) {
  std::vector<std::pair<size_t, size_t>> dependences;
  std::map<std::pair<Process, uint64_t>, size_t> writers; // by allocation
  for (const size_t place : places) {
    const NamedProfile &named = profiles[place];
    const std::vector<schedule::Use> uses = schedule::usesOf(named.launch, named.profile->accesses);
    std::set<size_t> needed;
    for (const schedule::Use &use : uses)
      if (const auto writer = writers.find({processOf(named), use.allocation});
          use.reads && writer != writers.end())
        needed.insert(writer->second);
    for (const size_t writer : needed)
      dependences.emplace_back(writer, place);
    for (const schedule::Use &use : uses)
      if (use.writes)
        writers[{processOf(named), use.allocation}] = place;
  }
  return dependences;
}

/// `events`: of launches, by place. A launch that did not wait for what it reads needs nothing.
void addDependences(const std::vector<std::pair<size_t, size_t>> &dependences,
                    const std::map<size_t, size_t> &events, report::Timeline &timeline) {
  for (const auto &[from, to] : dependences) {
    if (!events.contains(from) || !events.contains(to))
      continue;
    const report::TimelineEvent &writer = timeline.events[events.at(from)];
    if (writer.begin + writer.seconds < timeline.events[events.at(to)].begin + kSecondsPerNano / 2)
      timeline.dependences.emplace_back(events.at(from), events.at(to));
  }
}

/// What a launch and the transfers before and after it take, in seconds; none: there is none.
struct Times {
  std::optional<double> launch, toDevice, toHost;
};

/// All launches of which `times`, by place, has the time.
report::Timeline timelineOf(std::string name, const std::vector<NamedProfile> &profiles,
                            const std::vector<size_t> &places,
                            const std::vector<std::pair<size_t, size_t>> &dependences,
                            const std::vector<Times> &times) {
  struct Tracks {
    size_t launches = 0, transfers = 0;
    double now = 0; ///< when what is there has ended
  };
  report::Timeline timeline{std::move(name), {}, {}, {}};
  std::map<Process, Tracks> ofProcess;
  for (const size_t place : places)
    ofProcess.try_emplace(processOf(profiles[place]));
  size_t number = 0;
  for (auto &[process, tracks] : ofProcess) {
    const std::string of =
        ofProcess.size() > 1 ? fmt::format(" of process {}", number++) : std::string();
    tracks.launches = timeline.tracks.size();
    timeline.tracks.push_back("launches" + of);
    tracks.transfers = timeline.tracks.size();
    timeline.tracks.push_back("transfers" + of);
  }
  std::map<size_t, size_t> events; // of launches, by place
  for (const size_t place : places) {
    const run::Launch &launch = profiles[place].launch;
    Tracks &tracks = ofProcess.at(processOf(profiles[place]));
    const auto transfer = [&](std::string what, const run::Transfers &transfers,
                              std::optional<double> seconds) {
      if (!seconds)
        return;
      timeline.events.push_back({tracks.transfers,
                                 std::move(what),
                                 "transfer",
                                 tracks.now,
                                 *seconds,
                                 {{"bytes", transfers.bytes}, {"transfers", transfers.transfers}}});
      tracks.now += *seconds;
    };
    if (!times[place].launch)
      continue;
    transfer("host to device", launch.hostToDevice, times[place].toDevice);
    events[place] = timeline.events.size();
    timeline.events.push_back({tracks.launches,
                               launch.kernel,
                               "launch",
                               tracks.now,
                               *times[place].launch,
                               {{"launch", launch.number}, {"invocation", launch.invocation}}});
    tracks.now += *times[place].launch;
    transfer("device to host", launch.deviceToHost, times[place].toHost);
  }
  addDependences(dependences, events, timeline);
  return timeline;
}

std::optional<double> secondsOf(const run::Transfers &transfers) {
  if (transfers.nanos == 0)
    return std::nullopt;
  return static_cast<double>(transfers.nanos) * kSecondsPerNano;
}

/// Whether it is known where each of the device's measured launches ran: not in old runs.
bool arePlaced(const std::vector<NamedProfile> &profiles, const std::string &device) {
  return std::ranges::all_of(profiles, [&](const NamedProfile &named) {
    const auto &measured = named.launch.measured;
    return !measured || measured->device != device || measured->place;
  });
}

/// What was measured on the device, when and in which queue it ran.
report::Timeline placedTimelineOf(const std::string &device,
                                  const std::vector<NamedProfile> &profiles,
                                  const std::vector<size_t> &places,
                                  const std::vector<std::pair<size_t, size_t>> &dependences) {
  struct Command {
    Process process;
    run::Place at;
    uint64_t endNanos = 0;
    report::TimelineEvent event;
    std::optional<size_t> launch; ///< by place
  };
  std::vector<Command> commands;
  for (const size_t place : places) {
    const run::Launch &launch = profiles[place].launch;
    if (!launch.measured || launch.measured->device != device)
      continue;
    const auto add = [&](const run::Place &at, uint64_t nanos, report::TimelineEvent event,
                         std::optional<size_t> of) {
      event.begin = static_cast<double>(at.startNanos) * kSecondsPerNano;
      event.seconds = static_cast<double>(nanos) * kSecondsPerNano;
      commands.push_back(
          {processOf(profiles[place]), at, at.startNanos + nanos, std::move(event), of});
    };
    for (const auto &[name, transfers] : {std::pair{"host to device", &launch.hostToDevice},
                                          {"device to host", &launch.deviceToHost}})
      for (const run::PlacedTransfer &one : transfers->placed)
        add(one.place, one.nanos,
            {.name = name, .category = "transfer", .counts = {{"bytes", one.bytes}}}, {});
    add(*launch.measured->place, launch.measured->nanos,
        {.name = launch.kernel,
         .category = "launch",
         .counts = {{"launch", launch.number}, {"invocation", launch.invocation}}},
        place);
  }
  std::ranges::stable_sort(commands, {}, [](const Command &one) {
    return std::tuple(one.process, one.at.queue, one.at.startNanos);
  });
  report::Timeline timeline{"measured on " + device, {}, {}, {}};
  std::map<Process, size_t> processes;
  for (const Command &one : commands)
    processes.try_emplace(one.process, processes.size());
  std::map<size_t, size_t> events; // of launches, by place
  // Commands of one queue may run at the same time, and those of a track may not.
  std::map<std::tuple<Process, uint64_t>, std::vector<std::pair<size_t, uint64_t>>> tracks;
  for (Command &one : commands) {
    auto &ofQueue = tracks[{one.process, one.at.queue}]; // and when their last command ends
    auto track = std::ranges::find_if(
        ofQueue, [&](const auto &known) { return known.second <= one.at.startNanos; });
    if (track == ofQueue.end()) {
      timeline.tracks.push_back(
          fmt::format("queue {}{}", one.at.queue,
                      processes.size() > 1 ? fmt::format(" of process {}", processes[one.process])
                                           : std::string()));
      track = ofQueue.insert(ofQueue.end(), {timeline.tracks.size() - 1, 0});
    }
    one.event.track = track->first;
    track->second = one.endNanos;
    if (one.launch)
      events[*one.launch] = timeline.events.size();
    timeline.events.push_back(std::move(one.event));
  }
  addDependences(dependences, events, timeline);
  return timeline;
}

/// By the name of the device in OpenCL, what was measured of the launches.
std::map<std::string, std::vector<Times>> measuredTimes(const std::vector<NamedProfile> &profiles) {
  std::map<std::string, std::vector<Times>> measured;
  for (size_t place = 0; place < profiles.size(); ++place) {
    const run::Launch &launch = profiles[place].launch;
    if (!launch.measured)
      continue;
    std::vector<Times> &times = measured[launch.measured->device];
    times.resize(profiles.size());
    times[place] = {static_cast<double>(launch.measured->nanos) * kSecondsPerNano,
                    secondsOf(launch.hostToDevice), secondsOf(launch.deviceToHost)};
  }
  return measured;
}

/// By place: where in Prediction::kernels the launch's kernel is.
std::vector<size_t> kernelsOf(std::span<const predict::Invocation> invocations) {
  std::map<std::pair<std::string_view, profile::KernelIdentity>, size_t> known;
  std::vector<size_t> kernels;
  for (const predict::Invocation &one : invocations)
    kernels.push_back(known.try_emplace({one.launch.kernel, profile::identityOf(one)}, known.size())
                          .first->second);
  return kernels;
}

/// The time of the traffic; none if there is none, if it is not known, or if the device works in
/// the host's memory.
std::optional<double> secondsOf(const predict::HostTraffic &traffic,
                                const predict::Invocation &invocation,
                                const predict::DeviceProfile &device) {
  const predict::CostModel &model = invocation.launch.model();
  const bool isInPlace = device.type == predict::DeviceType::kCpu ||
                         device.type == predict::DeviceType::kIntegratedGpu;
  if (isInPlace || traffic.transfers == 0 || !invocation.launch.traffic.unknown.empty() ||
      !model.missingForTransfers(traffic, device).empty())
    return std::nullopt;
  return model.transferSeconds(traffic, device);
}

std::vector<Times> predictedTimes(std::span<const predict::Invocation> invocations,
                                  const std::vector<size_t> &kernels,
                                  const predict::DevicePrediction &prediction) {
  const predict::DeviceProfile &device = prediction.candidate.device;
  std::vector<Times> times(invocations.size());
  std::vector<double> sums(prediction.kernels.size());
  for (size_t place = 0; place < invocations.size(); ++place) {
    const predict::CostedLaunch &launch = invocations[place].launch;
    if (!invocations[place].isLaunchedOn(device.type))
      continue;
    times[place] = {launch.cost(device).seconds,
                    secondsOf(launch.traffic.writes, invocations[place], device),
                    secondsOf(launch.traffic.reads, invocations[place], device)};
    sums[kernels[place]] += *times[place].launch;
  }
  for (size_t place = 0; place < invocations.size(); ++place) {
    const predict::Entry &kernel = prediction.kernels[kernels[place]];
    const double seconds =
        kernel.source == predict::TimeSource::kMeasured ? kernel.unconditioned : kernel.seconds;
    if (times[place].launch && sums[kernels[place]] > 0)
      *times[place].launch *= seconds / sums[kernels[place]];
  }
  return times;
}

} // namespace

std::vector<report::Timeline> timelinesOf(const std::vector<NamedProfile> &profiles,
                                          std::span<const predict::Invocation> invocations,
                                          const predict::Prediction &prediction) {
  const std::vector<size_t> places = inOrder(profiles);
  const auto dependences = dependencesOf(profiles, places);
  std::vector<report::Timeline> timelines;
  for (const auto &[device, times] : measuredTimes(profiles))
    timelines.push_back(
        arePlaced(profiles, device)
            ? placedTimelineOf(device, profiles, places, dependences)
            : timelineOf("measured on " + device, profiles, places, dependences, times));
  const std::vector<size_t> kernels = kernelsOf(invocations);
  for (const predict::DevicePrediction &one : prediction.devices)
    if (!one.ruledOut())
      timelines.push_back(timelineOf("predicted on " + one.candidate.device.id, profiles, places,
                                     dependences, predictedTimes(invocations, kernels, one)));
  return timelines;
}

} // namespace aiwc::cli
