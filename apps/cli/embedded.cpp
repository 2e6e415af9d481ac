#include "embedded.h"

#include "command_line/output.h"
#include "common/as_number.h"
#include "common/error.h"
#include "embed/compact_text.h"
#include "embed/container.h"
#include "embed/match.h"
#include "inputs.h"
#include "profile/launch_identity.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

/// What of a launch may grow with its global size, although the size alone does not say so.
struct SizeFollower {
  std::string what;     ///< "the argument n is 2,048"; empty: nothing
  bool perItem = false; ///< whether the work of a work-item may grow: an argument or a loop bound
};

using run::Argument;

/// Whether `number` is the global size in a dimension or the number of work-items. Applications
/// round a size up to whole work-groups; a number below half of the size is taken for another one.
bool isSizeOf(const run::Launch &launch, uint64_t number) {
  if (number < 2)
    return false;
  if (number == profile::productOf(launch.globalSize))
    return true;
  for (size_t i = 0; i < launch.globalSize.size(); ++i)
    if (number <= launch.globalSize[i] && number > launch.globalSize[i] / 2 &&
        launch.globalSize[i] - number < std::max<uint64_t>(launch.localSize[i], 1))
      return true;
  return false;
}

/// An argument that is passed by value or a loop bound that equals the global size in a dimension
/// or the number of work-items, up to the rounding to whole work-groups; otherwise, a buffer with a
/// whole number of bytes for each work-item.
SizeFollower sizeFollowerOf(const NamedProfile &named) {
  const run::Launch &launch = named.launch;
  const auto nameOf = [](const Argument &argument) {
    return argument.name.empty() ? argument.type : argument.name;
  };
  for (const Argument &argument : launch.arguments)
    if (const auto value = asNumber(argument.value);
        argument.kind == Argument::Kind::kValue && value && isSizeOf(launch, *value))
      return {fmt::format("its argument {} is {}", text::printable(nameOf(argument), 60),
                          text::formatReadable(*value)),
              true};
  for (const profile::LoopRow &loop : named.profile->histograms.loops)
    if (isSizeOf(launch, loop.maxTrips))
      return {fmt::format("a loop in line {} has {} iterations", loop.line,
                          text::formatReadable(loop.maxTrips)),
              true};
  for (const Argument &argument : launch.arguments)
    if (argument.kind == Argument::Kind::kBuffer && argument.bytes > 0 &&
        argument.bytes % profile::productOf(launch.globalSize) == 0)
      return {fmt::format(
                  "its buffer {} has {} for each work-item", text::printable(nameOf(argument), 60),
                  text::formatBytes(argument.bytes / profile::productOf(launch.globalSize))),
              false};
  return {};
}

/// The command that adds a run with twice the size to the folder `run`, as far as the command of
/// the run that is there tells which of its words is the size of `launch`; empty if there is no
/// such run.
std::string commandForSecondSize(const std::string &folder, const NamedProfile &launch) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored))
    return {};
  const run::FolderContent content = run::contentOf(folder);
  if (content.runs.empty())
    return {};
  std::vector<std::string> words = run::readRun(content.runs.back()).command;
  bool isSize = false;
  for (std::string &word : words)
    if (const auto number = asNumber(word); number && isSizeOf(launch.launch, *number)) {
      word = fmt::format("{}", 2 * *number);
      isSize = true;
    }
  return text::printable(fmt::format("aiwc run --append --output {} -- {}{}", folder,
                                     fmt::join(words, " "),
                                     isSize ? "" : ", with a larger problem"),
                         400);
}

using embed::Annotation;
using embed::Annotations;

/// `dimensions` receives the number of sizes.
std::optional<profile::Size3> sizeOf(const std::string &what, std::string_view text,
                                     uint32_t &dimensions) {
  if (text.empty())
    return std::nullopt;
  profile::Size3 size = {1, 1, 1};
  dimensions = 0;
  for (std::string_view rest = text; rest.data() != nullptr;) {
    const auto value = embed::parseCount(embed::takeUntil(rest, 'x'));
    if (!value || dimensions == size.size())
      throw Error(fmt::format("{} is '{}': expected sizes, such as 64 or 64x64", what,
                              text::printable(text, 60)));
    size[dimensions++] = *value;
  }
  return size;
}

/// Whether `file` must be a profile, judged by its name or the start of its content. A file that
/// cannot be read counts as one, since the reader of profiles then reports why.
bool isProfile(const std::filesystem::path &file) {
  std::error_code error;
  if (file.extension() == ".json" || isStandardInput(file.string()) ||
      !std::filesystem::is_regular_file(file, error))
    return true;
  std::ifstream stream(file, std::ios::binary);
  char first = '\0';
  return (stream >> first && first == '{') || !stream.is_open();
}

} // namespace

