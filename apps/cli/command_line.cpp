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
#include <vector>

namespace aiwc::cli {

namespace {

constexpr std::string_view kDeviceFolder = "--device-dir";

/// The options that stand before the command. `takeProgramOptions` reads them.
void addProgramOptions(Command root) {
  const std::string name(kDeviceFolder);
  root.described(name, "Take the devices of this folder, too; before the command, may be repeated",
                 "DIR");
  root.renamed(name, fmt::format("{} {} DIR COMMAND", root.name(), name));
  root.renamed("--color", "NO_COLOR=1 or CLICOLOR_FORCE=1 in the environment");
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
  root.renamed("model", "the program aiwc-model");
  root.renamed("train", "aiwc-model train");
  root.renamed("evaluate", "aiwc-model evaluate");
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
