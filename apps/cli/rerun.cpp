#include "rerun.h"

#include "common/error.h"
#include "common/file.h"
#include "run/folder.h"
#include "session/option_table.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace fs = std::filesystem;

run::Run runToRepeat(const fs::path &folder) {
  const run::FolderContent content = run::contentOf(folder);
  if (content.runs.size() != 1)
    throw Error(fmt::format("{}: has {} runs: --try expects the folder of one run, which has "
                            "the command to run again",
                            folder.string(), content.runs.size()));
  run::Run run = run::readRun(content.runs[0]);
  if (!run.finished() || run.command.empty())
    throw Error(fmt::format("{}: the run has not ended, or was killed: --try expects one that "
                            "has ended",
                            content.runs[0].string()));
  return run;
}

std::vector<std::string> keptOptions(const run::Run &run) {
  constexpr std::array<std::string_view, 7> kReplaced = {
      "--aiwc-output",     "--aiwc-append",  "--aiwc-kernel", "--aiwc-invocations",
      "--aiwc-local-size", "--aiwc-verbose", "--aiwc-quiet"};
  std::vector<std::string> kept;
  for (size_t i = 0; i < run.options.size(); ++i) {
    if (std::ranges::find(kReplaced, run.options[i]) == kReplaced.end())
      kept.push_back(run.options[i]);
    else if (const auto *option = findOption(run.options[i]); option && option->takesArgument())
      ++i;
  }
  return kept;
}

void makeFolder(std::string_view command, const fs::path &folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw Error(
        withReason(fmt::format("{}: {} cannot be made", command, folder.string()), failed.value()));
}

std::optional<std::string> kernelError(const fs::path &said) {
  constexpr std::string_view kPrefix = "aiwc kernel: ";
  for (const std::string &line : text::split(readFileIfAny(said).value_or(""), '\n'))
    if (line.starts_with(kPrefix))
      return line.substr(kPrefix.size());
  return std::nullopt;
}

std::optional<run::Run> endedRun(const fs::path &folder) {
  std::error_code ignored;
  if (!fs::exists(folder / "run.json", ignored))
    return std::nullopt;
  run::Run run = run::readRun(folder / "run.json");
  return run.finished() ? std::optional(std::move(run)) : std::nullopt;
}

} // namespace aiwc::cli
