#include "launcher/captured.h"

#include "common/error.h"
#include "common/file.h"
#include "common/memory.h"
#include "launcher/capture_progress.h"
#include "launcher/report.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aiwc::launcher {
namespace {

namespace fs = std::filesystem;
using State = CapturedLaunch::State;

/// The file in the folder of captures that says which processes of which runs they are of: lines
/// "<id> <number in the run> <file name of the run>".
constexpr std::string_view kProcesses = "processes.txt";

/// The number in a name "Enqueue_<number>_...".
std::optional<uint64_t> numberIn(std::string_view name) {
  constexpr std::string_view kBefore = "Enqueue_";
  uint64_t number = 0;
  if (!name.starts_with(kBefore))
    return std::nullopt;
  name.remove_prefix(kBefore.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end != name.data() + name.size() && *end == '_'
             ? std::optional(number)
             : std::nullopt;
}

/// The captures in a folder, by number.
std::map<uint64_t, fs::path> capturesIn(const fs::path &folder) {
  std::map<uint64_t, fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (const auto number = numberIn(at->path().filename().string()))
      found.emplace(*number, at->path());
  return found;
}

/// Takes what the simulator tells of the launch.
void take(const run::Launch &simulated, run::Launch &launch) {
  run::Launch made = simulated;
  made.process = launch.process;
  made.number = launch.number;
  made.invocation = launch.invocation;
  made.sourceHash = launch.sourceHash;
  made.buildOptions = launch.buildOptions;
  made.hostToDevice = launch.hostToDevice;
  made.deviceToHost = launch.deviceToHost;
  made.measured = launch.measured;
  for (size_t i = 0; i < std::min(made.arguments.size(), launch.arguments.size()); ++i)
    made.arguments[i].allocation = launch.arguments[i].allocation;
  launch = std::move(made);
}

/// Gives launches of the same kind as one with a profile its profile. `works`: what the
/// application asked for, of each launch (run::workOf).
void shareProfiles(run::Run &run, const std::vector<std::string> &works) {
  std::unordered_map<std::string, const run::Launch *> kinds;
  for (size_t i = 0; i < run.launches.size(); ++i)
    if (run.launches[i].characterised())
      kinds.try_emplace(works[i], &run.launches[i]);
  for (size_t i = 0; i < run.launches.size(); ++i) {
    run::Launch &launch = run.launches[i];
    const auto kind = kinds.find(works[i]);
    if (launch.hasProfile() || kind == kinds.end() || kind->second->process != launch.process)
      continue;
    take(*kind->second, launch);
    launch.representative = kind->second->number;
  }
}

/// What the errors of a launch that was not characterised begin with.
std::string failureOf(const run::Launch &launch) {
  return fmt::format("launch {} of process {} ({}) was not characterised: ", launch.number,
                     launch.process, text::printable(launch.kernel, 60));
}

/// Whether `aiwc attach --resume` can go on with it.
bool isLeft(const CapturedLaunch &captured) {
  return (captured.state == State::kWaiting || captured.state == State::kFailed) &&
         !captured.packed;
}

// What captures of an application's launches may take in memory, or a share of what is available.
constexpr std::uint64_t kMostCapturedBytes = std::uint64_t{2} << 30;
constexpr std::uint64_t kPartOfMemory = 4;

} // namespace

int characteriseCaptures(CaptureJobs &jobs, Children &children, bool quiet) {
  CaptureProgress progress(!quiet);
  std::optional<size_t> at;
  std::string kernel;
  jobs.atNormalPriority();
  for (jobs.advance(); jobs.atWork() > 0; jobs.advance()) {
    if (const auto current = jobs.current(); current && current != at) {
      at = current;
      kernel = readFileIfAny(jobs.captured()[*at].folder / "kernelName.txt").value_or("");
    }
    progress.show(at ? *at + 1 : 0, jobs.captured().size(), kernel);
    if (const int signal = children.pause()) {
      progress.clear();
      jobs.stop();
      return signal;
    }
  }
  return 0;
}

void mergeProfiles(run::Run &run, const Processes &processes, const CaptureJobs &jobs) {
  std::vector<std::string> works; // of all launches, as the application asked for them
  works.reserve(run.launches.size());
  std::map<std::pair<uint64_t, uint64_t>, run::Launch *> known;
  for (run::Launch &launch : run.launches) {
    works.push_back(workOf(launch));
    known[{launch.process, launch.number}] = &launch;
  }
  for (const CapturedLaunch &captured : jobs.captured()) {
    const auto process = processes.find(captured.process);
    const auto found =
        process == processes.end() ? known.end() : known.find({process->second, captured.number});
    if (found == known.end())
      continue;
    run::Launch &launch = *found->second;
    const std::string failure = failureOf(launch);
    std::erase_if(run.errors, [&](const std::string &error) { return error.starts_with(failure); });
    if (captured.simulated)
      take(*captured.simulated, launch);
    else if (captured.state == State::kFailed)
      run.errors.push_back(failure + captured.reason);
  }
  shareProfiles(run, works);
}

size_t keepCaptures(CaptureJobs &jobs, const Processes &processes, const SessionOptions &options,
                    const fs::path &file) {
  const fs::path folder = options.output / kCapturesFolder;
  const auto left = static_cast<size_t>(std::ranges::count_if(jobs.captured(), isLeft));
  std::string lines;
  const std::string run = file.filename().string();
  std::istringstream others(readFileIfAny(folder / kProcesses).value_or(""));
  for (std::string line; std::getline(others, line);)
    if (!line.ends_with(" " + run))
      lines += line + "\n";
  std::error_code ignored;
  for (const auto &[id, number] : processes)
    if (const fs::path ofProcess = folder / std::to_string(id); capturesIn(ofProcess).empty())
      fs::remove_all(ofProcess, ignored);
    else
      lines += fmt::format("{} {} {}\n", id, number, run);
  if (lines.empty())
    fs::remove_all(folder, ignored);
  else
    replaceFile(folder / kProcesses, lines);
  return left;
}

std::vector<LeftCaptures> leftIn(const fs::path &folder) {
  std::map<std::string, Processes> runs;
  std::istringstream lines(readFileIfAny(folder / kCapturesFolder / kProcesses).value_or(""));
  uint64_t id = 0, number = 0;
  for (std::string run; lines >> id >> number >> run;)
    runs[run].emplace(id, number);
  if (runs.empty())
    throw Error(folder.string() +
                ": has no captured launches that are left: expected the folder of "
                "a run of aiwc attach that said so");
  std::vector<LeftCaptures> left;
  left.reserve(runs.size());
  for (auto &[run, processes] : runs)
    left.push_back({folder / run, std::move(processes)});
  return left;
}

void addCaptures(const LeftCaptures &left, const fs::path &folder, CaptureJobs &jobs) {
  for (const auto &[id, number] : left.processes)
    for (const auto &[launch, capture] : capturesIn(folder / kCapturesFolder / std::to_string(id)))
      jobs.add(id, launch, capture);
}

Capturing::Capturing(const Capture &capture, const SessionOptions &options, Children &children,
                     const PrivateFolder &scratch)
    : capture_(capture), options_(options), children_(children), scratch_(scratch),
      memory_(std::min(kMostCapturedBytes,
                       availableMemory(Swap::kLeftOut).value_or(UINT64_MAX) / kPartOfMemory)),
      jobs_(options_, children, scratch.path(), &memory_) {}

template <typename Work> void Capturing::guarded(const Work &work) {
  try {
    work();
  } catch (const std::exception &error) {
    failure_ = error.what();
  }
}

void Capturing::advance() {
  if (failure_.empty())
    guarded([&] { jobs_.advance(); });
}

void Capturing::stop() {
  guarded([&] { jobs_.stop(); });
}

void Capturing::finish() {
  if (!capture_.waits || !failure_.empty()) {
    stop();
    return;
  }
  guarded([&] {
    jobs_.advance();
    if (const std::size_t left = jobs_.atWork(); left > 0 && !options_.quiet)
      complain("the application has ended; characterising " +
               text::counted(left, "captured launch"));
    signal_ = characteriseCaptures(jobs_, children_, options_.quiet);
  });
}

void Capturing::mergeInto(run::Run &run, const Processes &processes, const fs::path &file) {
  jobs_.unpackAll();
  mergeProfiles(run, processes, jobs_);
  guarded([&] { left_ = keepCaptures(jobs_, processes, options_, file); });
  if (!failure_.empty())
    run.errors.push_back("captured launches were not characterised: " + failure_);
}

} // namespace aiwc::launcher
