#include "measured.h"

#include "train/training_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <system_error>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char *kTimes = "times.csv";

} // namespace

MeasuredTimes::MeasuredTimes(const std::vector<NamedProfile> &profiles,
                             const predict::DeviceLibrary &library) {
  std::set<fs::path> folders;
  for (const NamedProfile &named : profiles)
    if (named.fromFolder)
      folders.insert(fs::path(named.file).parent_path());
  std::error_code ignored;
  for (const fs::path &folder : folders)
    if (fs::exists(folder / kTimes, ignored))
      read(folder / kTimes, library);
  std::set<predict::Clock> clocks;
  for (const auto &[file, times] : times_)
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

void MeasuredTimes::addTo(std::vector<predict::Invocation> &invocations,
                          const std::vector<NamedProfile> &profiles, predict::Clock clock) const {
  for (size_t i = 0; i < profiles.size(); ++i) {
    const auto found = times_.find(fs::path(profiles[i].file).lexically_normal());
    if (found == times_.end())
      continue;
    for (const Time &time : found->second)
      if (time.clock == clock)
        invocations[i].measured[time.device] = time.seconds;
  }
}

std::string MeasuredTimes::noteOnOthers(predict::Clock clock) const {
  std::set<std::string> devices;
  for (const auto &[file, times] : times_)
    for (const Time &time : times)
      if (time.clock != clock)
        devices.insert(time.device);
  if (devices.empty())
    return "";
  const bool isKernel = clock == predict::Clock::kQueued; // the others
  return fmt::format("not shown: measured times of {}, which are {}: --time {}",
                     fmt::join(devices, ", "),
                     isKernel ? "from a kernel's start to its end" : "from queueing a kernel",
                     isKernel ? "kernel" : "queued");
}

} // namespace aiwc::cli
