#include "eod/common/csv.h"
#include "eod/common/opencl.h"
#include "eod/common/output_file.h"
#include "eod/process/child.h"
#include "eod/runner/command.h"
#include "eod/runner/json.h"
#include "eod/runner/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace aiwc::eod {
namespace {

namespace fs = std::filesystem;

/// What the application measured of itself in the simulator: the launches, and their NDRanges.
constexpr const char *kTimes = "result.json";
/// What the run cost.
constexpr const char *kUsage = "usage.json";

using Launches = std::map<std::pair<std::string, uint64_t>, LaunchTime>;

Launches launchesOf(const Result &result) {
  Launches launches;
  for (const LaunchTime &launch : result.samples.front().launches)
    launches.emplace(std::pair(launch.kernel, launch.invocation), launch);
  return launches;
}

/// The file in which aiwc lists the launches of a run, as its docs/formats.md describes it.
constexpr const char *kRun = "run.json";

/// A characterised launch.
struct Provenance {
  std::string kernel;
  uint64_t invocation = 0;
  std::string globalSize, localSize; ///< "8x8", as in a result
  std::string sourceHash;
  std::string buildOptions;
  std::string profile; ///< file name; launches may share it
};

std::string dimensions(const Json &sizes, uint32_t count) {
  std::string text = std::to_string(sizes.at(0).get<uint64_t>());
  for (uint32_t d = 1; d < count; ++d)
    text += 'x' + std::to_string(sizes.at(d).get<uint64_t>());
  return text;
}

std::vector<Provenance> readRun(const fs::path &run) {
  return read(
      run,
      [](const Json &json) {
        std::vector<Provenance> launches;
        for (const Json &made : json.at("launches")) {
          const auto count = made.at("work_dim").get<uint32_t>();
          launches.push_back({.kernel = made.at("kernel"),
                              .invocation = made.at("invocation"),
                              .globalSize = dimensions(made.at("global_size"), count),
                              .localSize = dimensions(made.at("local_size"), count),
                              .sourceHash = made.at("source_hash"),
                              .buildOptions = made.at("build_options"),
                              .profile = made.at("profile")});
        }
        return launches;
      },
      "a run of aiwc whose launches all have a profile");
}

/// A row per launch of the case. Throws Error where profiles and launches are not the same.
std::string rowsOf(const fs::path &out, const Case &what) {
  const fs::path folder = out / what.name();
  const Result result = readResult(folder / kTimes);
  Launches launches = launchesOf(result);
  std::map<std::pair<std::string, uint64_t>, std::string> rows;
  for (const Provenance &made : readRun(folder / kRun)) {
    const auto launch = launches.extract({made.kernel, made.invocation});
    if (!launch || launch.mapped().globalSize != made.globalSize ||
        launch.mapped().localSize != made.localSize || made.sourceHash != result.sourceHash)
      throw Error(fmt::format("{}: belongs to no launch of {}: expected the profiles of one run",
                              (folder / made.profile).string(), what.program.application));
    rows[{made.kernel, made.invocation}] =
        fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", result.application, result.size,
                    csvField(result.parameter), result.protocol.seed, made.kernel, made.invocation,
                    made.globalSize, made.localSize, made.sourceHash, csvField(made.buildOptions),
                    csvField((fs::path(what.name()) / made.profile).string()));
  }
  if (!launches.empty())
    throw Error(fmt::format("{}: no profile of {} invocation {}: expected one per launch",
                            folder.string(), launches.begin()->first.first,
                            launches.begin()->first.second));
  std::string text;
  for (const auto &[launch, row] : rows)
    text += row;
  return text;
}

void writeUsage(const fs::path &folder, const process::Usage &usage) {
  OutputFile((folder / kUsage).string())
      .commit(dump({{"wall_us", usage.wallUs},
                    {"cpu_us", usage.cpuUs},
                    {"peak_memory_bytes", usage.peakMemoryBytes}}));
}

