#include "train/eod_run.h"

#include "common/error.h"
#include "profile/json.h"
#include "train/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace aiwc::train {

namespace {

namespace fs = std::filesystem;

double of(Reference reference, std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  if (reference == Reference::kMinimum)
    return values.front();
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

EodLaunch launchOf(const CsvTable &table, size_t row) {
  return {table.text(row, "parameter"), table.text(row, "seed"), table.text(row, "global_size"),
          table.text(row, "local_size"), table.text(row, "source_hash")};
}

CaseId caseOf(const CsvTable &table, size_t row) {
  return {table.text(row, "application"), table.text(row, "size"), table.text(row, "kernel")};
}

void readRows(const fs::path &file, MeasuredTimes &times) {
  const CsvTable table(file, {"application", "size", "parameter", "seed", "sample", "kernel",
                              "invocation", "kernel_time_us", "global_size", "local_size", "device",
                              "source_hash"});
  if (times.device.empty())
    times.device = table.text(0, "device");
  // Per kernel, sample and invocation.
  std::map<CaseId, std::map<size_t, std::map<uint64_t, double>>, CaseOrder> samples;
  for (size_t row = 0; row < table.size(); ++row) {
    if (table.text(row, "device") != times.device)
      throw Error(fmt::format("{}: times of {} and of {}: expected those of one device",
                              file.string(), times.device, table.text(row, "device")));
    const CaseId id = caseOf(table, row);
    const size_t invocation = table.count(row, "invocation");
    const EodLaunch launch = launchOf(table, row);
    const auto [known, isNew] = times.cases[id].launches.emplace(invocation, launch);
    const double seconds = table.positive(row, "kernel_time_us") / 1e6;
    const bool first = samples[id][table.count(row, "sample")].emplace(invocation, seconds).second;
    if (!first || (!isNew && known->second != launch))
      throw Error(fmt::format("{}: invocation {} of {} {} {} is not one launch: expected the rows "
                              "of one eod run",
                              file.string(), invocation, id.application, id.size, id.kernel));
  }
  for (auto &[id, bySample] : samples)
    for (auto &[sample, launches] : bySample) {
      MeasuredCase &measured = times.cases[id];
      if (launches.size() != measured.launches.size())
        throw Error(fmt::format("{}: sample {} of {} {} {} has {} launches: expected {}, as others",
                                file.string(), sample, id.application, id.size, id.kernel,
                                launches.size(), measured.launches.size()));
      measured.samples.push_back(std::move(launches));
    }
}

/// The workload that consists of all profiled launches of a kernel in a run. Takes the profiles.
Workload workloadOf(const CaseId &id, const std::string &dataSet,
                    const std::vector<CharacterisedLaunch *> &launches, TrainingSet &to) {
  Workload workload;
  workload.dataSet = dataSet;
  workload.suite = "eod";
  workload.application = id.application;
  workload.size = id.size;
  workload.kernel = id.kernel;
  for (CharacterisedLaunch *launch : launches) {
    auto &slot = to.profiles[launch->file];
    slot = std::move(launch->profile);
    workload.launches.push_back({slot.get(), 1});
  }
  return workload;
}

} // namespace

int rankOf(const std::string &size) {
  constexpr std::array<std::string_view, 4> kOrder{"tiny", "small", "medium", "large"};
  return static_cast<int>(std::ranges::find(kOrder, size) - kOrder.begin());
}

bool CaseOrder::operator()(const CaseId &a, const CaseId &b) const {
  const auto key = [](const CaseId &id) {
    return std::tuple<const std::string &, int, const std::string &, const std::string &>(
        id.application, rankOf(id.size), id.size, id.kernel);
  };
  return key(a) < key(b);
}

std::vector<double> MeasuredCase::seconds() const {
  std::vector<double> sums;
  for (const auto &sample : samples) {
    double sum = 0;
    for (const auto &[invocation, seconds] : sample)
      sum += seconds;
    sums.push_back(sum);
  }
  return sums;
}

double MeasuredCase::seconds(Reference reference) const {
  return of(reference, seconds());
}

double MeasuredCase::secondsOfShortestLaunch(Reference reference) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto &[invocation, launch] : launches) {
    std::vector<double> values;
    for (const auto &sample : samples)
      values.push_back(sample.at(invocation));
    least = std::min(least, of(reference, std::move(values)));
  }
  return least;
}

MeasuredTimes readMeasured(const std::vector<fs::path> &paths) {
  MeasuredTimes times;
  for (const fs::path &path : paths) {
    const bool folder = !fs::is_regular_file(path);
    if (folder && !fs::exists(path / "rows.csv"))
      throw Error(path.string() + ": no rows.csv: expected a folder that eod run wrote");
    readRows(folder ? path / "rows.csv" : path, times);
  }
  return times;
}

