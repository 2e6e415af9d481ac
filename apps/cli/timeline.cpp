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
  for (const auto &[from, to] : dependences)
    if (events.contains(from) && events.contains(to))
      timeline.dependences.emplace_back(events.at(from), events.at(to));
  return timeline;
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
  for (const auto &[device, times] : measuredTimes(profiles))
    timelines.push_back(timelineOf("measured on " + device, profiles, places, dependences, times));
  const std::vector<size_t> kernels = kernelsOf(invocations);
  for (const predict::DevicePrediction &one : prediction.devices)
    if (!one.ruledOut())
      timelines.push_back(timelineOf("predicted on " + one.candidate.device.id, profiles, places,
                                     dependences, predictedTimes(invocations, kernels, one)));
  return timelines;
}

} // namespace aiwc::cli
