#include "run/summary.h"

#include "profile/kernel_words.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

namespace aiwc::run {
namespace {

constexpr std::size_t kMostReasons = 4;
constexpr std::size_t kMostKernels = 12;

/// A reason, and the kernels that it concerns.
struct Reason {
  std::string text;
  std::uint64_t launches = 0;
  std::vector<std::string> kernels;
};

/// Launches that one engine executed.
struct LaunchCount {
  std::uint64_t launches = 0;
  std::uint64_t withProfile = 0;   ///< of them
  std::uint64_t characterised = 0; ///< of them
  std::uint64_t alike = 0;         ///< represented by one of these (Launch::representative)
  std::uint64_t instructions = 0;  ///< of those with a profile

  void add(const Launch &launch) {
    ++launches;
    withProfile += launch.hasProfile();
    characterised += launch.characterised();
    alike += launch.representative.has_value();
    instructions += launch.instructions;
  }
  void add(const LaunchCount &other) {
    launches += other.launches;
    withProfile += other.withProfile;
    characterised += other.characterised;
    alike += other.alike;
    instructions += other.instructions;
  }
};

/// The launches of a run, by kernel and by the reason why the interpreter executed them; the reason
/// is empty for compiled launches. One that did not run is not counted.
std::map<KernelKey, std::map<std::string, LaunchCount>> countsOf(const Run &run) {
  std::map<KernelKey, std::map<std::string, LaunchCount>> counts;
  for (const Launch &launch : run.launches)
    if (launch.ran())
      counts[kernelOf(launch)][launch.engine == "compiled" ? "" : launch.engineReason].add(launch);
  return counts;
}

/// What is said of a kernel.
struct KernelCount {
  std::string name; ///< printable; with the source, if another kernel has this name
  std::string sourceHash, sourceKind;
  LaunchCount all;
  double weight = 0; ///< predicted time in seconds, or instructions
  std::uint64_t incomplete = 0, withErrors = 0, sampled = 0, leftOut = 0, leftOpen = 0;
};

/// Kernels of one name with different code are different kernels. The greatest weight first.
std::vector<KernelCount> kernelsOf(const Run &run, const std::optional<PredictedTimes> &predicted) {
  std::map<KernelKey, std::size_t> places;
  std::vector<profile::NamedCode> codes;
  std::vector<KernelCount> kernels;
  for (const Launch &launch : run.launches) {
    if (!launch.hasProfile())
      continue;
    const auto [place, isNew] = places.emplace(kernelOf(launch), kernels.size());
    if (isNew) {
      codes.push_back({launch.kernel, launch.sourceHash, launch.buildOptions});
      KernelCount &kernel = kernels.emplace_back();
      kernel.name = text::printable(launch.kernel, 40);
      kernel.sourceHash = launch.sourceHash;
      kernel.sourceKind = launch.sourceKind;
    }
    KernelCount &kernel = kernels[place->second];
    kernel.all.add(launch);
    kernel.weight += predicted ? predicted->seconds.at(launch.profile)
                               : static_cast<double>(launch.instructions);
    kernel.incomplete += !launch.complete;
    kernel.withErrors += launch.simulatorErrors > 0;
    kernel.sampled += launch.sampledGroups > 0;
    kernel.leftOut += launch.othersLeftOut;
    kernel.leftOpen += launch.localSizeLeftOpen;
  }
  const std::vector<std::string> apart = profile::toldApart(codes);
  for (std::size_t i = 0; i < kernels.size(); ++i)
    kernels[i].name += apart[i];
  std::ranges::stable_sort(kernels, std::ranges::greater(), &KernelCount::weight);
  return kernels;
}

std::string share(std::uint64_t part, std::uint64_t whole, std::string_view noun) {
  return text::formatReadable(part) + " of " + text::counted(whole, noun);
}

/// In per cent with one digit, rounded towards zero: less than all is never 100.0.
std::string percentage(double part, double whole) {
  const auto perMille = part == whole ? 1000 : std::min(999, static_cast<int>(1000 * part / whole));
  return std::to_string(perMille / 10) + "." + std::to_string(perMille % 10) + " %";
}

std::string listOf(std::vector<Reason> reasons) {
  std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::launches);
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i)
    text += "; interpreted " + text::counted(reasons[i].launches, "launch") + " of " +
            text::someOf(reasons[i].kernels) + ": " + reasons[i].text;
  if (reasons.size() > kMostReasons)
    text += "; and others for " + text::counted(reasons.size() - kMostReasons, "more reason");
  return text;
}

