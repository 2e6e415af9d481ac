#include "measured_times.h"

#include "common/error.h"
#include "run/folder.h"
#include "text/text.h"
#include "train/training_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *kTimes = "times.csv";

} // namespace

MeasuredTimes::MeasuredTimes(const std::vector<NamedProfile> &profiles,
                             const predict::DeviceLibrary &library, const MeasuredSources &sources)
    : ofLaunches_(profiles.size()),
      device_(sources.device.empty() ? "" : library[sources.device].id) {
  std::set<fs::path> folders;
  for (const NamedProfile &named : profiles)
    if (named.fromFolder)
      folders.insert(fs::path(named.file).parent_path());
  std::error_code ignored;
  for (const fs::path &folder : folders)
    if (fs::exists(folder / kTimes, ignored))
      read(folder / kTimes, library);
  for (size_t i = 0; i < profiles.size(); ++i)
    take(i, profiles[i].launch, library);
  for (const std::string &name : sources.runs) {
    const fs::path file = run::onlyRunOf(name);
    const run::Run run = run::readRun(file);
    if (std::ranges::none_of(run.launches,
                             [](const run::Launch &launch) { return launch.measured.has_value(); }))
      throw Error(fmt::format("{}: has no measured launches: expected a run of aiwc attach",
                              file.string()));
    requireKnownDevice(run, file, library);
    takeInOrder(profiles, run.launches, library);
  }
  std::set<predict::Clock> clocks;
  for (const auto &[file, times] : times_)
    for (const Time &time : times)
      clocks.insert(time.clock);
  for (const std::vector<Time> &times : ofLaunches_)
    for (const Time &time : times)
      clocks.insert(time.clock);
  if (clocks.size() == 1)
    clock_ = *clocks.begin();
}

void MeasuredTimes::read(const fs::path &file, const predict::DeviceLibrary &library) {
  for (const train::TimeRow &row : train::readTimes(file, library)) {
    if (!row.doubt.empty())
      continue;
    double launches = 0;
    for (const auto &[name, count] : row.profiles)
      launches += count;
    constexpr double kMicros = 1e-6;
    for (const auto &[name, count] : row.profiles)
      times_[(file.parent_path() / name).lexically_normal()].push_back(
          {row.device, row.micros * kMicros / launches, row.clock});
  }
}

void MeasuredTimes::requireKnownDevice(const run::Run &run, const fs::path &file,
                                       const predict::DeviceLibrary &library) const {
  std::set<std::string> names;
  for (const run::Launch &launch : run.launches)
    if (launch.measured)
      names.insert(text::printable(launch.measured->device, 60));
  if (device_.empty() && std::ranges::none_of(run.launches, [&](const run::Launch &launch) {
        return launch.measured && library.match(launch.measured->device);
      }))
    throw Error(fmt::format("{}: was measured on {}, which no device file describes: expected "
                            "--measured-on ID of the nearest device, or a file of it by "
                            "aiwc --device-dir (aiwc devices measure writes one)",
                            file.string(), fmt::join(names, " and ")));
}

std::string MeasuredTimes::deviceOf(const run::DeviceTime &measured,
                                    const predict::DeviceLibrary &library) {
  if (!device_.empty())
    return device_;
  if (const predict::DeviceProfile *device = library.match(measured.device))
    return device->id;
  unknownDevices_.insert(measured.device);
  return "";
}

void MeasuredTimes::take(size_t profile, const run::Launch &launch,
                         const predict::DeviceLibrary &library) {
  if (!launch.measured || launch.measured->nanos == 0)
    return;
  if (launch.measured->first == run::FirstLaunch::kWarmUp) {
    warmUps_.insert(profile);
    return;
  }
  if (launch.measured->first == run::FirstLaunch::kAlone)
    firstOnly_.insert(text::printable(launch.kernel, 40));
  constexpr double kNanos = 1e-9;
  if (launch.measured->isHostClock)
    byHostClock_.insert(launch.measured->device);
  if (const std::string device = deviceOf(*launch.measured, library); !device.empty())
    ofLaunches_[profile].push_back(
        {device, static_cast<double>(launch.measured->nanos) * kNanos, predict::Clock::kKernel});
}

