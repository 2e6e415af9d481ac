#include "eod/common/device.h"
#include "eod/common/opencl.h"
#include "eod/common/output_file.h"
#include "eod/process/child.h"
#include "eod/process/temporary_folder.h"
#include "eod/runner/command.h"
#include "eod/runner/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>

namespace aiwc::eod {
namespace {

namespace fs = std::filesystem;

/// A case on a device.
struct Job {
  Case what;
  DeviceNumber device;
  fs::path json;
  fs::path csv;
};

/// A name of a device as a name of a folder: letters and digits, the rest as single underscores.
std::string folderName(const std::string &device) {
  std::string name;
  for (const char c : device)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  name.erase(name.find_last_not_of('_') + 1);
  return name.substr(0, 100);
}

std::vector<DeviceNumber> devicesFor(const RunOptions &options) {
  Options wanted;
  wanted.platform = options.platform;
  wanted.type = options.type;
  const bool all = options.device == "all";
  if (!all)
    wanted.device = options.device;
  std::vector<DeviceNumber> devices = matchingDevices(wanted);
  if (!all)
    devices.erase(devices.begin() + 1, devices.end());
  return devices;
}

std::vector<Job> jobsFor(const RunOptions &options, const std::vector<Case> &cases) {
  std::vector<Job> jobs;
  std::vector<std::string> names;
  for (const DeviceNumber &device : devicesFor(options)) {
    // Two boards of a kind have one name.
    const std::string base = folderName(device.name);
    const auto alike = std::ranges::count(names, base);
    names.push_back(base);
    const fs::path folder = options.out / (alike ? fmt::format("{}-{}", base, alike + 1) : base);
    for (const Case &what : cases)
      jobs.push_back(
          {what, device, folder / (what.name() + ".json"), folder / (what.name() + ".csv")});
  }
  return jobs;
}

/// Whether the job's result is there. Throws UsageError where it is one of another protocol or of
/// another version of the kernels.
bool isDone(const Job &job, const RunOptions &options) {
  if (options.restart || !fs::exists(job.json) || !fs::exists(job.csv))
    return false;
  const Result there = readResult(job.json);
  const auto differs = [&](const char *what, const auto &was, const auto &now) {
    throw UsageError(fmt::format("{}: measured with {} {}, now {}: expected the same, another "
                                 "--out, or --restart",
                                 job.json.string(), what, was, now));
  };
  const Protocol &was = there.protocol;
  const Protocol &now = options.protocol;
  if (was.samples != now.samples)
    differs("--samples", was.samples, now.samples);
  if (was.minSeconds != now.minSeconds)
    differs("--min-seconds", was.minSeconds, now.minSeconds);
  if (was.seed != now.seed)
    differs("--seed", was.seed, now.seed);
  if (was.tune != now.tune)
    differs("--tune", was.tune, now.tune);
  if (there.sourceHash != job.what.program.sourceHash)
    differs("kernels", there.sourceHash, job.what.program.sourceHash);
  return true;
}

std::vector<std::string> commandFor(const Job &job, const RunOptions &options) {
  const Protocol &protocol = options.protocol;
  std::vector<std::string> command{job.what.program.path.string(),
                                   "--size",
                                   job.what.size.size,
                                   "--platform",
                                   std::to_string(job.device.platform),
                                   "--device",
                                   std::to_string(job.device.device),
                                   "--samples",
                                   std::to_string(protocol.samples),
                                   "--min-seconds",
                                   fmt::format("{}", protocol.minSeconds),
                                   "--seed",
                                   std::to_string(protocol.seed),
                                   "--csv",
                                   job.csv.string(),
                                   "--json",
                                   job.json.string()};
  if (protocol.tune)
    command.emplace_back("--tune");
  if (!options.verify)
    command.emplace_back("--no-verify");
  return command;
}

/// All rows of all jobs that are done, in one file.
void gather(const fs::path &out) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(out))
    if (entry.path().extension() == ".csv" && entry.path().parent_path() != out &&
        fs::exists(fs::path(entry.path()).replace_extension(".json")))
      files.push_back(entry.path());
  std::ranges::sort(files);
  std::string rows;
  for (const fs::path &file : files) {
    std::ifstream stream(file);
    std::string header;
    std::getline(stream, header);
    if (rows.empty())
      rows = header + '\n';
    std::ostringstream rest;
    if (stream.peek() != std::ifstream::traits_type::eof())
      rest << stream.rdbuf();
    rows += rest.str();
  }
  if (!rows.empty())
    OutputFile((out / "rows.csv").string()).commit(rows);
}

/// What an interrupted measurement of the job left, and a result of another protocol.
void removeOld(const Job &job) {
  fs::remove(job.json); // the CSV file alone is no result, and is replaced
  const std::string stem = job.what.name() + '.';
  std::vector<fs::path> leftovers;
  for (const auto &entry : fs::directory_iterator(job.json.parent_path())) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(stem) && name.ends_with(".tmp"))
      leftovers.push_back(entry.path());
  }
  for (const fs::path &file : leftovers)
    fs::remove(file);
}

/// False where it failed.
bool runJob(const Job &job, const RunOptions &options, Progress &progress) {
  const process::TemporaryFolder folder("eod-run");
  createFolder(job.json.parent_path());
  removeOld(job);
  try {
    process::run({.command = commandFor(job, options),
                  .environment = process::currentEnvironment(),
                  .errors = folder.path() / "stderr"});
    return true;
  } catch (const process::ChildFailed &error) {
    progress.message(
        fmt::format("{} {}: {}", job.what.program.application, job.what.size.size, error.reason()));
    return false;
  }
}

} // namespace

int runCases(const RunOptions &options) {
  const std::vector<Case> cases = select(findPrograms(programFolder()), options.selection);
  std::vector<Job> jobs = jobsFor(options, cases);
  const size_t all = jobs.size();
  std::erase_if(jobs, [&](const Job &job) { return isDone(job, options); });
  createFolder(options.out);

  const double leastSeconds =
      static_cast<double>(options.protocol.samples) * options.protocol.minSeconds;
  Progress progress("eod", jobs.size(), leastSeconds);
  if (jobs.size() < all)
    progress.message(fmt::format("{} of {} cases are already done", all - jobs.size(), all));
  size_t failed = 0;
  for (const Job &job : jobs) {
    progress.begin(fmt::format("{} {} on {}", job.what.program.application, job.what.size.size,
                               job.device.name));
    failed += !runJob(job, options, progress);
    gather(options.out);
    progress.end();
  }
  gather(options.out);
  if (failed)
    progress.message(fmt::format("{} of {} cases failed", failed, all));
  return failed ? 1 : 0;
}

} // namespace aiwc::eod
