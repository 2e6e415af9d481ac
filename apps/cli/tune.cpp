#include "tune.h"

#include "command_line/output.h"
#include "common/file.h"
#include "inputs.h"
#include "launcher.h"
#include "predict/costed_launch.h"
#include "rerun.h"
#include "run/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using advice::SizeTimes;
using advice::Tuning;

/// Runs a run's command again, with other local sizes.
class Reruns {
public:
  Reruns(const fs::path &folder, std::span<const predict::DeviceProfile> devices,
         const predict::FittedCostModel &model)
      : run_(runToRepeat(folder, "--tune")), folder_(fs::absolute(folder) / "tune"),
        devices_(devices), model_(model) {}

  Tuning tuned(const NamedProfile &heaviest) const {
    const profile::KernelProfile &profile = *heaviest.profile;
    Tuning tuning;
    for (const predict::DeviceProfile &device : devices_)
      tuning.devices.push_back(device.id);
    const std::string source =
        heaviest.source.empty() ? "" : readFile(heaviest.source, "the kernel's source");
    tuning.leftOut = advice::dependsOnLocalSize(profile, source);
    if (!tuning.leftOut.empty())
      return tuning;
    const auto candidates = advice::candidateLocalSizes(profile.provenance);
    if (candidates.empty()) {
      tuning.leftOut = "no other of 32 to 512 work-items divides its global size";
      return tuning;
    }
    const uint32_t dimensions = profile.provenance.workDim;
    tuning.localSizeLeftOpen = profile.provenance.localSizeLeftOpen;
    tuning.sizes.push_back(
        {profile::sizeText(profile.provenance.localSize, dimensions), secondsOf(profile), ""});
    for (size_t i = 0; i < candidates.size(); ++i)
      tuning.sizes.push_back(
          timesWith(candidates[i], heaviest, fmt::format("{} of {}", i + 1, candidates.size())));
    return tuning;
  }

  std::vector<double> secondsOf(const profile::KernelProfile &profile) const {
    const predict::CostedLaunch launch(profile, model_);
    std::vector<double> seconds;
    for (const predict::DeviceProfile &device : devices_)
      seconds.push_back(launch.cost(device).seconds);
    return seconds;
  }

private:
  SizeTimes timesWith(const profile::Size3 &size, const NamedProfile &now,
                      const std::string &which) const {
    const run::Launch &launch = now.launch;
    SizeTimes times;
    times.localSize = profile::sizeText(size, launch.workDim);
    const std::string name = fmt::format("{}-{}", launch.kernel, times.localSize);
    const fs::path folder = folder_ / name;
    std::optional<run::Run> again = endedRun(folder); // of an earlier call
    if (!again) {
      rerun(folder, launch, times.localSize, which);
      again = endedRun(folder);
    }
    times.refused = refusal(again, folder, now, size, times);
    return times;
  }

  void rerun(const fs::path &folder, const run::Launch &launch, const std::string &size,
             const std::string &which) const {
    std::error_code ignored;
    fs::remove_all(folder, ignored); // of a run that was cut short
    makeFolder("aiwc advise", folder_);
    std::vector<std::string> words = keptOptions(run_);
    words.insert(words.end(), {"--aiwc-output", folder.string(), "--aiwc-kernel", launch.kernel,
                               "--aiwc-invocations", std::to_string(launch.invocation),
                               "--aiwc-quiet", "--aiwc-local-size", launch.kernel + "=" + size});
    words.insert(words.end(), run_.command.begin(), run_.command.end());
    command_line::warn(
        fmt::format("aiwc advise: {} with local size {}: {}", launch.kernel, size, which));
    runAndWait("aiwc advise", std::move(words), run_.folder, folder.string() + ".txt");
  }

  /// Why the times of the run in `folder` are not those of the launch with this size; else sets the
  /// times.
  std::string refusal(const std::optional<run::Run> &again, const fs::path &folder,
                      const NamedProfile &now, const profile::Size3 &size, SizeTimes &times) const {
    const run::Launch &launch = now.launch;
    const std::string see = fmt::format(", see {}.txt", folder.string());
    if (!again)
      return "the application launched no kernel" + see;
    if (again->status != run_.status)
      return fmt::format("the application ended with status {} in place of {}{}", again->status,
                         run_.status, see);
    const auto same = std::ranges::find_if(again->launches, [&](const run::Launch &other) {
      return other.characterised() && other.kernel == launch.kernel &&
             other.invocation == launch.invocation && other.process == launch.process &&
             other.globalSize == launch.globalSize;
    });
    if (same == again->launches.end() || !same->complete)
      return "the application did not make the launch again" + see;
    if (same->simulatorErrors > launch.simulatorErrors)
      return "the simulator reported errors" + see;
    if (same->localSize != size)
      return "the launch kept its local size";
    profile::KernelProfile then = profile::readProfile(folder / fs::path(same->profile).filename());
    then.reuse.found = now.profile->reuse.found; // the launches before are the same
    times.seconds = secondsOf(then);
    return "";
  }

  run::Run run_;
  fs::path folder_;
  std::span<const predict::DeviceProfile> devices_;
  const predict::FittedCostModel &model_;
};

} // namespace

std::vector<std::optional<Tuning>> tune(const fs::path &folder,
                                        std::span<const KernelLaunches> kernels,
                                        std::span<const predict::DeviceProfile> devices,
                                        const predict::FittedCostModel &model) {
  const Reruns reruns(folder, devices, model);
  // By the time on the device that takes longest for the kernel.
  std::vector<double> seconds(kernels.size());
  for (size_t i = 0; i < kernels.size(); ++i) {
    std::vector<double> total(devices.size());
    for (const NamedProfile *named : kernels[i].profiles) {
      const std::vector<double> one = reruns.secondsOf(*named->profile);
      std::ranges::transform(total, one, total.begin(), std::plus());
    }
    seconds[i] = std::ranges::max(total);
  }
  std::vector<size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) { return seconds[i]; });
  order.resize(std::min(order.size(), kTunedKernels));
  std::vector<std::optional<Tuning>> tunings(kernels.size());
  for (const size_t i : order)
    tunings[i] = reruns.tuned(kernels[i].heaviest());
  return tunings;
}

} // namespace aiwc::cli