Option addRuns(Command command, std::vector<std::string> &runs, const std::string &about) {
  return command.option("RUN", &runs,
                        "Folders of runs, JSON profiles (- for standard input), or annotated "
                        "kernels" +
                            about);
}

void addKernelOption(Command command, LaunchOptions &options) {
  command
      .option("--kernel", &options.kernel,
              "Only launches of these kernels: names or patterns with * and ?, separated by commas")
      .type("NAMES");
}

void addLaunchOptions(Command command, LaunchOptions &options) {
  addKernelOption(command, options);
  command.option("--global", &options.global, "Only launches of this global size, such as 64x64")
      .type("SIZE");
  command.option("--local", &options.local, "Only launches of this local size").type("SIZE");
}

LaunchFilter::LaunchFilter(const LaunchOptions &options, const std::string &command)
    : options_(options), kernels_(options.kernel) {
  if (kernels_.hasEmptyName())
    throw Error(fmt::format("{}: --kernel is '{}': expected {}", command,
                            text::printable(options.kernel, 60), NamePatterns::kExpected));
  uint32_t ofLocal = 0;
  global_ = sizeOf(command + ": --global", options.global, dimensions_);
  local_ = sizeOf(command + ": --local", options.local, ofLocal);
}

std::optional<profile::LaunchKey> LaunchFilter::launch(const std::string &otherwise) const {
  const std::string kernel = options_.kernel.empty() ? otherwise : kernels_.singleName();
  if (kernel.empty() || !global_)
    return std::nullopt;
  return profile::LaunchKey{kernel, dimensions_, *global_, local_.value_or(profile::Size3{})};
}

bool LaunchFilter::selects(std::string_view kernel, const profile::Size3 &global,
                           const profile::Size3 &local) const {
  return kernels_.selects(kernel) && (!global_ || global == *global_) &&
         (!local_ || local == *local_);
}

bool LaunchFilter::selects(const profile::LaunchKey &launch) const {
  return selects(launch.kernel, launch.globalSize, launch.localSize);
}

bool LaunchFilter::selects(const run::Launch &launch) const {
  return selects(launch.kernel, launch.globalSize, launch.localSize);
}

std::string LaunchFilter::text() const {
  return (options_.kernel.empty() ? "" : " of kernel " + options_.kernel) +
         (options_.global.empty() ? "" : " of global size " + options_.global) +
         (options_.local.empty() ? "" : " of local size " + options_.local);
}

std::vector<NamedProfile> readEmbedded(const std::string &file, const LaunchFilter &filter,
                                       const Complain &complain) {
  const Annotations all = embed::annotationsOf(file);
  const auto say = [&](const std::string &what) { complain(text::printable(what, 4096)); };
  for (const std::string &reason : all.reasons)
    say(reason);
  if (all.rejected > all.reasons.size())
    say(fmt::format("{}: {} more annotations cannot be read", file,
                    all.rejected - all.reasons.size()));
  std::vector<NamedProfile> profiles;
  for (const Annotation &annotation : all.found) {
    if (!filter.selects(annotation.launch))
      continue;
    if (annotation.stale)
      say(fmt::format(
          "{}: kernel {} is stale: it {} {}, this is {}", annotation.place,
          annotation.launch.kernel,
          annotation.containerHash.empty() ? "was characterised as source" : "was put into",
          annotation.containerHash.empty() ? annotation.sourceHash : annotation.containerHash,
          all.sourceHash));
    try {
      profiles.emplace_back(annotation.place, annotation.profile());
      profiles.back().container = file;
    } catch (const Error &error) {
      say(error.what());
    }
  }
  return profiles;
}