std::vector<CharacterisedLaunch> readCharacterised(const fs::path &folder,
                                                   const std::vector<std::string> &sizes) {
  const fs::path file = folder / "index.csv";
  if (!fs::exists(file))
    throw Error(folder.string() + ": no index.csv: expected a folder that eod characterise wrote");
  const CsvTable index(file, {"application", "size", "parameter", "seed", "kernel", "invocation",
                              "global_size", "local_size", "source_hash", "profile"});
  std::vector<CharacterisedLaunch> launches;
  std::set<std::tuple<std::string, std::string, std::string, uint64_t>> seen;
  for (size_t row = 0; row < index.size(); ++row) {
    CharacterisedLaunch launch{caseOf(index, row), index.count(row, "invocation"),
                               launchOf(index, row), folder / index.text(row, "profile"), nullptr};
    const CaseId &id = launch.id;
    if (!sizes.empty() && std::ranges::find(sizes, id.size) == sizes.end())
      continue;
    launch.profile = std::make_unique<profile::KernelProfile>(profile::readProfile(launch.file));
    if (launch.profile->provenance.kernel != id.kernel)
      throw Error(fmt::format("{}: provenance.kernel is {}: expected {}, as {} says",
                              launch.file.string(), launch.profile->provenance.kernel, id.kernel,
                              file.string()));
    if (!seen.emplace(id.application, id.size, id.kernel, launch.invocation).second)
      throw Error(fmt::format("{}: {} {} {} has invocation {} twice: expected it once",
                              file.string(), id.application, id.size, id.kernel,
                              launch.invocation));
    launches.push_back(std::move(launch));
  }
  if (launches.empty())
    throw Error(file.string() + ": no profile of these sizes: expected at least one");
  return launches;
}

std::string difference(const std::map<uint64_t, EodLaunch> &profiled,
                       const std::map<uint64_t, EodLaunch> &measured) {
  if (profiled.size() != measured.size())
    return fmt::format("{} launch{} measured, {} profiled", measured.size(),
                       measured.size() == 1 ? "" : "es", profiled.size());
  for (const auto &[invocation, ours] : profiled) {
    const auto found = measured.find(invocation);
    if (found == measured.end())
      return fmt::format("invocation {} not measured", invocation);
    const EodLaunch &theirs = found->second;
    const auto differ = [](const char *what, const std::string &a, const std::string &b) {
      return fmt::format("measured with {} {}, profiled with {}", what, b, a);
    };
    if (ours.parameter != theirs.parameter)
      return differ("parameter", ours.parameter, theirs.parameter);
    if (ours.seed != theirs.seed)
      return differ("seed", ours.seed, theirs.seed);
    if (ours.globalSize != theirs.globalSize)
      return differ("global size", ours.globalSize, theirs.globalSize);
    if (ours.localSize != theirs.localSize)
      return differ("local size", ours.localSize, theirs.localSize);
    if (ours.sourceHash != theirs.sourceHash)
      return differ("source", ours.sourceHash, theirs.sourceHash);
  }
  return {};
}

std::vector<LeftOut> addMeasured(const MeasuredTimes &measured,
                                 std::vector<CharacterisedLaunch> characterised,
                                 const predict::DeviceProfile &device, const std::string &dataSet,
                                 Reference reference, TrainingSet &to) {
  std::map<CaseId, std::vector<CharacterisedLaunch *>, CaseOrder> profiled;
  for (CharacterisedLaunch &launch : characterised)
    profiled[launch.id].push_back(&launch);
  std::vector<LeftOut> leftOut;
  for (const auto &[id, launches] : profiled)
    if (!measured.cases.contains(id))
      leftOut.push_back({id, "no measured time"});
  const size_t deviceIndex = to.devices.size();
  to.devices.push_back({device, dataSet});
  for (const auto &[id, times] : measured.cases) {
    const auto found = profiled.find(id);
    std::map<uint64_t, EodLaunch> identities;
    std::string reason = found == profiled.end() ? "no profile" : "";
    if (reason.empty()) {
      for (const CharacterisedLaunch *launch : found->second)
        identities.emplace(launch->invocation, launch->launch);
      reason = difference(identities, times.launches);
    }
    if (reason.empty())
      for (const CharacterisedLaunch *launch : found->second)
        if (reason.empty())
          reason = predict::whyNoDemand(*launch->profile);
    if (!reason.empty()) {
      leftOut.push_back({id, reason});
      continue;
    }
    to.times.push_back({to.workloads.size(), deviceIndex, 1e6 * times.seconds(reference),
                        1e6 * times.secondsOfShortestLaunch(reference)});
    to.workloads.push_back(workloadOf(id, dataSet, found->second, to));
  }
  return leftOut;
}

} // namespace aiwc::train
