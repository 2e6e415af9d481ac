#include "command_line.h"

#include "command.h"
#include "common/error.h"
#include "common/version.h"
#include "predict/device_library.h"
#include "text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace aiwc::cli {

namespace {

constexpr std::string_view kDeviceFolder = "--device-dir";

/// A command of 0.1, or an option of a command, and what does the same.
struct RenamedWord {
  std::string_view command; ///< empty: `word` is a command; "*": an option of any
  std::string_view word, now;
};
constexpr RenamedWord kRenamed[] = {
    {"", "model", "the program aiwc-model"},
    {"", "train", "aiwc-model train"},
    {"", "evaluate", "aiwc-model evaluate"},
    {"", "schedule", "aiwc split --schedule"},
    {"", "time", "aiwc attach --times-only"},
    {"", "metrics", "aiwc show --metrics"},
    {"*", kDeviceFolder, "aiwc --device-dir DIR COMMAND"},
    {"*", "--color", "NO_COLOR=1 or CLICOLOR_FORCE=1 in the environment"},
    {"kernel", "--only-sampled", "--budget 0"},
    {"kernel", "--csv", "aiwc show --csv RUN"},
    {"kernel", "--verbose", "aiwc show --all RUN"},
    {"kernel", "--threads", "AIWC_THREADS=N in the environment"},
    {"advise", "--tune",
     "aiwc tune; or aiwc run --local-size KERNEL=SIZE, and aiwc predict RUN..."},
    {"show", "--devices", "aiwc advise --devices IDS RUN"},
    {"show", "--per-launch", "aiwc show --lines FILE, a launch's aiwc_KERNEL_N.json"},
    {"predict", "--baseline", "the column 'of the best', with its interval: --devices A,B"},
    {"predict", "--sweep", "--what-if, once for each value, with --csv"},
    {"predict", "--types", "--devices gpu"},
    {"devices", "--types", "aiwc devices list TYPE..."},
    {"devices", "--quick", "--seconds 20"},
    {"devices", "--list", "--opencl-device list"},
    {"annotate", "--exact", "the member scaling of --json, which an exact profile lacks"},
};

/// The options that stand before the command. `takeProgramOptions` reads them.
void addProgramOptions(Command root) {
  const std::string name(kDeviceFolder);
  root.described(name, "Take the devices of this folder, too; before the command, may be repeated",
                 "DIR");
}

/// Commands, and what they start, find the devices of the folder.
void addDeviceFolder(const std::string &folder) {
  if (folder.empty() || folder.find(':') != std::string::npos)
    throw Error(fmt::format("{} '{}': expected a folder whose name has no ':'", kDeviceFolder,
                            text::printable(folder, 4096)));
  std::vector<std::string> folders;
  for (const std::filesystem::path &one : predict::deviceFolders({folder}))
    folders.push_back(std::filesystem::absolute(one).string());
  setenv("AIWC_DEVICES", fmt::format("{}", fmt::join(folders, ":")).c_str(), 1);
}

} // namespace

std::vector<const char *> takeProgramOptions(int argc, const char *const *argv) {
  std::vector<const char *> words(argv, argv + argc);
  const std::string assigned = fmt::format("{}=", kDeviceFolder);
  while (words.size() > 1) {
    const std::string_view word = words[1];
    const bool isAssigned = word.starts_with(assigned);
    if (!isAssigned && (word != kDeviceFolder || words.size() == 2))
      break;
    addDeviceFolder(isAssigned ? std::string(word.substr(assigned.size())) : words[2]);
    words.erase(words.begin() + 1, words.begin() + (isAssigned ? 2 : 3));
  }
  return words;
}

void refuseRenamed(std::span<const char *const> words) {
  if (words.size() < 2)
    return;
  const std::string_view command = words[1];
  for (const RenamedWord &renamed : kRenamed) {
    if (renamed.command.empty() && command == renamed.word)
      throw command_line::UsageError(fmt::format("aiwc: {}: is now {}", command, renamed.now));
    if (renamed.command != "*" && renamed.command != command)
      continue;
    for (const std::string_view word : words.subspan(2)) {
      if (word == "--") // no options follow
        break;
      if (word.substr(0, word.find('=')) == renamed.word)
        throw command_line::UsageError(
            fmt::format("aiwc {}: {}: is now {}", command, renamed.word, renamed.now));
    }
  }
}

command_line::ProgramCommands commandLine() {
  command_line::ProgramCommands program(
      "aiwc", "Architecture-independent workload characterisation of OpenCL kernels",
      std::string(kVersion));
  Command root = program.root();
  addProgramOptions(root);
  // What one needs first, in the order in which one needs it.
  addRun(root);
  addKernel(root);
  addBuild(root);
  addShow(root);
  addAdvise(root);
  addPredict(root);
  addDiff(root);
  addReport(root);
  root.heading("More");
  addAttach(root);
  addTune(root);
  addDevices(root);
  addSplit(root);
  Command annotate =
      root.subcommand("annotate", "Embed profiles in files of kernels, and read them");
  addEmbed(annotate);
  addLookup(annotate);
  addStrip(annotate);
  program.addHelp();
  root.examples({{"aiwc run --output profiles -- ./blur", "characterise the kernels of blur"},
                 {"aiwc show profiles", "what they do"},
                 {"aiwc advise profiles", "what costs them time, and what to do about it"},
                 {"aiwc predict profiles", "how long they take on which device"}});
  return program;
}

command_line::ProgramCommands modelCommandLine() {
  command_line::ProgramCommands program(
      "aiwc-model", "Fit a model of aiwc predict to measured times, and judge it",
      std::string(kVersion));
  addProgramOptions(program.root());
  addTrain(program.root());
  addEvaluate(program.root());
  program.addHelp();
  return program;
}

} // namespace aiwc::cli