namespace {

/// What `file` carries. What is wrong with some annotations is added to `complaints`; where no
/// other is left, though all were asked for, it is the error.
std::vector<NamedProfile> readKernel(const std::string &file, const LaunchFilter &filter,
                                     std::vector<std::string> &complaints) {
  const size_t before = complaints.size();
  auto profiles = readEmbedded(
      file, filter, [&](const std::string &complaint) { complaints.push_back(complaint); });
  if (profiles.empty() && filter.selectsAll())
    throw Error(complaints.size() > before
                    ? complaints[before]
                    : fmt::format("{}: no profile is embedded in it: expected a JSON profile, "
                                  "the folder of a run, or an annotated kernel",
                                  file));
  return profiles;
}

/// An argument, and the profiles of it that the filter has not selected. Those of a pipe cannot be
/// read again.
struct Unselected {
  std::string argument;
  bool isKernel = false; ///< whether its annotations are still to be read
  std::vector<NamedProfile> profiles = {};
};

/// Adds to `named`, which was scaled from the launch `from` alone, how uncertain that makes it if
/// the work of a work-item may follow the size. Returns a sentence that asks for a second size;
/// empty if nothing suggests that the size alone does not decide.
std::string asksForSecondSize(const std::string &argument, const NamedProfile &from, double ratio,
                              NamedProfile &named) {
  const SizeFollower follower = sizeFollowerOf(from);
  if (follower.what.empty())
    return {};
  if (follower.perItem) // a work-item may do as many times more as there are more work-items
    named.errorFactor *= std::max({scaling::kFollowingWorkFactor, ratio, 1 / ratio});
  std::string text = fmt::format(
      "{} was characterised with one global size, {}, and {}: {}one size cannot tell how {} at "
      "another",
      text::printable(from.launch.kernel, 60),
      profile::sizeText(from.launch.globalSize, from.launch.workDim), follower.what,
      follower.perItem ? "a work-item may do more in a larger launch, and " : "",
      follower.perItem ? "much" : "that goes on");
  if (const std::string command = commandForSecondSize(argument, from); !command.empty())
    text += ". Characterise a second size: " + command;
  return text;
}

/// The launches with profiles of their own of the kernel that `filter` names, or of the only one.
std::vector<const NamedProfile *> ofKernel(const std::vector<NamedProfile> &profiles,
                                           const std::string &kernel) {
  std::vector<const NamedProfile *> launches;
  for (const NamedProfile &named : profiles)
    if (named.launch.kernel == kernel && named.launch.characterised())
      launches.push_back(&named);
  return launches;
}

/// The profile for a launch that no argument has, scaled from the profiles of the first argument
/// that contains the kernel. `notes` receives sentences about it.
std::optional<NamedProfile> readScaled(std::vector<Unselected> &from,
                                       const profile::LaunchKey &launch,
                                       std::vector<std::string> &notes) {
  for (auto &[argument, isKernel, profiles] : from) {
    std::optional<scaling::ScaledProfile> scaled;
    const std::vector<const NamedProfile *> known = ofKernel(profiles, launch.kernel);
    if (isKernel) {
      scaled = embed::profileFor(embed::annotationsOf(argument), launch);
    } else {
      std::vector<profile::LaunchKey> launches;
      launches.reserve(known.size());
      for (const NamedProfile *named : known)
        launches.push_back(profile::launchOf(named->profile->provenance));
      scaled = scaling::scaledTo(launch, launches, [&](size_t i) { return &*known[i]->profile; });
    }
    if (!scaled)
      continue;
    const auto accuracy = scaled->accuracy;
    const std::vector<profile::LaunchKey> made = scaled->from;
    const double ratio = scaled->workItemRatio;
    NamedProfile named(argument, std::move(scaled->profile));
    if (!accuracy)
      return named;
    named.errorFactor = accuracy->mostFactor;
    std::vector<std::string> sizes;
    for (const profile::LaunchKey &one : made)
      if (std::string size = profile::sizeText(one.globalSize, one.workDim);
          std::ranges::find(sizes, size) == sizes.end())
        sizes.push_back(std::move(size));
    command_line::warn(fmt::format(
        "{}: kernel {} was not characterised with global size {}: its profile is scaled from {}; "
        "on the benchmark suite, computation and memory traffic of such profiles were within a "
        "factor of {:.3g} in half of all cases, of {:.3g} in nine of ten",
        argument, launch.kernel, profile::sizeText(launch.globalSize, launch.workDim),
        fmt::join(sizes, " and "), accuracy->typicalFactor, accuracy->mostFactor));
    const auto source = std::ranges::find_if(known, [&](const NamedProfile *one) {
      return profile::launchOf(one->profile->provenance) == made.front();
    });
    if (made.size() == 1 && source != known.end())
      if (std::string note = asksForSecondSize(argument, **source, ratio, named); !note.empty())
        notes.push_back(std::move(note));
    return named;
  }
  return std::nullopt;
}

/// The name of the only kernel of these; empty if there are several.
std::string onlyKernelOf(const std::vector<Unselected> &unselected) {
  std::set<std::string> names;
  for (const Unselected &argument : unselected)
    for (const NamedProfile &named : argument.profiles)
      names.insert(named.launch.kernel);
  return names.size() == 1 ? *names.begin() : "";
}

/// How the launches of a kernel are estimated that were not characterised.
std::string estimateNote(const run::KernelCoverage &kernel) {
  std::string text =
      fmt::format("{}: {} of {} characterised; the nearest of them represents each other launch",
                  text::printable(kernel.label, 80), text::formatReadable(kernel.characterised),
                  text::counted(kernel.launches, "launch"));
  if (kernel.error) {
    const double percent = 100 * *kernel.error;
    return text + fmt::format(". Estimated like that from each other, they are off by {:.{}f} % of "
                              "their instructions",
                              percent, percent > 0 && percent < 9.95 ? 1 : 0);
  }
  return text + (kernel.sameWork ? ", which has the same sizes and arguments"
                                 : "; how far off that is cannot be known from one launch");
}

/// `unselected`: launches that `filter` does not select.
Extent extentOf(const Coverage &coverage, const LaunchFilter &filter, uint64_t unselected) {
  Extent extent{coverage.onlyRuns && unselected == 0, {}, unselected};
  const auto partial = [&](std::string note) {
    extent.whole = false;
    extent.notes.push_back(std::move(note));
  };
  for (const Coverage::Run &run : coverage.runs) {
    if (!run.finished)
      partial(fmt::format("the run of '{}' has not ended, or was killed: not all of its launches "
                          "are known",
                          run.command));
    if (run.cutOffBy > 0)
      partial(fmt::format("the run of '{}' was cut off by {} after {}", run.command,
                          run::signalName(run.cutOffBy), text::counted(run.launches, "launch")));
    std::vector<std::string> without;
    for (const run::KernelCoverage &kernel : run.kernels) {
      const bool isKnown = kernel.characterised + kernel.estimated + kernel.represented > 0;
      extent.whole = extent.whole && isKnown;
      if (!filter.selectsKernel(kernel.key.first))
        continue;
      if (!isKnown)
        without.push_back(fmt::format("{} ({})", text::printable(kernel.label, 80),
                                      text::counted(kernel.launches, "launch")));
      if (kernel.estimated > 0)
        extent.notes.push_back(estimateNote(kernel));
    }
    constexpr size_t kMostNamed = 5;
    if (!without.empty())
      partial("kernels without a profile are not counted: " + text::someOf(without, kMostNamed));
  }
  return extent;
}

/// What a filter could have selected: "one", or the kernels that there are if it selects none.
std::string expectedOf(const std::vector<Unselected> &unselected, const LaunchFilter &filter) {
  std::set<std::string> kernels;
  for (const Unselected &argument : unselected)
    for (const NamedProfile &named : argument.profiles) {
      if (filter.selectsKernel(named.launch.kernel))
        return "one";
      kernels.insert(text::printable(named.launch.kernel, 60));
    }
  constexpr size_t kMostListed = 8;
  if (kernels.empty() || kernels.size() > kMostListed)
    return "one";
  return fmt::format("{}", fmt::join(kernels, " or "));
}

} // namespace

