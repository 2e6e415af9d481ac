#include "kernel_launches.h"

#include "predict/caveats.h"
#include "predict/opencl_type.h"
#include "profile/kernel_words.h"
#include "profile/launch_identity.h"
#include "profile/source_hash.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace aiwc::cli {

using run::Launch;
using text::formatReadable;

namespace {

struct OfOtherKernel {
  bool operator()(const Launch *a, const Launch *b) const {
    return std::pair(std::string_view(a->kernel), profile::identityOf(*a)) <
           std::pair(std::string_view(b->kernel), profile::identityOf(*b));
  }
};

std::string sizes(const profile::Size3 &size, uint32_t dimensions) {
  std::string text = formatReadable(size[0]);
  for (uint32_t i = 1; i < std::min<uint32_t>(dimensions, 3); ++i)
    text += fmt::format(" x {}", formatReadable(size[i]));
  return text;
}

/// The sizes of the launches' NDRanges or work-groups: "16 x 4" if all are equal, else numbers of
/// work-items, "64", or "64 to 128".
std::string sizesOf(const std::vector<const NamedProfile *> &profiles,
                    profile::Size3 Launch::*size) {
  const Launch &first = profiles.front()->launch;
  if (std::ranges::all_of(profiles, [&](const NamedProfile *named) {
        return named->launch.*size == first.*size && named->launch.workDim == first.workDim;
      }))
    return sizes(first.*size, first.workDim);
  const auto itemsOf = [&](const NamedProfile *named) {
    return profile::productOf(named->launch.*size);
  };
  const auto [least, most] = std::ranges::minmax(profiles, {}, itemsOf);
  const std::string from = formatReadable(itemsOf(least));
  const std::string to = formatReadable(itemsOf(most));
  return from == to ? from : from + " to " + to;
}

} // namespace

const NamedProfile &KernelLaunches::heaviest() const {
  return **std::ranges::max_element(profiles, {}, [](const NamedProfile *named) {
    return std::pair(named->launch.characterised(), named->launch.instructions);
  });
}

std::vector<const profile::KernelProfile *> KernelLaunches::read() const {
  std::vector<const profile::KernelProfile *> all;
  for (const NamedProfile *named : profiles)
    all.push_back(&*named->profile);
  return all;
}

std::vector<double> KernelLaunches::errorFactors() const {
  std::vector<double> all;
  all.reserve(profiles.size());
  for (const NamedProfile *named : profiles)
    all.push_back(named->errorFactor);
  return all;
}

std::vector<advice::LaunchKind> KernelLaunches::kinds() const {
  return advice::kindsOf(read(), errorFactors());
}

std::string KernelLaunches::title(const text::Terminal &terminal) const {
  const profile::Provenance &provenance = heaviest().profile->provenance;
  const auto inLines = [&](const std::string &paragraph) {
    std::string lines = text::wrapped(paragraph, 0, std::clamp<size_t>(terminal.columns, 40, 100));
    lines.pop_back(); // the end of the last line
    return lines;
  };
  const std::string items = sizesOf(profiles, &Launch::globalSize);
  std::string text = fmt::format("{}: {} of {} work-item{} in groups of {}", label,
                                 text::counted(profiles.size(), "launch"), items,
                                 items == "1" ? "" : "s", sizesOf(profiles, &Launch::localSize));
  text = inLines(profile::inWordsOf(provenance.sourceKind, std::move(text)));
  if (text.starts_with(label))
    text.replace(0, label.size(), text::emphasised(label, text::Emphasis::kHeading, terminal));
  for (const std::string &note : notes())
    text += "\n" + inLines(profile::inWordsOf(provenance.sourceKind, note));
  return text;
}