void MeasuredTimes::takeInOrder(const std::vector<NamedProfile> &profiles,
                                const std::vector<run::Launch> &launches,
                                const predict::DeviceLibrary &library) {
  std::map<std::string, std::vector<const run::Launch *>> measured;
  for (const run::Launch &launch : launches)
    measured[launch.kernel].push_back(&launch);
  std::map<std::string, std::vector<size_t>> known;
  for (size_t i = 0; i < profiles.size(); ++i)
    known[profiles[i].launch.kernel].push_back(i);
  for (const auto &[kernel, places] : known) {
    const auto found = measured.find(kernel);
    const bool isSame =
        found != measured.end() &&
        std::ranges::equal(places, found->second, [&](size_t place, const run::Launch *launch) {
          return profiles[place].launch.globalSize == launch->globalSize;
        });
    if (!isSame) {
      otherKernels_.insert(kernel);
      continue;
    }
    for (size_t i = 0; i < places.size(); ++i)
      take(places[i], *found->second[i], library);
  }
}

std::map<std::string, double, std::less<>>
MeasuredTimes::secondsOf(const std::vector<NamedProfile> &profiles, size_t place,
                         predict::Clock clock) const {
  std::map<std::string, double, std::less<>> seconds;
  for (const Time &time : ofLaunches_[place])
    if (time.clock == clock)
      seconds[time.device] = time.seconds;
  const auto found = times_.find(fs::path(profiles[place].file).lexically_normal());
  if (found == times_.end())
    return seconds;
  for (const Time &time : found->second)
    if (time.clock == clock)
      seconds[time.device] = time.seconds;
  return seconds;
}

void MeasuredTimes::addTo(std::vector<predict::Invocation> &invocations,
                          const std::vector<NamedProfile> &profiles, predict::Clock clock) const {
  for (size_t i = 0; i < profiles.size(); ++i)
    for (const auto &[device, seconds] : secondsOf(profiles, i, clock))
      invocations[i].measured[device] = seconds;
}

std::vector<std::string> MeasuredTimes::notesOnOthers(predict::Clock clock) const {
  std::map<predict::Clock, std::set<std::string>> devices;
  const auto add = [&](const std::vector<Time> &times) {
    for (const Time &time : times)
      if (time.clock != clock)
        devices[time.clock].insert(time.device);
  };
  for (const auto &[file, times] : times_)
    add(times);
  for (const std::vector<Time> &times : ofLaunches_)
    add(times);
  std::vector<std::string> notes;
  notes.reserve(devices.size());
  for (const auto &[other, ids] : devices)
    notes.push_back(fmt::format(
        "not shown: measured times of {}, which are {}: --time {}", fmt::join(ids, ", "),
        other == predict::Clock::kKernel ? "from a kernel's start to its end"
                                         : "from queueing a kernel",
        predict::toString(other)));
  for (const std::string &device : unknownDevices_)
    notes.push_back(fmt::format("not shown: measured times of {}, a device that no file describes: "
                                "say with --measured-on ID which one it is",
                                text::printable(device, 60)));
  for (const std::string &device : byHostClock_)
    notes.push_back(fmt::format("measured times of {} are by the host's clock, as the device gives "
                                "none: they contain what the driver takes to tell",
                                text::printable(device, 60)));
  if (!warmUps_.empty())
    notes.emplace_back(
        "not shown: measured times of the first launch of each kernel, a warm-up that "
        "may contain its compilation");
  if (!firstOnly_.empty())
    notes.push_back(fmt::format("measured times of {} are of a first launch, which may contain the "
                                "kernel's compilation: no other was measured",
                                fmt::join(firstOnly_, ", ")));
  if (!otherKernels_.empty())
    notes.push_back(fmt::format("not shown: measured times of {}: the measured run launches other "
                                "sizes or numbers of it",
                                fmt::join(otherKernels_, ", ")));
  return notes;
}

} // namespace aiwc::cli