std::string inParagraphs(const std::vector<std::string> &notes, const text::Terminal &terminal) {
  std::string text;
  for (const std::string &note : notes)
    text += (text.empty() ? "\n" : "") +
            text::wrapped(note + ".", 0, std::clamp<size_t>(terminal.columns, 40, 100));
  return text;
}

std::vector<NamedProfile> readRuns(const std::vector<std::string> &arguments,
                                   const LaunchFilter &filter, Extent *extent) {
  Coverage coverage;
  std::vector<NamedProfile> result;
  std::vector<std::string> complaints;
  std::vector<Unselected> unselected;
  std::vector<std::string> notes;
  for (const std::string &argument : arguments) {
    unselected.push_back({argument, !isProfile(argument)});
    if (unselected.back().isKernel) {
      std::ranges::move(readKernel(argument, filter, complaints), std::back_inserter(result));
      coverage.onlyRuns = false;
      continue;
    }
    const size_t runsBefore = coverage.runs.size();
    for (NamedProfile &named : readProfiles({argument}, extent ? &coverage : nullptr))
      (filter.selects(named.launch) ? result : unselected.back().profiles)
          .push_back(std::move(named));
    if (const size_t runs = coverage.runs.size() - runsBefore; runs > 1)
      notes.push_back(
          fmt::format("{}: holds {} runs, which are added up; to compare them, name each",
                      text::printable(argument, 200), runs));
  }
  if (result.empty())
    if (const auto launch = filter.launch(onlyKernelOf(unselected)))
      if (auto scaled = readScaled(unselected, *launch, notes))
        result.push_back(*std::move(scaled));
  // A single line is enough if there is nothing to continue with.
  if (result.empty())
    throw Error(complaints.empty()
                    ? fmt::format("no profile{} in {}: expected {}", filter.text(),
                                  fmt::join(arguments, ", "), expectedOf(unselected, filter))
                    : complaints.front());
  for (const std::string &complaint : complaints)
    command_line::warn(complaint);
  if (extent) {
    uint64_t launches = 0;
    for (const Unselected &argument : unselected)
      launches += argument.profiles.size();
    *extent = extentOf(coverage, filter, launches);
    extent->notes.insert(extent->notes.begin(), notes.begin(), notes.end());
  } else {
    for (const std::string &note : notes)
      command_line::warn(note);
  }
  return result;
}

} // namespace aiwc::cli
