#include "inputs.h"

#include "command_line/output.h"
#include "common/close_words.h"
#include "common/error.h"
#include "common/file.h"
#include "predict/opencl_type.h"
#include "run/folder.h"
#include "run/found_in_caches.h"
#include "scaling/launch_scaling.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <tuple>

namespace aiwc::cli {

namespace fs = std::filesystem;

namespace {

/// The profiles of a run's launches.
class RunProfiles {
public:
  /// `numbered`: whether profiles have the number of their launch also where launches share a file.
  /// Otherwise these share one profile, too.
  RunProfiles(const fs::path &folder, const run::Run &run, bool numbered)
      : numbered_(numbered), found_(run::foundInCaches(run)) {
    std::set<std::tuple<run::KernelKey, profile::Size3, profile::Size3>> seen;
    for (const run::Launch &launch : run.launches) {
      if (!launch.characterised())
        continue;
      const auto make = [file = folder / launch.profile, found = found_.at(run::likeOf(launch))] {
        profile::KernelProfile profile = profile::readProfile(file);
        run::setFound(profile, found);
        return profile;
      };
      const LazyProfile &content = files_.try_emplace(launch.profile, make).first->second;
      if (seen.emplace(kernelOf(launch), launch.globalSize, launch.localSize).second)
        (*sizes_)[kernelOf(launch)].push_back({launchOf(launch), content});
    }
  }

  LazyProfile of(const run::Launch &launch) {
    const LazyProfile &content = files_.at(launch.profile);
    const bool isFirst = launch.characterised() && used_.insert(launch.profile).second;
    return isFirst ? content : standingFor(launch, content);
  }

private:
  struct Known {
    profile::LaunchKey launch;
    LazyProfile profile;
  };
  /// By kernel: a launch of each size.
  using Sizes = std::map<run::KernelKey, std::vector<Known>>;

  static profile::LaunchKey launchOf(const run::Launch &launch) {
    return {launch.kernel, launch.workDim, launch.globalSize, launch.localSize};
  }

  /// The profile of another launch with the sizes and transfers of this one.
  LazyProfile standingFor(const run::Launch &launch, const LazyProfile &other) {
    std::optional<uint64_t> number;
    if (numbered_ && launch.characterised())
      number = launch.invocation;
    const auto make = [other, number, sizes = sizes_, kernel = kernelOf(launch),
                       wanted = launchOf(launch), found = found_.at(run::likeOf(launch)),
                       toDevice = launch.hostToDevice, toHost = launch.deviceToHost] {
      profile::KernelProfile profile = *other;
      profile.provenance.invocation = number.value_or(profile.provenance.invocation);
      if (profile::launchOf(profile.provenance) != wanted) {
        profile = scaled(wanted, profile, (*sizes)[kernel]);
        run::setFound(profile, found);
      }
      run::setTransfers(profile, toDevice, toHost);
      return profile;
    };
    return standing_
        .try_emplace({launch.profile, number, launch.globalSize, launch.localSize,
                      launch.hostToDevice.bytes, launch.hostToDevice.transfers,
                      launch.deviceToHost.bytes, launch.deviceToHost.transfers},
                     make)
        .first->second;
  }

  /// From the nearest profile, or from it and another if their sizes differ enough.
  static profile::KernelProfile scaled(const profile::LaunchKey &wanted,
                                       const profile::KernelProfile &nearest,
                                       const std::vector<Known> &sizes) {
    std::vector<profile::LaunchKey> launches = {profile::launchOf(nearest.provenance)};
    for (const Known &known : sizes)
      launches.push_back(known.launch);
    const auto result = scaling::scaledTo(
        wanted, launches, [&](size_t i) { return i == 0 ? &nearest : &*sizes[i - 1].profile; });
    return result ? result->profile : nearest;
  }

