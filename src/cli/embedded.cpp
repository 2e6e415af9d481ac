#include "embedded.h"

#include "common/error.h"
#include "embed/compact_text.h"
#include "embed/file.h"
#include "embed/match.h"
#include "output.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

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

void addRuns(Command command, std::vector<std::string> &runs, const std::string &about) {
  command
      .option("RUN", &runs,
              "Folders of runs, JSON profiles (- for standard input), or annotated kernels" + about)
      .required();
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

std::optional<profile::Launch> LaunchFilter::launch() const {
  const std::string kernel = kernels_.singleName();
  if (kernel.empty() || !global_)
    return std::nullopt;
  return profile::Launch{kernel, dimensions_, *global_, local_.value_or(profile::Size3{})};
}

bool LaunchFilter::selects(std::string_view kernel, const profile::Size3 &global,
                           const profile::Size3 &local) const {
  return kernels_.selects(kernel) && (!global_ || global == *global_) &&
         (!local_ || local == *local_);
}

bool LaunchFilter::selects(const profile::Launch &launch) const {
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
          annotation.carrierHash.empty() ? "was characterised as source" : "was put into",
          annotation.carrierHash.empty() ? annotation.sourceHash : annotation.carrierHash,
          all.sourceHash));
    try {
      profiles.emplace_back(annotation.place, annotation.profile());
      profiles.back().carrier = file;
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

/// The profile for a launch that no argument has, scaled from the profiles of the first argument
/// that contains the kernel.
std::optional<NamedProfile> readScaled(std::vector<Unselected> &from,
                                       const profile::Launch &launch) {
  for (auto &[argument, isKernel, profiles] : from) {
    std::optional<scaling::ScaledProfile> scaled;
    if (isKernel) {
      scaled = embed::profileFor(embed::annotationsOf(argument), launch);
    } else {
      std::vector<profile::KernelProfile> ofKernel;
      for (const NamedProfile &named : profiles)
        if (named.launch.kernel == launch.kernel)
          ofKernel.push_back(*named.profile);
      scaled = scaling::scaledTo(launch, ofKernel);
    }
    if (!scaled)
      continue;
    if (scaled->accuracy)
      warn(fmt::format(
          "{}: kernel {} was not characterised with global size {}: its profile is scaled from {}; "
          "on the benchmark suite, computation and memory traffic of such profiles were within a "
          "factor of {:.3g} in half of all cases, of {:.3g} in nine of ten",
          argument, launch.kernel, profile::sizeText(launch.globalSize, launch.workDim),
          profile::sizeText(scaled->from.front().globalSize, scaled->from.front().workDim),
          scaled->accuracy->typicalFactor, scaled->accuracy->mostFactor));
    return NamedProfile(argument, std::move(scaled->profile));
  }
  return std::nullopt;
}

} // namespace

std::vector<NamedProfile> readRuns(const std::vector<std::string> &arguments,
                                   const LaunchFilter &filter) {
  std::vector<NamedProfile> result;
  std::vector<std::string> complaints;
  std::vector<Unselected> unselected;
  for (const std::string &argument : arguments) {
    unselected.push_back({argument, !isProfile(argument)});
    if (unselected.back().isKernel) {
      std::ranges::move(readKernel(argument, filter, complaints), std::back_inserter(result));
      continue;
    }
    for (NamedProfile &named : readProfiles({argument}))
      (filter.selects(named.launch) ? result : unselected.back().profiles)
          .push_back(std::move(named));
  }
  if (const auto launch = filter.launch(); launch && result.empty())
    if (auto scaled = readScaled(unselected, *launch))
      result.push_back(*std::move(scaled));
  // A single line is enough if there is nothing to continue with.
  if (result.empty())
    throw Error(complaints.empty() ? fmt::format("no profile{} in {}: expected one", filter.text(),
                                                 fmt::join(arguments, ", "))
                                   : complaints.front());
  for (const std::string &complaint : complaints)
    warn(complaint);
  return result;
}

} // namespace aiwc::cli
