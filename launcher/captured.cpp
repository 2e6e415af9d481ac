#include "launcher/captured.h"

#include "attach/budget.h"
#include "common/error.h"
#include "common/file.h"
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

/// A launch that was captured, and its folder.
struct Captured {
  fs::path folder;
  run::Launch *launch = nullptr; ///< null: the run does not have it
};

/// The numbered things in a folder, whose names begin with `before`, by number.
std::map<uint64_t, fs::path> numberedIn(const fs::path &folder, std::string_view before) {
  std::map<uint64_t, fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (const auto number = numberIn(at->path().filename().string(), before))
      found.emplace(*number, at->path());
  return found;
}

/// The captured launches, those of one process after another, in their order.
std::vector<Captured> capturedLaunches(run::Run &run, const std::map<uint64_t, uint64_t> &processes,
                                       const fs::path &captures) {
  std::map<std::pair<uint64_t, uint64_t>, run::Launch *> known;
  for (run::Launch &launch : run.launches)
    known[{launch.process, launch.number}] = &launch;
  std::vector<Captured> captured;
  for (const auto &[id, ofProcess] : numberedIn(captures, ""))
    for (const auto &[number, folder] : numberedIn(ofProcess, "Enqueue_")) {
      const auto process = processes.find(id);
      const auto launch =
          process == processes.end() ? known.end() : known.find({process->second, number});
      captured.push_back({folder, launch == known.end() ? nullptr : launch->second});
    }
  return captured;
}

/// Whether a work-group may read what another one writes in the same launch, by atomic functions:
/// then all of them have to run. SPIR-V is not looked into.
bool mayDependOnOthers(const fs::path &capture) {
  const auto source = readFileIfAny(capture / "kernel.cl");
  return !source || source->find("atom") != std::string::npos;
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

/// Runs the captures in the simulator, and gives their launches the profiles. Returns the status of
/// waitpid(2).
int simulate(const std::vector<Captured> &captured, bool onlySampled, const SessionOptions &options,
             Children &children) {
  std::vector<std::string> command = {findCommand().string(),  "kernel",   "--output",
                                      options.output.string(), "--append", "--quiet"};
  if (onlySampled)
    command.emplace_back("--only-sampled");
  for (const Captured &capture : captured)
    command.push_back(capture.folder.string());
  const std::vector<fs::path> before = run::contentOf(options.output).runs;
  const int ended = children.run(command, Children::Role::kOwn);
  const auto file = addedRun(options.output, before);
  if (!file)
    return ended;
  auto next = captured.begin();
  for (const run::Launch &launch : run::readRun(*file).launches) {
    next = std::find_if(next, captured.end(), [&](const Captured &capture) {
      return capture.launch && isOf(launch, *capture.launch);
    });
    if (next == captured.end())
      break;
    if (launch.hasProfile())
      take(launch, *next->launch);
    ++next;
  }
  std::error_code ignored;
  fs::remove(*file, ignored);
  return ended;
}

} // namespace

void characteriseCaptures(run::Run &run, const std::map<uint64_t, uint64_t> &processes,
                          const SessionOptions &options, Children &children) {
  const fs::path captures = options.output / attach::kCapturesFolder;
  std::vector<Captured> captured = capturedLaunches(run, processes, captures);
  if (captured.empty())
    return;
  if (!options.quiet)
    complain("the application has ended; characterising " + std::to_string(captured.size()) +
             (captured.size() == 1 ? " captured launch" : " captured launches"));
  std::vector<std::string> works; // of all launches, as the application asked for them
  works.reserve(run.launches.size());
  for (const run::Launch &launch : run.launches)
    works.push_back(workOf(launch));
  const auto dependent =
      std::stable_partition(captured.begin(), captured.end(), [](const Captured &capture) {
        return !mayDependOnOthers(capture.folder);
      });
  bool hasDied = false;
  try {
    for (const bool onlySampled : {true, false})
      if (const std::vector<Captured> part(onlySampled ? captured.begin() : dependent,
                                           onlySampled ? dependent : captured.end());
          !part.empty())
        hasDied |= WIFSIGNALED(simulate(part, onlySampled, options, children));
  } catch (const Interrupted &) {
    complain("interrupted: the captures remain in " + captures.string() +
             ", where aiwc kernel reads them");
    throw;
  }
  const auto without = std::ranges::count_if(captured, [](const Captured &capture) {
    return !capture.launch || !capture.launch->hasProfile();
  });
  shareProfiles(run, works);
  if (without > 0) {
    run.errors.push_back(std::to_string(without) + " of " + std::to_string(captured.size()) +
                         " captured launches were not characterised" +
                         (hasDied ? ": the simulator died" : "") + ": their captures remain in " +
                         captures.string() + ", where aiwc kernel reads them");
    return;
  }
  std::error_code ignored;
  fs::remove_all(captures, ignored);
}

} // namespace aiwc::launcher