  bool numbered_;
  std::map<run::LaunchesAlike, run::FoundInCaches> found_;
  std::map<std::string, LazyProfile> files_;
  std::set<std::string> used_; ///< by the launch that each was written for
  std::shared_ptr<Sizes> sizes_ = std::make_shared<Sizes>();
  std::map<std::tuple<std::string, std::optional<uint64_t>, profile::Size3, profile::Size3,
                      uint64_t, uint64_t, uint64_t, uint64_t>,
           LazyProfile>
      standing_;
};

std::shared_ptr<const SeenDevice> seenIn(const run::Run &run) {
  if (run.answeredAs.device.empty())
    return nullptr;
  auto seen = std::make_shared<SeenDevice>(SeenDevice{run.command, run.answeredAs.type, {}});
  for (const std::string &question : run.asked)
    if (predict::decidesLaunches(question))
      seen->asked.push_back(question);
  return seen;
}

/// Takes the profiles that are not in the folder from the launches. Returns how many these are.
size_t forgetMissing(run::Run &run, std::set<std::string> &unlisted) {
  std::set<std::string> listed; // and in the folder
  size_t missing = 0;
  for (run::Launch &launch : run.launches) {
    if (!launch.hasProfile())
      continue;
    if (unlisted.erase(launch.profile) > 0) {
      listed.insert(launch.profile);
    } else if (!listed.contains(launch.profile)) {
      missing += launch.characterised();
      launch.profile.clear();
      launch.representative.reset();
    }
  }
  return missing;
}

/// NamedProfile::errorFactor of a launch that the nearest one represents. `kernels`: none where
/// nothing is added up.
double errorFactorOf(const run::Launch &launch, const std::vector<run::KernelCoverage> &kernels) {
  if (!launch.nearestTo)
    return 1;
  const auto found = std::ranges::find(kernels, run::kernelOf(launch), &run::KernelCoverage::key);
  if (found == kernels.end())
    return 1;
  const run::KernelCoverage &kernel = *found;
  if (kernel.error || kernel.sameWork)
    return 1 + kernel.error.value_or(0);
  constexpr double kSomeRatio = 8; // what other arguments do is not known: as for another size
  return scaling::scalingAccuracy(kSomeRatio, 1).mostFactor;
}

/// Adds the profiles of one run, in the order of its launches, and takes them out of `unlisted`.
void addRun(const fs::path &file, std::set<std::string> &unlisted, Coverage *coverage,
            std::vector<NamedProfile> &profiles) {
  run::Run run = run::readRun(file);
  const size_t missing = forgetMissing(run, unlisted);
  std::vector<run::KernelCoverage> kernels;
  if (coverage) {
    kernels = run::estimateFromNearest(run);
    coverage->runs.push_back(
        {run::commandLine(run), run.launches.size(), run.finished(), run.cutOffBy, kernels});
  }
  RunProfiles contents(file.parent_path(), run, !coverage);
  const auto seen = seenIn(run);
  for (run::Launch &launch : run.launches) {
    if (!launch.hasProfile())
      continue;
    LazyProfile content = contents.of(launch);
    const double errorFactor = errorFactorOf(launch, kernels);
    profiles.emplace_back(file.parent_path(), std::move(launch), std::move(content));
    profiles.back().seen = seen;
    profiles.back().errorFactor = errorFactor;
  }
  if (missing > 0)
    command_line::warn(fmt::format("{}: {} of its profiles {} not in the folder", file.string(),
                                   missing, missing == 1 ? "is" : "are"));
  if (!run.finished())
    command_line::warn(fmt::format("{}: the run of '{}' has not ended, or was killed",
                                   file.string(), run::commandLine(run)));
  if (!run.errors.empty())
    command_line::warn(fmt::format(
        "{}: not all of the run of '{}' is there: {}{}", file.string(), run::commandLine(run),
        text::printable(run.errors.front(), 1000),
        run.errors.size() > 1 ? fmt::format(", and {} more errors", run.errors.size() - 1) : ""));
}

void addFolder(const fs::path &folder, Coverage *coverage, std::vector<NamedProfile> &profiles) {
  const run::FolderContent content = run::contentOf(folder);
  std::set<std::string> unlisted;
  for (const fs::path &file : content.profiles)
    unlisted.insert(file.filename().string());
  for (const fs::path &file : content.runs)
    addRun(file, unlisted, coverage, profiles);
  if (coverage && !unlisted.empty())
    coverage->onlyRuns = false;
  for (const fs::path &file : content.profiles)
    if (unlisted.contains(file.filename().string()))
      profiles.emplace_back(file.string(), profile::readProfile(file), true);
  if (!content.isRun())
    for (const fs::path &inner : content.folders)
      addFolder(inner, coverage, profiles);
}

/// Throws Error for the path of nothing, with what the user may have meant, and for a run.json.
void requireProfile(const fs::path &argument) {
  std::error_code error;
  if (argument.filename() == "run.json")
    throw Error(fmt::format("{}: is the list of a run's launches: expected its folder",
                            text::printable(argument.string())));
  if (isStandardInput(argument.string()) || fs::exists(argument, error) || error)
    return;
  const fs::path folder = argument.has_parent_path() ? argument.parent_path() : ".";
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names); // as the closest one, the first of several
  const std::string meant = closestWord(argument.filename().string(), names);
  const std::string close = text::printable((argument.parent_path() / meant).string(), 200);
  throw Error(fmt::format("{}: there is no such file or folder: {}",
                          text::printable(argument.string(), 200),
                          meant.empty() ? "expected the folder of a run, or a profile"
                                        : "did you mean " + close + "?"));
}

} // namespace