namespace {

/// What `aiwc kernel` made up for a launch; empty if that is nothing.
std::string madeUp(const run::Launch &launch) {
  std::string given, assumed;
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const run::Argument &argument = launch.arguments[i];
    const std::string &contents = argument.contents;
    if (contents.empty() || contents.starts_with("file:") || contents == "capture")
      continue;
    const std::string name = argument.name.empty() ? fmt::format("argument {}", i) : argument.name;
    const bool isPointer = argument.type.ends_with('*'); // a value in CUDA
    std::string &list = argument.assumed ? assumed : given;
    list += fmt::format("{}{}{}{}", list.empty() ? "" : ", ", text::printable(name),
                        argument.kind == run::Argument::Kind::kValue && !isPointer ? " = " : " ",
                        text::printable(contents, 100));
  }
  if (given.empty() || assumed.empty())
    return given.empty() && assumed.empty() ? ""
           : given.empty()                  ? fmt::format("Input assumed: {}.", assumed)
                                            : fmt::format("Input made up: {}.", given);
  return fmt::format("Input made up: {}; assumed: {}.", given, assumed);
}

} // namespace

std::vector<std::string> KernelLaunches::notes() const {
  const profile::Provenance &provenance = heaviest().profile->provenance;
  std::vector<std::string> sentences;
  const bool isOfFile = heaviest().seen && run::isKernelHost(heaviest().seen->command);
  if (provenance.localSizeLeftOpen) {
    constexpr uint64_t kFewItems = 32;
    const uint64_t items = profile::productOf(provenance.localSize);
    const bool isSmall = items < kFewItems && items < profile::productOf(provenance.globalSize);
    sentences.push_back(fmt::format(
        "{}; {}.",
        isOfFile ? "Without --local, OpenCL chooses the size of the groups"
                 : "The application leaves the size of the groups to OpenCL (NULL)",
        isSmall ? "no larger one divides the global size evenly" : "a device may take another"));
  }
  if (std::string input = madeUp(heaviest().launch); !input.empty())
    sentences.push_back(std::move(input));
  if (provenance.sourceKind == "bitcode" && !isOfFile)
    sentences.emplace_back(
        "The application gave OpenCL a binary, so the run has no source: if that came from a cache "
        "of its own, turn the cache off (OpenCV: OPENCV_OPENCL_CACHE_ENABLE=0) or empty it.");
  if (provenance.sampled())
    sentences.push_back(fmt::format(
        "Estimated from {} of {} work-groups{}.", formatReadable(provenance.sampledGroups),
        formatReadable(provenance.totalGroups),
        provenance.othersLeftOut ? "; the others did not run, so the results were wrong" : ""));
  const auto characterised = std::ranges::count_if(
      profiles, [](const NamedProfile *named) { return named->launch.characterised(); });
  const bool isNearest = std::ranges::any_of(
      profiles, [](const NamedProfile *named) { return named->launch.nearestTo.has_value(); });
  if (characterised < std::ssize(profiles))
    sentences.push_back(fmt::format("{} of {} launches characterised; {}.",
                                    formatReadable(static_cast<uint64_t>(characterised)),
                                    formatReadable(uint64_t{profiles.size()}),
                                    isNearest ? "the nearest of them represents each other launch"
                                              : "they represent the others"));
  if (provenance.extrapolated())
    sentences.push_back(
        fmt::format("Extrapolated from {}.", text::printable(provenance.extrapolatedFrom, 200)));
  if (!provenance.scaledFrom.empty())
    sentences.push_back(
        fmt::format("Scaled from launches of {}.", text::printable(provenance.scaledFrom)));
  if (const auto failed = std::ranges::count_if(
          profiles, [](const NamedProfile *named) { return named->launch.simulatorErrors > 0; });
      failed > 0)
    sentences.push_back(fmt::format(
        "The simulator reported errors in {} of {} launch{}: mend the kernel before you trust its "
        "numbers.",
        failed, profiles.size(), profiles.size() == 1 ? "" : "es"));
  if (std::ranges::any_of(profiles, [](const NamedProfile *named) {
        return named->launch.exchangesWithoutBarrier;
      }))
    sentences.push_back(fmt::format("Warning: {}.", profile::exchangeNote(provenance.sourceKind)));
  const auto isIncomplete = [](const NamedProfile *named) { return !named->launch.complete; };
  if (const auto cut = std::ranges::count_if(profiles, isIncomplete); cut > 0)
    sentences.push_back(fmt::format(
        "Incomplete{}: {}.",
        profiles.size() == 1 ? "" : fmt::format(", {} of {} launches", cut, profiles.size()),
        text::printable((*std::ranges::find_if(profiles, isIncomplete))->profile->reason, 200)));
  return sentences;
}

