#include "launcher/report.h"

#include "common/error.h"
#include "common/write.h"
#include "predict/costed_launch.h"
#include "predict/device_library.h"
#include "predict/fitted/fitted_cost_model.h"
#include "predict/report.h"
#include "processes/program.h"
#include "profile/json.h"
#include "run/found_in_caches.h"
#include "run/summary.h"
#include "session/escape.h"
#include "text/text.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace aiwc::launcher {
namespace {

constexpr std::size_t kMostErrors = 5;
constexpr std::size_t kMostKernels = 5;

// The options that exclude kernels or invocations; empty if there are none.
std::string selection(const SessionOptions &options) {
  std::string text;
  if (!options.kernels.empty())
    text = "--aiwc-kernel '" + options.kernels + "'";
  if (options.invocations != SessionOptions().invocations)
    text += (text.empty() ? "" : " with ") + std::string("--aiwc-invocations");
  return text;
}

std::string whyNothing(const SessionStatus &status, const SessionOptions &options) {
  if (!status.loaded)
    return "the application created no context in the simulator (does it do more with OpenCL, CUDA "
           "or HIP than ask for devices? CUDA and HIP programs are compiled by aiwc build; static "
           "and setuid programs, and those that clear their environment, do not load Oclgrind)";
  if (status.kernels.empty())
    return "the application created a context, but no kernel ran in it";
  const std::string wanted = selection(options);
  const std::string kernels = text::someOf(status.kernels, kMostKernels);
  return wanted.empty() ? "no invocation of " + kernels + " was finished"
                        : wanted + " selects no finished invocation of " + kernels;
}

/// The folder as a user in the current folder would name it, quoted for a shell if necessary.
std::string asNamed(const std::filesystem::path &folder) {
  std::error_code failed;
  const auto current = std::filesystem::current_path(failed);
  const auto relative = failed ? folder : folder.lexically_relative(current);
  return processes::shellWord(relative.empty() || relative.native().starts_with("..")
                                  ? folder.string()
                                  : relative.string());
}

} // namespace

void complain(const std::string &message) {
  writeAll(STDERR_FILENO, "aiwc: " + escapeLine(asTyped(message)) + "\n");
}

namespace {

void reportErrors(const SessionStatus &status) {
  for (std::size_t i = 0; i < std::min(status.errors.size(), kMostErrors); ++i)
    complain(status.errors[i]);
  if (status.errors.size() > kMostErrors)
    complain("and " + std::to_string(status.errors.size() - kMostErrors) + " more errors");
}

constexpr std::size_t kMostTimed = 12;

/// What the launches of a kernel took.
struct KernelTimes {
  std::string name; ///< printable
  std::uint64_t launches = 0;
  std::uint64_t warmUps = 0, warmUpNanos = 0;
  std::uint64_t nanos = 0;         ///< of the other launches that were measured
  std::vector<std::uint64_t> each; ///< likewise
  bool firstOnly = false;          ///< whether one of these is the first that followed no other
};

std::string duration(std::uint64_t nanos) {
  constexpr double kNanosPerSecond = 1e9;
  return predict::duration(static_cast<double>(nanos) / kNanosPerSecond);
}

/// Of all kernels, the longest first.
std::vector<KernelTimes> kernelTimesOf(const run::Run &run) {
  std::vector<KernelTimes> kernels;
  std::unordered_map<std::string, std::size_t> places; // by name
  for (const run::Launch &launch : run.launches) {
    const auto [place, isNew] = places.try_emplace(launch.kernel, kernels.size());
    if (isNew)
      kernels.emplace_back().name = text::printable(launch.kernel, 40);
    KernelTimes &kernel = kernels[place->second];
    ++kernel.launches;
    if (!launch.measured)
      continue;
    if (launch.measured->first == run::FirstLaunch::kWarmUp) {
      ++kernel.warmUps;
      kernel.warmUpNanos += launch.measured->nanos;
      continue;
    }
    kernel.nanos += launch.measured->nanos;
    kernel.each.push_back(launch.measured->nanos);
    kernel.firstOnly |= launch.measured->first == run::FirstLaunch::kAlone;
  }
  std::ranges::stable_sort(kernels, std::ranges::greater(), &KernelTimes::nanos);
  return kernels;
}

std::string timeLine(KernelTimes &kernel, std::size_t width) {
  std::string line = "  " + kernel.name + std::string(width - kernel.name.size() + 2, ' ') +
                     text::counted(kernel.launches, "launch");
  if (kernel.each.empty())
    return line + ", without a time: the device gives none";
  const auto middle = kernel.each.begin() + static_cast<std::ptrdiff_t>(kernel.each.size() / 2);
  std::ranges::nth_element(kernel.each, middle);
  line += ", " + duration(kernel.nanos);
  if (kernel.each.size() > 1)
    line += ", median " + duration(*middle);
  if (kernel.warmUps > 0)
    line += kernel.warmUps == 1
                ? ", without the first, a warm-up of " + duration(kernel.warmUpNanos)
                : fmt::format(", without {} first ones, warm-ups of {}", kernel.warmUps,
                              duration(kernel.warmUpNanos));
  if (kernel.firstOnly)
    line += kernel.each.size() == 1 ? " (its first launch, which may contain compilation)"
                                    : " (first launches among them, which may contain compilation)";
  if (const std::uint64_t timed = kernel.each.size() + kernel.warmUps; timed < kernel.launches)
    line += "; " + std::to_string(kernel.launches - timed) + " without a time";
  return line;
}

/// How many launches were measured, on which devices; a line per kernel; the transfers.
std::vector<std::string> timeLines(const run::Run &run, const std::string &folder) {
  std::vector<KernelTimes> kernels = kernelTimesOf(run);
  std::set<std::string> devices;
  run::Transfers transfers;
  for (const run::Launch &launch : run.launches) {
    if (launch.measured)
      devices.insert(launch.measured->device);
    for (const run::Transfers &of : {launch.hostToDevice, launch.deviceToHost}) {
      transfers.transfers += of.transfers;
      transfers.nanos += of.nanos;
    }
  }
  std::string on;
  for (const std::string &device : devices)
    on += (on.empty() ? " on " : " and ") + text::printable(device, 60);
  const auto characterised = std::ranges::count_if(run.launches, &run::Launch::characterised);
  std::vector<std::string> lines = {
      text::counted(run.launches.size(), "launch") + " of " +
      text::counted(kernels.size(), "kernel") + " measured" + on +
      (characterised > 0 ? ", " + std::to_string(characterised) + " characterised" : "") +
      "; see them beside predictions: aiwc predict " +
      (characterised > 0 ? folder : "RUN --measured " + folder)};
  std::size_t width = 0;
  for (const KernelTimes &kernel : kernels)
    width = std::max(width, kernel.name.size());
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostTimed); ++i)
    lines.push_back(timeLine(kernels[i], width));
  if (kernels.size() > kMostTimed)
    lines.push_back("  and " + text::counted(kernels.size() - kMostTimed, "more kernel"));
  if (transfers.nanos > 0)
    lines.push_back("  " + text::counted(transfers.transfers, "transfer") + ", " +
                    duration(transfers.nanos));
  return lines;
}

} // namespace