NamedProfile::NamedProfile(const fs::path &folder, run::Launch listed, LazyProfile content)
    : file((folder / listed.profile).string()), launch(std::move(listed)),
      profile(std::move(content)), fromFolder(true) {
  // A name from the file of a run leads nowhere else.
  const fs::path name = launch.source;
  std::error_code ignored;
  if (!name.empty() && name == name.filename() && fs::is_regular_file(folder / name, ignored))
    source = (folder / name).string();
}

bool isStandardInput(const std::string &argument) {
  return argument == "-" || argument == "/dev/stdin";
}

profile::KernelProfile readProfile(const std::string &argument) {
  constexpr std::string_view kExpected = "a JSON profile";
  if (!isStandardInput(argument)) {
    profile::KernelProfile profile = profile::fromJson(
        readFileOrPipe(argument, kExpected, profile::kMaximumJsonBytes), argument);
    run::setFoundOf(argument, profile);
    return profile;
  }
  const std::string name = "standard input";
  return profile::fromJson(readStandardInput(name, kExpected, profile::kMaximumJsonBytes), name);
}

std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments,
                                       Coverage *coverage) {
  std::vector<NamedProfile> profiles;
  for (const std::string &argument : arguments) {
    std::error_code ignored; // readProfile says what is wrong with it
    if (isStandardInput(argument) || !std::filesystem::is_directory(argument, ignored)) {
      requireProfile(argument);
      profiles.emplace_back(argument, readProfile(argument));
      if (coverage)
        coverage->onlyRuns = false;
      continue;
    }
    const size_t before = profiles.size();
    addFolder(argument, coverage, profiles);
    if (profiles.size() == before)
      throw Error(argument + ": has no profiles: expected the folder of a run, or files "
                             "aiwc_*.json in this folder or in folders in it");
  }
  return profiles;
}

bool areAlternatives(const std::vector<std::string> &arguments) {
  return arguments.size() > 1 && std::ranges::all_of(arguments, [](const std::string &argument) {
           return std::filesystem::is_regular_file(std::filesystem::path(argument) / "run.json");
         });
}

std::vector<std::string> namesOfFolders(const std::vector<std::string> &paths) {
  std::vector<std::string> names;
  for (const std::string &path : paths) {
    std::filesystem::path folder = std::filesystem::path(path).lexically_normal();
    if (!folder.has_filename())
      folder = folder.parent_path();
    names.push_back(folder.filename().string());
  }
  const std::vector<std::string> last = names;
  for (size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(last, last[i]) > 1 || last[i] == "..")
      names[i] = paths[i];
  return names;
}

void leaveRepresentedOut(std::vector<NamedProfile> &profiles) {
  std::erase_if(profiles, [](const NamedProfile &named) { return !named.launch.characterised(); });
}

std::string toJsonArray(const std::vector<NamedProfile> &profiles) {
  std::string text = "[\n";
  for (const NamedProfile &named : profiles) {
    if (text.size() > 2)
      text.insert(text.size() - 1, ",");
    text += profile::toJson(*named.profile);
  }
  return text + "]\n";
}

Option addDevicesOption(Command command, std::string &ids, const std::string &about) {
  return command
      .option("--devices", &ids,
              about + ": ids, or types (gpu, cpu, integrated_gpu, accelerator), "
                      "separated by commas, or all")
      .type("IDS")
      .showDefault();
}

std::vector<predict::DeviceProfile> devicesWithRepeats(const predict::DeviceLibrary &library,
                                                       std::string_view ids) {
  std::vector<predict::DeviceProfile> devices;
  if (predict::namesGroup(ids))
    for (const predict::DeviceProfile *device : library.select(ids))
      devices.push_back(*device);
  else
    for (const std::string &id : text::split(ids, ','))
      devices.push_back(library[id]);
  return devices;
}

predict::DeviceLibrary loadDevices() {
  return predict::DeviceLibrary(predict::deviceFolders());
}

std::vector<predict::DeviceProfile> loadDevices(std::string_view ids) {
  const predict::DeviceLibrary library = loadDevices();
  std::vector<predict::DeviceProfile> devices;
  for (const predict::DeviceProfile *device : library.select(ids))
    devices.push_back(*device);
  return devices;
}

std::string leaveIncompleteOut(std::vector<NamedProfile> &profiles, std::string_view command) {
  const auto isLeftOut = [](const NamedProfile &named) {
    return named.fromFolder && !named.launch.complete;
  };
  const size_t all = profiles.size();
  const auto left = std::ranges::count_if(profiles, isLeftOut);
  if (left == 0 || left == std::ssize(profiles))
    return {};
  const std::string first = std::ranges::find_if(profiles, isLeftOut)->file;
  std::erase_if(profiles, isLeftOut);
  return fmt::format("{}: {} of {} profiles left out, because {} incomplete: {}{}", command, left,
                     all, left == 1 ? "it is" : "they are", text::printable(first, 4096),
                     left > 1 ? ", ..." : "");
}

} // namespace aiwc::cli