std::vector<KernelLaunches> launchesByKernel(const std::vector<NamedProfile> &profiles) {
  std::vector<KernelLaunches> kernels;
  std::map<const Launch *, size_t, OfOtherKernel> places;
  for (const NamedProfile &named : profiles) {
    const auto [place, isNew] = places.emplace(&named.launch, kernels.size());
    if (isNew)
      kernels.emplace_back();
    kernels[place->second].profiles.push_back(&named);
  }
  std::vector<profile::NamedCode> codes;
  for (const KernelLaunches &kernel : kernels) {
    const Launch &launch = kernel.profiles.front()->launch;
    codes.push_back({launch.kernel, launch.sourceHash, launch.buildOptions});
  }
  const std::vector<std::string> apart = profile::toldApart(codes);
  for (size_t i = 0; i < kernels.size(); ++i)
    kernels[i].label = text::printable(std::string(codes[i].kernel), 60) + apart[i];
  return kernels;
}

SeenTypes::SeenTypes(const std::vector<NamedProfile> &profiles) {
  for (const NamedProfile &named : profiles)
    if (named.seen)
      if (auto &types = byCommand_[named.seen->command];
          std::ranges::find(types, named.seen->type) == types.end())
        types.push_back(named.seen->type);
}

std::vector<std::string> SeenTypes::stoodForBy(const NamedProfile &named) const {
  if (!named.seen)
    return {};
  const std::vector<std::string> &seen = byCommand_.at(named.seen->command);
  if (seen.size() == 1)
    return {}; // the only run represents all
  std::vector<std::string> types = {named.seen->type};
  if (named.seen->type != seen.front())
    return types;
  for (const predict::DeviceType type :
       {predict::DeviceType::kCpu, predict::DeviceType::kGpu, predict::DeviceType::kAccelerator})
    if (const std::string name(predict::openClType(type));
        std::ranges::find(seen, name) == seen.end())
      types.push_back(name);
  return types;
}

std::vector<KernelLaunches> SeenTypes::apart(const std::vector<KernelLaunches> &kernels) const {
  std::vector<KernelLaunches> result;
  for (const KernelLaunches &launches : kernels) {
    std::vector<std::pair<std::vector<std::string>, KernelLaunches>> byTypes;
    for (const NamedProfile *named : launches.profiles) {
      std::vector<std::string> types = stoodForBy(*named);
      auto place =
          std::ranges::find_if(byTypes, [&](const auto &one) { return one.first == types; });
      if (place == byTypes.end())
        place = byTypes.emplace(byTypes.end(), std::move(types),
                                KernelLaunches{.profiles = {}, .label = launches.label});
      place->second.profiles.push_back(named);
    }
    for (auto &[types, some] : byTypes)
      result.push_back(std::move(some));
  }
  return result;
}

std::vector<std::string> otherTypeNotes(const std::vector<NamedProfile> &profiles,
                                        const std::vector<predict::DeviceProfile> &devices) {
  const SeenTypes seen(profiles);
  std::vector<std::string> ids;
  std::vector<std::string> questions;
  std::string type;
  for (const predict::DeviceProfile &device : devices) {
    const std::string_view own = predict::openClType(device.type);
    bool isOther = false;
    for (const NamedProfile &named : profiles) {
      if (!named.seen || named.seen->type == own)
        continue;
      const std::vector<std::string> types = seen.stoodForBy(named);
      if (!types.empty() && std::ranges::find(types, own) == types.end())
        continue;
      for (const std::string &question : named.seen->asked) {
        isOther = true;
        type = type.empty() ? named.seen->type : type;
        if (std::ranges::find(questions, question) == questions.end())
          questions.push_back(question);
      }
    }
    if (isOther)
      ids.push_back(device.id);
  }
  if (ids.empty())
    return {};
  std::vector<std::string_view> kinds;
  kinds.reserve(profiles.size());
  for (const NamedProfile &named : profiles)
    kinds.push_back(named.launch.sourceKind);
  return {profile::inWordsOf(profile::sourceKindOfAll(kinds),
                             predict::otherTypeNote(type, questions, ids))};
}

} // namespace aiwc::cli
