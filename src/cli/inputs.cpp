#include "inputs.h"

#include "common/error.h"
#include "common/file.h"
#include "output.h"
#include "predict/opencl_device.h"
#include "profile/json.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

namespace aiwc::cli {

namespace fs = std::filesystem;

namespace {

/// The profiles of a run's launches.
class RunProfiles {
public:
  explicit RunProfiles(fs::path folder) : folder_(std::move(folder)) {}

  LazyProfile of(const run::Launch &launch) {
    const fs::path file = folder_ / launch.profile;
    if (!launch.alikeTo)
      return LazyProfile([file] { return profile::readProfile(file); });
    const auto key =
        std::tuple(launch.profile, launch.hostToDevice.bytes, launch.hostToDevice.transfers,
                   launch.deviceToHost.bytes, launch.deviceToHost.transfers);
    const auto withTransfers = [file, toDevice = launch.hostToDevice,
                                toHost = launch.deviceToHost] {
      profile::KernelProfile profile = profile::readProfile(file);
      run::setTransfers(profile, toDevice, toHost);
      return profile;
    };
    return alike_.try_emplace(key, withTransfers).first->second;
  }

private:
  using Key = std::tuple<std::string, uint64_t, uint64_t, uint64_t, uint64_t>;

  fs::path folder_;
  std::map<Key, LazyProfile> alike_; ///< by file and transfers
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

/// Adds the profiles of one run, in the order of its launches, and takes them out of `unlisted`.
void addRun(const fs::path &file, std::set<std::string> &unlisted,
            std::vector<NamedProfile> &profiles) {
  run::Run run = run::readRun(file);
  RunProfiles contents(file.parent_path());
  const auto seen = seenIn(run);
  std::set<std::string> listed; // and in the folder
  size_t missing = 0;
  for (run::Launch &launch : run.launches) {
    if (!launch.hasProfile())
      continue;
    if (unlisted.erase(launch.profile) > 0)
      listed.insert(launch.profile);
    else if (!launch.alikeTo || !listed.contains(launch.profile)) {
      missing += launch.characterised();
      continue;
    }
    LazyProfile content = contents.of(launch);
    profiles.emplace_back(file.parent_path(), std::move(launch), std::move(content));
    profiles.back().seen = seen;
  }
  if (missing > 0)
    warn(fmt::format("{}: {} of its profiles {} not in the folder", file.string(), missing,
                     missing == 1 ? "is" : "are"));
  if (!run.finished())
    warn(fmt::format("{}: the run of '{}' has not ended, or was killed", file.string(),
                     run::commandLine(run)));
  if (!run.errors.empty())
    warn(fmt::format(
        "{}: not all of the run of '{}' is there: {}{}", file.string(), run::commandLine(run),
        text::printable(run.errors.front(), 1000),
        run.errors.size() > 1 ? fmt::format(", and {} more errors", run.errors.size() - 1) : ""));
}

void addFolder(const fs::path &folder, std::vector<NamedProfile> &profiles) {
  const run::FolderContent content = run::contentOf(folder);
  std::set<std::string> unlisted;
  for (const fs::path &file : content.profiles)
    unlisted.insert(file.filename().string());
  for (const fs::path &file : content.runs)
    addRun(file, unlisted, profiles);
  for (const fs::path &file : content.profiles)
    if (unlisted.contains(file.filename().string()))
      profiles.emplace_back(file.string(), profile::readProfile(file), true);
  if (!content.isRun())
    for (const fs::path &inner : content.folders)
      addFolder(inner, profiles);
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
  if (!isStandardInput(argument))
    return profile::fromJson(readFileOrPipe(argument, kExpected, profile::kMaximumJsonBytes),
                             argument);
  const std::string name = "standard input";
  return profile::fromJson(readStandardInput(name, kExpected, profile::kMaximumJsonBytes), name);
}

std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments) {
  std::vector<NamedProfile> profiles;
  for (const std::string &argument : arguments) {
    std::error_code ignored; // readProfile says what is wrong with it
    if (isStandardInput(argument) || !std::filesystem::is_directory(argument, ignored)) {
      profiles.emplace_back(argument, readProfile(argument));
      continue;
    }
    const size_t before = profiles.size();
    addFolder(argument, profiles);
    if (profiles.size() == before)
      throw Error(argument + ": has no profiles: expected the folder of a run, or files "
                             "aiwc_*.json in this folder or in folders in it");
  }
  return profiles;
}

void leaveAlikeOut(std::vector<NamedProfile> &profiles) {
  std::erase_if(profiles,
                [](const NamedProfile &named) { return named.launch.alikeTo.has_value(); });
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

void addDeviceFolders(Command command, std::vector<std::string> &folders) {
  command
      .option("--device-dir", &folders,
              "Also take the devices of this folder, in place of others with the same ids; may be "
              "repeated")
      .type("DIR")
      .repeatable();
}

Option addDeviceOptions(Command command, std::string &ids, std::vector<std::string> &folders,
                        const std::string &about) {
  Option devices = command.option("--devices", &ids, about + ": ids, separated by commas, or all")
                       .type("IDS")
                       .showDefault();
  addDeviceFolders(command, folders);
  return devices;
}

std::vector<predict::DeviceProfile> devicesWithRepeats(const predict::DeviceLibrary &library,
                                                       std::string_view ids) {
  std::vector<predict::DeviceProfile> devices;
  if (ids == "all")
    for (const predict::DeviceProfile *device : library.select(ids))
      devices.push_back(*device);
  else
    for (const std::string &id : text::split(ids, ','))
      devices.push_back(library[id]);
  return devices;
}

predict::DeviceLibrary loadDevices(const std::vector<std::string> &folders) {
  return predict::DeviceLibrary(predict::deviceFolders({folders.begin(), folders.end()}));
}

std::vector<predict::DeviceProfile> loadDevices(const std::vector<std::string> &folders,
                                                std::string_view ids) {
  const predict::DeviceLibrary library = loadDevices(folders);
  std::vector<predict::DeviceProfile> devices;
  for (const predict::DeviceProfile *device : library.select(ids))
    devices.push_back(*device);
  return devices;
}

} // namespace aiwc::cli