/// Empty where an earlier version made the case.
std::string usageRow(const fs::path &out, const Case &what) {
  const fs::path file = out / what.name() / kUsage;
  if (!fs::exists(file))
    return "";
  return read(file, [&](const Json &json) {
    return fmt::format("{},{},{:.2f},{:.2f},{}\n", what.program.application, what.size.size,
                       1e-6 * json.at("wall_us").get<double>(),
                       1e-6 * json.at("cpu_us").get<double>(),
                       json.at("peak_memory_bytes").get<uint64_t>());
  });
}

/// Of every case that the folder has, also of earlier calls.
void writeIndex(const fs::path &out, const std::vector<Program> &programs) {
  std::string index = "application,size,parameter,seed,kernel,invocation,global_size,local_size,"
                      "source_hash,build_options,profile\n";
  std::string usage = "application,size,wall_s,cpu_s,peak_memory_bytes\n";
  for (const Case &what : select(programs, {}))
    if (fs::exists(out / what.name() / kTimes)) {
      index += rowsOf(out, what);
      usage += usageRow(out, what);
    }
  OutputFile((out / "index.csv").string()).commit(index);
  OutputFile((out / "usage.csv").string()).commit(usage);
}

bool isDone(const Case &what, const CharacteriseOptions &options) {
  const fs::path times = options.out / what.name() / kTimes;
  if (options.restart || !fs::exists(times))
    return false;
  const Result there = readResult(times);
  if (there.protocol.seed != options.seed || there.sourceHash != what.program.sourceHash)
    throw UsageError(
        fmt::format("{}: made with seed {} and kernels {}, now {} and {}: expected the same, "
                    "another --out, or --restart",
                    times.string(), there.protocol.seed, there.sourceHash, options.seed,
                    what.program.sourceHash));
  return true;
}

/// The memory of the simulated device, if the simulator is not told otherwise.
constexpr uint64_t kSimulatedBytes = uint64_t{128} << 20;

/// Into a folder that gets its name when it is complete. Throws ChildFailed.
void characterise(const fs::path &aiwc, const Case &what, const CharacteriseOptions &options) {
  const fs::path partial = options.out / ("." + what.name() + ".partial");
  const fs::path folder = options.out / what.name();
  fs::remove_all(partial);
  fs::create_directories(partial);
  std::vector<std::string> command{aiwc.string(), "run",      "--quiet",       "--invocations",
                                   "0-",          "--output", partial.string()};
  if (what.size.deviceBytes > kSimulatedBytes) // the simulator's option
    command.insert(command.end(), {"--global-mem-size", std::to_string(what.size.deviceBytes)});
  command.insert(command.end(),
                 {"--", what.program.path.string(), "--size", what.size.size, "--seed",
                  std::to_string(options.seed), "--json", (partial / kTimes).string()});
  const process::Usage usage = process::run({.command = command,
                                             .environment = process::currentEnvironment(),
                                             .errors = partial / "stderr",
                                             .cpuLimitS = options.cpuLimitS});
  writeUsage(partial, usage);
  fs::remove(partial / "stderr");
  fs::remove_all(folder);
  fs::rename(partial, folder);
}

} // namespace

int characteriseCases(const CharacteriseOptions &options) {
  // Not by the name of the simulator: of the programs called oclgrind, most do not characterise.
  const fs::path aiwc = findAiwc();
  const std::vector<Program> programs = findPrograms(programFolder());
  std::vector<Case> cases = select(programs, options.selection);
  const size_t all = cases.size();
  std::erase_if(cases, [&](const Case &what) { return isDone(what, options); });
  createFolder(options.out);

  Progress progress("eod", cases.size(), 0);
  if (cases.size() < all)
    progress.message(fmt::format("{} of {} cases are already done", all - cases.size(), all));
  size_t failed = 0;
  for (const Case &what : cases) {
    const std::string name = what.program.application + " " + what.size.size;
    progress.begin(name);
    try {
      characterise(aiwc, what, options);
    } catch (const process::ChildFailed &failure) {
      ++failed;
      progress.message(fmt::format("{}: {}", name, failure.reason()));
      fs::remove_all(options.out / ("." + what.name() + ".partial"));
    }
    progress.end();
  }
  writeIndex(options.out, programs);
  if (failed)
    progress.message(fmt::format("{} of {} cases failed", failed, all));
  return failed ? 1 : 0;
}

} // namespace aiwc::eod
