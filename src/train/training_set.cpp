#include "train/training_set.h"

#include "common/error.h"
#include "common/file.h"
#include "profile/json.h"
#include "text/text.h"
#include "train/csv_table.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <sstream>
#include <tuple>

namespace aiwc::train {

namespace {

const std::vector<std::string> kColumns = {"data_set", "suite",    "application", "size",
                                           "kernel",   "profiles", "host_bytes",  "host_transfers",
                                           "doubt",    "device",   "time_us"};

const profile::KernelProfile *profileIn(const std::filesystem::path &path, const std::string &place,
                                        TrainingSet &to) {
  auto &slot = to.profiles[path];
  if (!slot) {
    try {
      slot = std::make_unique<profile::KernelProfile>(profile::readProfile(path));
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", place, error.what()));
    }
    if (const std::string found = predict::whyNoDemand(*slot); !found.empty())
      throw Error(fmt::format("{}: {}: {}", place, path.string(), found));
  }
  return slot.get();
}

/// The names in the field `profiles`, and how many launches each stands for.
std::vector<std::pair<std::string, double>> profilesIn(const std::string &field,
                                                       const std::string &place) {
  std::vector<std::pair<std::string, double>> profiles;
  std::istringstream words(field);
  for (std::string word; words >> word;) {
    double launches = 1;
    if (const size_t star = word.find('*'); star != std::string::npos) {
      constexpr uint32_t kMostLaunches = 1'000'000'000;
      uint32_t count = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + star, count);
      if (error != std::errc() || end != word.data() + star || count < 1 || count > kMostLaunches)
        throw Error(
            fmt::format("{}: profiles has '{}': expected an integer from 1 to {} before '*'", place,
                        text::printable(word, 100), kMostLaunches));
      launches = count;
      word.erase(0, star + 1);
    }
    profiles.emplace_back(std::move(word), launches);
  }
  if (profiles.empty())
    throw Error(fmt::format("{}: profiles is empty: expected at least one file", place));
  return profiles;
}

std::vector<LaunchCount> launchesIn(const std::string &field, const std::filesystem::path &folder,
                                    const std::string &place, TrainingSet &to) {
  std::vector<LaunchCount> launches;
  for (const auto &[name, count] : profilesIn(field, place))
    launches.push_back({profileIn(folder / name, place, to), count});
  return launches;
}

const predict::DeviceProfile &deviceNamed(const std::string &id, const std::string &place,
                                          const predict::DeviceLibrary &library) {
  try {
    return library[id];
  } catch (const Error &error) {
    throw Error(fmt::format("{}: {}", place, error.what()));
  }
}

predict::Clock clockIn(const CsvTable &table, size_t row) {
  if (!table.has("clock"))
    return predict::Clock::kQueued;
  for (const auto clock : {predict::Clock::kKernel, predict::Clock::kQueued})
    if (table.text(row, "clock") == predict::toString(clock))
      return clock;
  throw Error(fmt::format("{}: clock is '{}': expected kernel or queued", table.place(row),
                          text::printable(table.text(row, "clock"), 60)));
}

} // namespace

void addTimes(const std::filesystem::path &file, const predict::DeviceLibrary &library,
              TrainingSet &to) {
  addTimes(readFile(file, "a CSV file"), file, library, to);
}

void addTimes(std::string_view content, const std::filesystem::path &file,
              const predict::DeviceLibrary &library, TrainingSet &to) {
  const CsvTable table(content, file.string(), kColumns);
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  std::map<Key, size_t> workloads;
  std::map<std::pair<std::string, std::string>, size_t> devices;
  for (size_t i = 0; i < to.devices.size(); ++i)
    devices.emplace(std::pair(to.devices[i].dataSet, to.devices[i].profile.id), i);
  std::set<std::pair<size_t, size_t>> seen;
  std::vector<size_t> firstRows; // of the workloads of this file
  const size_t firstWorkload = to.workloads.size();
  for (size_t row = 0; row < table.size(); ++row) {
    const auto text = [&](std::string_view column) { return table.text(row, column); };
    const auto readable = [&](std::string_view column) {
      return text::printable(text(column), 60);
    };
    const std::string place = table.place(row);
    const Key key{text("data_set"), text("suite"), text("application"), text("size"),
                  text("kernel")};
    const auto [at, isNew] = workloads.try_emplace(key, to.workloads.size());
    if (isNew) {
      Workload workload;
      std::tie(workload.dataSet, workload.suite, workload.application, workload.size,
               workload.kernel) = key;
      workload.launches = launchesIn(text("profiles"), file.parent_path(), place, to);
      workload.hostBytes = static_cast<double>(table.count(row, "host_bytes"));
      workload.hostTransfers = static_cast<double>(table.count(row, "host_transfers"));
      workload.doubt = text("doubt");
      workload.clock = clockIn(table, row);
      to.workloads.push_back(std::move(workload));
      firstRows.push_back(row);
    } else {
      const size_t first = firstRows[at->second - firstWorkload];
      for (const char *column : {"profiles", "host_bytes", "host_transfers", "doubt"})
        if (table.text(first, column) != text(column))
          throw Error(fmt::format("{}: {} differs from that of {}, the same workload: expected the "
                                  "same on every device",
                                  place, column, table.place(first)));
    }
    const predict::DeviceProfile &profile = deviceNamed(text("device"), place, library);
    const auto [device, isNewDevice] =
        devices.try_emplace(std::pair(text("data_set"), profile.id), to.devices.size());
    if (isNewDevice)
      to.devices.push_back({profile, text("data_set")});
    if (!seen.emplace(at->second, device->second).second)
      throw Error(fmt::format("{}: a second time of {} {} {} on {}: expected one", place,
                              readable("application"), readable("size"), readable("kernel"),
                              readable("device")));
    to.times.push_back({at->second, device->second, table.positive(row, "time_us")});
  }
}

std::vector<TimeRow> readTimes(const std::filesystem::path &file,
                               const predict::DeviceLibrary &library) {
  const CsvTable table(readFile(file, "a CSV file"), file.string(),
                       {"profiles", "doubt", "device", "time_us"});
  std::vector<TimeRow> rows;
  for (size_t row = 0; row < table.size(); ++row) {
    const std::string place = table.place(row);
    rows.push_back({profilesIn(table.text(row, "profiles"), place),
                    deviceNamed(table.text(row, "device"), place, library).id,
                    table.text(row, "doubt"), table.positive(row, "time_us"), clockIn(table, row)});
  }
  return rows;
}

} // namespace aiwc::train
