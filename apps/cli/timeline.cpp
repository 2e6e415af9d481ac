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

/// A launch or transfer, on a row of its process: the row's place and name.
struct RanCommand {
  Process process;
  std::pair<uint64_t, std::string> row;
  report::TimelineEvent event;
  std::optional<size_t> launch = {}; ///< its place; none: a transfer
};

report::TimelineEvent launchEvent(const run::Launch &launch) {
  return {.name = launch.kernel,
          .category = "launch",
          .counts = {{"launch", launch.number}, {"invocation", launch.invocation}}};
}

report::TimelineEvent transferEvent(bool isToHost, uint64_t bytes, uint64_t transfers) {
  return {.name = isToHost ? "device to host" : "host to device",
          .category = "transfer",
          .counts = {{"bytes", bytes}, {"transfers", transfers}}};
}

/// What runs on a row at the same time has rows of its own, since events of a track may not
/// overlap.
report::Timeline drawn(std::string name, std::vector<RanCommand> commands,
                       const std::vector<std::pair<size_t, size_t>> &dependences) {
  constexpr double kRounding = kSecondsPerNano / 2;
  std::ranges::stable_sort(commands, {}, [](const RanCommand &one) {
    return std::tuple(one.process, one.row.first, one.event.begin);
  });
  report::Timeline timeline{std::move(name), {}, {}, {}};
  std::map<Process, size_t> processes;
  for (const RanCommand &one : commands)
    processes.try_emplace(one.process, processes.size());
  std::map<std::pair<Process, uint64_t>, std::vector<std::pair<size_t, double>>> tracks; // and ends
  std::map<size_t, size_t> events; // of launches, by place
  for (RanCommand &one : commands) {
    auto &ofRow = tracks[{one.process, one.row.first}];
    auto track = std::ranges::find_if(
        ofRow, [&](const auto &known) { return known.second < one.event.begin + kRounding; });
    if (track == ofRow.end()) {
      const std::string of = processes.size() > 1
                                 ? fmt::format(" of process {}", processes[one.process])
                                 : std::string();
      track = ofRow.insert(ofRow.end(), {timeline.tracks.size(), 0});
      timeline.tracks.push_back(one.row.second + of);
    }
    one.event.track = track->first;
    track->second = one.event.begin + one.event.seconds;
    if (one.launch)
      events[*one.launch] = timeline.events.size();
    timeline.events.push_back(std::move(one.event));
  }
  for (const auto &[from, to] : dependences) {
    if (!events.contains(from) || !events.contains(to))
      continue;
    const report::TimelineEvent &writer = timeline.events[events.at(from)];
    // A launch that did not wait for what it reads has no arrow.
    if (writer.begin + writer.seconds < timeline.events[events.at(to)].begin + kRounding)
      timeline.dependences.emplace_back(events.at(from), events.at(to));
  }
  return timeline;
}

/// What a launch and the transfers before and after it take, in seconds; none: there is none.
struct Times {
  std::optional<double> launch, toDevice, toHost;
};

/// All launches of which `times`, by place, has the time.
std::vector<RanCommand> oneAfterAnother(const std::vector<NamedProfile> &profiles,
                                        const std::vector<size_t> &places,
                                        const std::vector<Times> &times) {
  std::vector<RanCommand> commands;
  std::map<Process, double> ends;
  const auto add = [&](RanCommand command, double seconds) {
    double &end = ends[command.process];
    command.event.begin = end;
    command.event.seconds = seconds;
    end += seconds;
    commands.push_back(std::move(command));
  };
  for (const size_t place : places) {
    const NamedProfile &named = profiles[place];
    if (!times[place].launch)
      continue;
    const auto transfer = [&](bool isToHost, const run::Transfers &of, std::optional<double> time) {
      if (time)
        add({processOf(named), {1, "transfers"}, transferEvent(isToHost, of.bytes, of.transfers)},
            *time);
    };
    transfer(false, named.launch.hostToDevice, times[place].toDevice);
    add({processOf(named), {0, "launches"}, launchEvent(named.launch), place},
        *times[place].launch);
    transfer(true, named.launch.deviceToHost, times[place].toHost);
  }
  return commands;
}

/// What was measured on the device, when and in which queue it ran; none if a launch does not say
/// that, as in old runs.
std::optional<std::vector<RanCommand>> placed(const std::vector<NamedProfile> &profiles,
                                              const std::vector<size_t> &places,
                                              const std::string &device) {
  std::vector<RanCommand> commands;
  for (const size_t place : places) {
    const NamedProfile &named = profiles[place];
    const auto &measured = named.launch.measured;
    if (!measured || measured->device != device)
      continue;
    if (!measured->place)
      return std::nullopt;
    const auto add = [&](report::TimelineEvent event, const run::Place &at, uint64_t nanos,
                         std::optional<size_t> of) {
      event.begin = static_cast<double>(at.startNanos) * kSecondsPerNano;
      event.seconds = static_cast<double>(nanos) * kSecondsPerNano;
      commands.push_back(
          {processOf(named), {at.queue, fmt::format("queue {}", at.queue)}, std::move(event), of});
    };
    add(launchEvent(named.launch), *measured->place, measured->nanos, place);
    for (const bool isToHost : {false, true})
      for (const run::PlacedTransfer &one :
           (isToHost ? named.launch.deviceToHost : named.launch.hostToDevice).placed)
        add(transferEvent(isToHost, one.bytes, 1), one.place, one.nanos, {});
  }
  return commands;
}

std::optional<double> secondsOf(const run::Transfers &transfers) {
  if (transfers.nanos == 0)
    return std::nullopt;
  return static_cast<double>(transfers.nanos) * kSecondsPerNano;
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
  for (const auto &[device, times] : measuredTimes(profiles)) {
    auto commands = placed(profiles, places, device);
    timelines.push_back(drawn(
        "measured on " + device,
        commands ? std::move(*commands) : oneAfterAnother(profiles, places, times), dependences));
  }
  const std::vector<size_t> kernels = kernelsOf(invocations);
  for (const predict::DevicePrediction &one : prediction.devices)
    if (!one.ruledOut())
      timelines.push_back(
          drawn("predicted on " + one.candidate.device.id,
                oneAfterAnother(profiles, places, predictedTimes(invocations, kernels, one)),
                dependences));
  return timelines;
}

} // namespace aiwc::cli
