#include "command.h"
#include "common/error.h"
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsage =
    "expected aiwc run [--output DIR] [--kernels REGEX] [--invocations A-B] [--line-size BYTES] "
    "[--sample-groups N] [--engine ENGINE] [--threads N] [--verbose] "
    "[--embed] [--quiet] [OCLGRIND-OPTION...] -- APPLICATION [ARGUMENT...]";

struct Translation {
  std::string_view ours;
  std::string_view launchers;
  bool takesArgument;
  const char *argument;
  std::string_view description;
};

constexpr std::array<Translation, 10> kTranslations = {{
    {"--output", "--aiwc-output", true, "DIR", "Folder for the profiles (default: .)"},
    {"--kernels", "--aiwc-kernels", true, "REGEX", "Characterise kernels whose name matches"},
    {"--invocations", "--aiwc-invocations", true, "A-B",
     "Characterise invocations A to B of each kernel, from 0"},
    {"--line-size", "--aiwc-line-size", true, "BYTES",
     "Measure reuse of lines of 32, 64, 128 or 256 bytes (default: 64)"},
    {"--sample-groups", "--aiwc-sample-groups", true, "N",
     "Characterise N work-groups of each launch, spread over it, and estimate the rest"},
    {"--engine", "--aiwc-engine", true, "ENGINE",
     "Run kernels by the interpreter, compiled, or auto (default: compiled where possible)"},
    {"--threads", "--aiwc-threads", true, "N",
     "Threads that analyse what compiled kernels do (default: all cores)"},
    {"--verbose", "--aiwc-verbose", false, "", "Tell which kernels are interpreted, and why"},
    {"--embed", "--aiwc-embed", false, "", "Write the programs, too, with their profiles inside"},
    {"--quiet", "--aiwc-quiet", false, "", "Print no summaries"},
}};

/// The option that `argument` is, alone or as --option=value; nullptr for all others.
const Translation *findTranslation(std::string_view argument) {
  const auto *found =
      std::ranges::find(kTranslations, argument.substr(0, argument.find('=')), &Translation::ours);
  return found == kTranslations.end() ? nullptr : found;
}

/// One option of ours at `arguments[i]`, as the launcher calls it; moves `i` to its last word.
void translate(const Translation &translation, const std::vector<std::string> &arguments, size_t &i,
               std::vector<std::string> &result) {
  const std::string &argument = arguments[i];
  const std::string assigned = argument.substr(translation.ours.size()); // "=DIR", or nothing
  if (!translation.takesArgument && !assigned.empty())
    throw Error(fmt::format("aiwc run: {} takes no argument: {}", translation.ours, kUsage));
  result.push_back(std::string(translation.launchers) + assigned);
  if (!translation.takesArgument || !assigned.empty())
    return;
  if (i + 1 == arguments.size() || arguments[i + 1] == "--")
    throw Error(fmt::format("aiwc run: {} has no argument: {}", translation.ours, kUsage));
  result.push_back(arguments[++i]);
}

/// What the launcher is to be called with, without its own name.
std::vector<std::string> launcherArguments(const std::vector<std::string> &arguments) {
  std::vector<std::string> result = {"--aiwc"};
  bool foreign = false; // an option that is not ours has come; it may have an argument
  size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "--") {
      ++i;
      break;
    }
    if (const Translation *translation = findTranslation(argument)) {
      translate(*translation, arguments, i, result);
      continue;
    }
    if (argument.starts_with("-")) {
      foreign = true;
    } else {
      // The application, unless it can be the argument of an option before it. Only the launcher
      // knows Oclgrind's options, so where "--" does not tell, the rest is left to it.
      const auto rest = arguments.begin() + static_cast<std::ptrdiff_t>(i);
      if (!foreign || std::find(rest, arguments.end(), "--") == arguments.end())
        break;
    }
    result.push_back(argument);
  }
  if (i == arguments.size())
    throw Error(fmt::format("aiwc run: no application is named: {}", kUsage));
  result.insert(result.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  return result;
}

} // namespace

void addRun(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("run", "Run an application in the simulator and characterise its kernels");
  // Declared for the help: `run` reads the arguments itself.
  for (const Translation &translation : kTranslations) {
    const std::string name(translation.ours);
    const std::string description(translation.description);
    if (translation.takesArgument)
      command->add_option(name)->description(description)->type_name(translation.argument);
    else
      command->add_flag(name)->description(description);
  }
  command->footer("The application follows: [OCLGRIND-OPTION...] -- APPLICATION [ARGUMENT...]\n"
                  "Options that are not listed are handed to oclgrind.");
}

void run(const std::vector<std::string> &arguments, const std::string &help) {
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    print(help);
    std::exit(0);
  }
  std::vector<std::string> words = launcherArguments(arguments);
  // The launcher that was installed or built with this very command, whatever PATH says.
  std::error_code error;
  const auto self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error(withReason("aiwc run: /proc/self/exe cannot be read", error.value()));
  const auto installed = (self.parent_path() / AIWC_LAUNCHER).lexically_normal();
  const auto built = self.parent_path() / "oclgrind";
  const bool inBuildTree = !fs::exists(installed, error) && fs::exists(built, error);
  const std::string launcher = inBuildTree ? built : installed;
  words.insert(words.begin(), launcher);
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(launcher.c_str(), pointers.data());
  throw Error(withReason("aiwc run: " + launcher + " cannot be run", errno) +
              ": expected the launcher of this aiwc there");
}

} // namespace aiwc::cli