/// `whole`: the weight of all kernels, which is `what`.
std::string kernelLine(const KernelCount &kernel, double whole, const std::string &what,
                       std::size_t width) {
  std::string text = text::counted(kernel.all.launches, "launch");
  if (kernel.all.characterised < kernel.all.launches)
    text += fmt::format(" ({} characterised{})", text::formatReadable(kernel.all.characterised),
                        kernel.all.alike > 0
                            ? fmt::format(", {} like them", text::formatReadable(kernel.all.alike))
                            : "");
  if (whole > 0)
    text += ", " + percentage(kernel.weight, whole) + " of the " + what;
  if (kernel.sampled > 0)
    text +=
        fmt::format("; {} estimated from some of the work-groups",
                    kernel.sampled == kernel.all.launches ? std::string("all")
                                                          : text::formatReadable(kernel.sampled));
  if (kernel.leftOut > 0)
    text += kernel.leftOut == kernel.sampled ? "; the others did not run"
                                             : fmt::format("; of {} the others did not run",
                                                           text::formatReadable(kernel.leftOut));
  if (kernel.leftOpen > 0)
    text += kernel.leftOpen == kernel.all.launches
                ? std::string("; the application gives no local size")
                : fmt::format("; the application gives no local size for {}",
                              text::formatReadable(kernel.leftOpen));
  if (kernel.withErrors > 0)
    text += fmt::format(
        "; the simulator reported errors in {}: the numbers may be wrong",
        kernel.withErrors == kernel.all.launches ? "all" : text::formatReadable(kernel.withErrors));
  if (kernel.incomplete > 0)
    text += fmt::format("; {} incomplete", text::formatReadable(kernel.incomplete));
  return fmt::format("  {:<{}}  {}", kernel.name, width,
                     profile::inWordsOf(kernel.sourceKind, std::move(text)));
}

} // namespace

std::vector<std::string> summaryOf(const Run &run, const std::string &folder,
                                   const std::optional<PredictedTimes> &predicted) {
  const std::vector<KernelCount> kernels = kernelsOf(run, predicted);
  if (kernels.empty())
    return {};
  LaunchCount all;
  std::size_t width = 0;
  double whole = 0;
  for (const KernelCount &kernel : kernels) {
    all.add(kernel.all);
    whole += kernel.weight;
    width = std::max(width, kernel.name.size());
  }
  std::string first = text::counted(all.characterised, "launch") + " of " +
                      text::counted(kernels.size(), "kernel") + " characterised";
  if (all.characterised < run.launches.size())
    first +=
        " (of " + text::counted(run.launches.size(), "launch") +
        (all.alike > 0 ? fmt::format(", {} like these", text::formatReadable(all.alike)) : "") +
        ")";
  if (run.seconds)
    first += fmt::format(" in {:.3g} s", *run.seconds);
  if (run.cutOffBy > 0)
    first += fmt::format(", cut off by {}", signalName(run.cutOffBy));
  std::vector<std::string> lines;
  lines.reserve(kMostKernels + 2);
  lines.push_back(first + "; look at them with: aiwc show " + folder);
  for (std::size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i)
    lines.push_back(
        kernelLine(kernels[i], whole,
                   predicted ? "predicted time on " + predicted->device : "instructions", width));
  if (kernels.size() > kMostKernels)
    lines.push_back(
        fmt::format("  and {} more", text::counted(kernels.size() - kMostKernels, "kernel")));
  return lines;
}