void reportLeft(std::size_t left, bool isRunning, const SessionOptions &options) {
  const std::string command = "aiwc attach --resume " + asNamed(options.output);
  if (isRunning)
    complain("when all of the application has ended, captured launches may be left: " + command +
             " goes on with them");
  else if (left > 0)
    complain(text::counted(left, "captured launch") + (left == 1 ? " is left: " : " are left: ") +
             command + (left == 1 ? " goes on with it" : " goes on with them"));
}

void reportTimes(const SessionStatus &status, const run::Run &run, const SessionOptions &options,
                 const std::string &openCl, bool isPreloaded) {
  reportErrors(status);
  if (options.quiet)
    return;
  if (!status.loaded && !openCl.empty())
    complain("no launch was measured: the application uses OpenCL by " + openCl +
             (isPreloaded ? ", which has no layers, and which it opens itself (dlopen): give it a "
                            "loader that has (Debian's ocl-icd or Khronos' from version 3.0), by "
                            "LD_LIBRARY_PATH or LD_PRELOAD"
                          : ", which has no layers: try --preload"));
  else if (!status.loaded)
    complain("no launch was measured: the application loaded no OpenCL loader with layers (does it "
             "use OpenCL? a static program, or one with a loader of its own, has none)");
  else if (run.launches.empty())
    complain("no launch was measured: the application launched no kernel");
  for (const std::string &note : status.notes)
    complain(note);
  if (!run.launches.empty())
    for (const std::string &line : timeLines(run, asNamed(options.output)))
      complain(line);
}

namespace {

/// On the device that the user chose, or on that of the usual ones on which the launches take the
/// least. None if a profile does not tell, or there are too many to read at the end of a run.
std::optional<run::PredictedTimes> predictedTimes(const run::Run &run,
                                                  const SessionOptions &options) try {
  constexpr std::size_t kMostRead = 1000;
  std::map<std::string, double> launchesOf; // by profile
  for (const run::Launch &launch : run.launches)
    if (launch.hasProfile())
      ++launchesOf[launch.profile];
  if (launchesOf.empty() || launchesOf.size() > kMostRead)
    return std::nullopt;
  const predict::DeviceLibrary library(predict::deviceFolders());
  const auto devices =
      library.select(options.device.empty() ? predict::kUsualDevices : options.device);
  std::vector<run::PredictedTimes> times(devices.size());
  std::vector<double> all(devices.size());
  const auto found = run::foundInCaches(run);
  for (const auto &[file, launches] : launchesOf) {
    profile::KernelProfile profile = profile::readProfile(options.output / file);
    run::setFound(profile, found, file);
    const predict::CostedLaunch launch(profile, predict::publishedModel());
    for (std::size_t i = 0; i < devices.size(); ++i) {
      times[i].device = devices[i]->id;
      times[i].seconds[file] = launch.cost(*devices[i]).seconds;
      all[i] += launches * times[i].seconds[file];
    }
  }
  return times[static_cast<std::size_t>(std::ranges::min_element(all) - all.begin())];
} catch (const Error &) {
  return std::nullopt;
}

} // namespace

void report(const SessionStatus &status, const run::Run &run, const SessionOptions &options) {
  reportErrors(status);
  const bool hasSaidWhy = run::isKernelHost(run.command) && run.status != 0;
  if (status.profiles == 0 && status.errors.empty() && !hasSaidWhy &&
      !(options.quiet && (options.allowEmpty || run.status != 0)))
    complain("nothing was characterised: " + whyNothing(status, options));
  if (options.quiet)
    return;
  for (const std::string &line :
       summaryOf(run, asNamed(options.output), predictedTimes(run, options)))
    complain(line);
  for (const std::string &line : {run::unfinishedLine(run), run::timeLine(run)})
    if (!line.empty())
      complain(line);
  if (const std::string line = engineLine(run);
      status.profiles > 0 && options.engine != EngineChoice::kInterpreter && !line.empty())
    complain(line);
}

} // namespace aiwc::launcher
