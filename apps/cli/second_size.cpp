#include "second_size.h"

#include "common/as_number.h"
#include "profile/launch_identity.h"
#include "run/folder.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace aiwc::cli {

namespace {

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

} // namespace

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

} // namespace aiwc::cli
