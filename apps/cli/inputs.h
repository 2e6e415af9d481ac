/// Reads the inputs of subcommands: profiles and devices.
#pragma once

#include "command.h"
#include "predict/device_library.h"
#include "profile/json.h"
#include "profile/kernel_profile.h"
#include "run/launch.h"
#include "run/nearest_launches.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aiwc::cli {

using predict::kUsualDevices;

/// A profile that is loaded on first use; most launches never need theirs. Copies share it.
class LazyProfile {
public:
  LazyProfile(profile::KernelProfile profile) // NOLINT(google-explicit-constructor)
      : shared_(std::make_shared<Shared>(Shared{{}, std::move(profile)})) {}
  /// Each use throws whatever `make` does.
  explicit LazyProfile(std::function<profile::KernelProfile()> make)
      : shared_(std::make_shared<Shared>(Shared{std::move(make), {}})) {}

  const profile::KernelProfile &operator*() const {
    if (!shared_->profile)
      shared_->profile = shared_->make();
    return *shared_->profile;
  }
  const profile::KernelProfile *operator->() const { return &**this; }

private:
  struct Shared {
    std::function<profile::KernelProfile()> make;
    std::optional<profile::KernelProfile> profile; ///< none until it is used
  };
  std::shared_ptr<Shared> shared_;
};

/// The device that an application saw in a run.
struct SeenDevice {
  std::vector<std::string> command; ///< the application's
  std::string type;                 ///< as run::AnsweredAs
  std::vector<std::string> asked;   ///< what decides what the application launches
};

struct NamedProfile {
  /// Of a profile that has been read already.
  NamedProfile(std::string name, profile::KernelProfile content, bool inFolder = false)
      : file(std::move(name)), launch(run::launchOf(content, file)), profile(std::move(content)),
        fromFolder(inFolder) {}
  /// Of a launch that a run lists, and its profile.
  NamedProfile(const std::filesystem::path &folder, run::Launch listed, LazyProfile content);

  std::string file;
  run::Launch launch; ///< what is known of it without reading its profile
  LazyProfile profile;
  bool fromFolder = false; ///< whether the argument was its folder, not the file itself
  /// The annotated kernel that it is embedded in; empty for others, whose `file` has nothing else.
  std::string container = {};
  /// The file with the source that the profile's line numbers refer to; empty if it was not kept.
  std::string source = {};
  std::shared_ptr<const SeenDevice> seen = {}; ///< null if it is not known
  /// By what factor costs that are predicted from the profile may be off, because it is an estimate
  /// of another launch: nine of ten are within it. 1 if the launch was characterised.
  double errorFactor = 1;
};

/// What `readProfiles` knows of the launches that it does not return.
struct Coverage {
  struct Run {
    std::string command;
    uint64_t launches = 0;
    bool finished = false;
    uint64_t cutOffBy = 0; ///< as in run::Run
    std::vector<run::KernelCoverage> kernels;
  };
  std::vector<Run> runs;
  bool onlyRuns = true; ///< whether all profiles are listed by these
};

/// Whether the argument names standard input: `-` or `/dev/stdin`.
bool isStandardInput(const std::string &argument);

/// The profile in a JSON file, in a pipe, or in standard input.
profile::KernelProfile readProfile(const std::string &argument);

/// The profiles that the arguments name, which are no annotated kernels. Launches that share a file
/// each have a profile with their own transfers and number. A launch that another one's profile
/// represents (run::Launch::representative) has that profile, with its own transfers. An
/// argument is one that `readProfile` reads, or a folder: that of a run, whose profiles come in the
/// order of the launches; any other with files `aiwc_*.json`, ordered by kernel and number; or one
/// with such folders in it, at any depth. What a folder lacks that its run lists is told on
/// standard error. With `coverage`, whoever adds launches up also gets those that were not
/// characterised, with the profile of the nearest launch (run/nearest_launches.h), scaled where the
/// sizes differ. Throws Error for an argument that is none of these, for a folder without profiles,
/// and whenever `profile::readProfile` or `run::readRun` does.
std::vector<NamedProfile> readProfiles(const std::vector<std::string> &arguments,
                                       Coverage *coverage = nullptr);

/// Whether the arguments are several runs: alternatives, which people compare, not parts of one
/// application.
bool areAlternatives(const std::vector<std::string> &arguments);
/// The last name of each path, or all of it where others have the same.
std::vector<std::string> namesOfFolders(const std::vector<std::string> &paths);

/// Removes the launches that share another one's profile, so that each profile is seen once.
void leaveRepresentedOut(std::vector<NamedProfile> &profiles);

/// The profiles as a JSON array.
std::string toJsonArray(const std::vector<NamedProfile> &profiles);

/// Adds --devices, which `about` describes. `ids` has the default.
Option addDevicesOption(Command command, std::string &ids, const std::string &about);

/// A comma-separated list of ids as `DeviceLibrary::select` reads it, but in which a device may
/// occur twice: two cards of one model. Throws Error for an unknown id.
std::vector<predict::DeviceProfile> devicesWithRepeats(const predict::DeviceLibrary &library,
                                                       std::string_view ids);

/// The devices of predict::deviceFolders, which those of --device-dir are among
/// (takeProgramOptions). Throws Error whenever DeviceLibrary does.
predict::DeviceLibrary loadDevices();

/// Of these, the devices in a comma-separated list of ids. Throws Error whenever
/// DeviceLibrary::select does.
std::vector<predict::DeviceProfile> loadDevices(std::string_view ids);

/// Removes the incomplete profiles that were found in folders, if others remain, and returns a
/// warning of one line that begins with `command`; "" if nothing was removed. An incomplete profile
/// whose file the user named stays, and so do all if none is complete: the model says what is wrong
/// with them.
std::string leaveIncompleteOut(std::vector<NamedProfile> &profiles, std::string_view command);

} // namespace aiwc::cli
