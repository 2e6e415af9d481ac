#include "launcher/captured.h"

#include "attach/budget.h"
#include "common/error.h"
#include "launcher/locate.h"
#include "launcher/report.h"
#include "run/folder.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace aiwc::launcher {
namespace {

/// The number in a name "Enqueue_<number>_...", or of a folder that is a number.
std::optional<uint64_t> numberIn(std::string_view name, std::string_view before) {
  uint64_t number = 0;
  if (!name.starts_with(before))
    return std::nullopt;
  name.remove_prefix(before.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && (end == name.data() + name.size() || *end == '_')
             ? std::optional(number)
             : std::nullopt;
}

/// The folders of captures, one per process, in the order in which `aiwc kernel` gets them.
std::vector<std::pair<fs::path, uint64_t>> processFolders(const fs::path &captures) {
  std::vector<std::pair<fs::path, uint64_t>> folders;
  std::error_code failed;
  for (fs::directory_iterator at(captures, failed), end; !failed && at != end; at.increment(failed))
    if (const auto process = numberIn(at->path().filename().string(), ""))
      folders.emplace_back(at->path(), *process);
  std::ranges::sort(folders);
  return folders;
}

/// The numbers of the captured launches of a process, increasing.
std::vector<uint64_t> capturedIn(const fs::path &folder) {
  std::vector<uint64_t> numbers;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (const auto number = numberIn(at->path().filename().string(), "Enqueue_"))
      numbers.push_back(*number);
  std::ranges::sort(numbers);
  return numbers;
}

/// The launches of the run that were captured, in the order in which they run in the simulator.
std::vector<run::Launch *> capturedLaunches(run::Run &run,
                                            const std::map<uint64_t, uint64_t> &processes,
                                            const fs::path &captures) {
  std::map<std::pair<uint64_t, uint64_t>, run::Launch *> known;
  for (run::Launch &launch : run.launches)
    known[{launch.process, launch.number}] = &launch;
  std::vector<run::Launch *> captured;
  for (const auto &[folder, id] : processFolders(captures))
    for (const uint64_t number : capturedIn(folder)) {
      const auto process = processes.find(id);
      const auto launch =
          process == processes.end() ? known.end() : known.find({process->second, number});
      captured.push_back(launch == known.end() ? nullptr : launch->second);
    }
  return captured;
}

/// Whether the launch in the simulator can be that of the capture: others may have failed.
bool isOf(const run::Launch &simulated, const run::Launch &captured) {
  return simulated.kernel == captured.kernel && simulated.workDim == captured.workDim &&
         simulated.globalSize == captured.globalSize &&
         (captured.localSizeLeftOpen || simulated.localSize == captured.localSize);
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

/// Gives launches that are alike to one with a profile the same profile. `works`: what the
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
    launch.alikeTo = kind->second->number;
  }
}

/// The run that `aiwc kernel` added to the folder.
std::optional<fs::path> addedRun(const fs::path &folder, const std::vector<fs::path> &before) {
  for (const fs::path &file : run::contentOf(folder).runs)
    if (std::ranges::find(before, file) == before.end())
      return file;
  return std::nullopt;
}

} // namespace

void characteriseCaptures(run::Run &run, const std::map<uint64_t, uint64_t> &processes,
                          const SessionOptions &options, Children &children) {
  const fs::path captures = options.output / attach::kCapturesFolder;
  const std::vector<run::Launch *> captured = capturedLaunches(run, processes, captures);
  if (captured.empty())
    return;
  if (!options.quiet)
    complain("the application has ended; characterising " + std::to_string(captured.size()) +
             (captured.size() == 1 ? " captured launch" : " captured launches"));
  std::vector<std::string> command = {findCommand().string(), "kernel"};
  for (const auto &[folder, process] : processFolders(captures))
    if (!capturedIn(folder).empty())
      command.push_back(folder.string());
  command.insert(command.end(),
                 {"--output", options.output.string(), "--append", "--only-sampled", "--quiet"});
  const std::vector<fs::path> before = run::contentOf(options.output).runs;
  std::vector<std::string> works; // of all launches, as the application asked for them
  works.reserve(run.launches.size());
  for (const run::Launch &launch : run.launches)
    works.push_back(workOf(launch));
  int ended = 0;
  try {
    ended = children.run(command, Children::Role::kOwn);
  } catch (const Interrupted &) {
    complain("interrupted: the captures remain in " + captures.string() +
             ", where aiwc kernel reads them");
    throw;
  }
  const auto file = addedRun(options.output, before);
  size_t next = 0, taken = 0;
  if (file) {
    const run::Run simulated = run::readRun(*file);
    for (const run::Launch &launch : simulated.launches) {
      while (next < captured.size() && !(captured[next] && isOf(launch, *captured[next])))
        ++next;
      if (next < captured.size() && launch.hasProfile()) {
        take(launch, *captured[next]);
        ++taken;
      }
      ++next;
    }
    std::error_code ignored;
    fs::remove(*file, ignored);
  }
  shareProfiles(run, works);
  if (taken < captured.size()) {
    run.errors.push_back(
        std::to_string(captured.size() - taken) + " of " + std::to_string(captured.size()) +
        " captured launches were not characterised" +
        (WIFSIGNALED(ended) ? ": the simulator died" : "") + ": their captures remain in " +
        captures.string() + ", where aiwc kernel reads them");
    return;
  }
  std::error_code ignored;
  fs::remove_all(captures, ignored);
}

} // namespace aiwc::launcher