std::string timeLine(const Run &run) {
  constexpr double kLong = 30;
  constexpr std::size_t kMostTimed = 3;
  struct Time {
    std::string kernel;
    double seconds = 0;
    std::uint64_t launches = 0;
  };
  std::map<std::string, Time> byName;
  double inLaunches = 0;
  for (const Launch &launch : run.launches) {
    Time &time = byName[launch.kernel];
    time.kernel = text::printable(launch.kernel, 40);
    time.seconds += launch.seconds;
    ++time.launches;
    inLaunches += launch.seconds;
  }
  const double all = run.seconds.value_or(0);
  if (all < kLong || inLaunches <= 0)
    return "";
  std::vector<Time> times;
  times.reserve(byName.size());
  for (auto &[name, time] : byName)
    times.push_back(std::move(time));
  std::ranges::stable_sort(times, std::ranges::greater(), &Time::seconds);
  const auto shareOf = [&](double seconds) {
    return fmt::format("{:.0f} %", 100 * std::clamp(seconds / all, 0.0, 1.0));
  };
  std::string text = "of " + text::formatWait(all);
  for (std::size_t i = 0; i < std::min(times.size(), kMostTimed); ++i)
    text += fmt::format(", {} {}{} ({})", times[i].kernel, i == 0 ? "took " : "",
                        shareOf(times[i].seconds), text::counted(times[i].launches, "launch"));
  if (times.size() > kMostTimed)
    text += fmt::format(", and {}", text::counted(times.size() - kMostTimed, "more kernel"));
  return text + "; " + shareOf(all - inLaunches) + " passed outside of launches" +
         (run.cutOffBy > 0 ? " or in one that was cut off" : "");
}

std::string unfinishedLine(const Run &run) {
  const auto first = std::ranges::find_if(run.launches, &Launch::othersLeftOut);
  if (first == run.launches.end())
    return "";
  const auto count = std::ranges::count_if(run.launches, &Launch::othersLeftOut);
  const auto idle = std::ranges::count_if(run.launches, std::not_fn(&Launch::ran));
  return fmt::format(
      "--aiwc-budget left work-groups out of {}{}, first of launch {} ({}): the results are wrong, "
      "what later launches read of them is unfinished, and loops of the application on them may "
      "end early or never",
      share(static_cast<std::uint64_t>(count), run.launches.size(), "launch"),
      idle > 0 ? fmt::format(", {} of which did not run at all",
                             text::formatReadable(static_cast<std::uint64_t>(idle)))
               : "",
      text::formatReadable(first->number + 1), text::printable(first->kernel, 40));
}

std::string engineLine(const Run &run) {
  const auto counts = countsOf(run);
  LaunchCount all, compiled;
  std::uint64_t compiledKernels = 0;
  std::map<std::string, Reason> reasons;
  for (const auto &[kernel, byReason] : counts) {
    compiledKernels += byReason.size() == 1 && byReason.contains("");
    for (const auto &[reason, count] : byReason) {
      all.add(count);
      if (reason.empty()) {
        compiled.add(count);
        continue;
      }
      Reason &entry = reasons[reason];
      entry.text = reason;
      entry.launches += count.launches;
      if (entry.kernels.empty() || entry.kernels.back() != kernel.first)
        entry.kernels.push_back(kernel.first);
    }
  }
  if (all.launches == 0)
    return "";
  std::vector<Reason> list;
  list.reserve(reasons.size());
  for (auto &[text, reason] : reasons)
    list.push_back(std::move(reason));
  std::string text = "compiled " + share(compiled.launches, all.launches, "launch") + ", " +
                     share(compiledKernels, counts.size(), "kernel");
  if (compiled.launches < all.launches && all.instructions > 0) {
    text += ", " +
            percentage(static_cast<double>(compiled.instructions),
                       static_cast<double>(all.instructions)) +
            " of the instructions";
    if (all.withProfile < all.launches)
      text += " of " + text::counted(all.withProfile, "characterised launch");
  }
  return text + listOf(std::move(list));
}

} // namespace aiwc::run
