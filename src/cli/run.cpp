#include "command.h"
#include "common/error.h"
#include "launcher.h"
#include "output.h"
#include "text/text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

/// A command that starts an application through the launcher, and what may come before it.
struct Starter {
  std::string_view name; ///< "aiwc run"
  std::string_view flag; ///< that the launcher gets
  bool (*takes)(const aiwc::Option &);
  bool passesOthers = false;    ///< options that are not ours go to the launcher
  bool preloads = false;        ///< whether there is --preload
  std::string_view budget = ""; ///< the default of --budget; empty: there is no such option

  std::string usage() const {
    std::string text = fmt::format("expected {}", name);
    for (const aiwc::Option &option : kOptions)
      if (takes(option))
        text += fmt::format(" [{}{}{}]", option.runFlag(), option.takesArgument() ? " " : "",
                            option.argument);
    if (preloads)
      text += " [--preload]";
    if (!budget.empty())
      text += " [--budget PERCENT] [--no-wait]";
    return text + (passesOthers ? " [OCLGRIND-OPTION...]" : "") + " -- APPLICATION [ARGUMENT...]";
  }
};

constexpr Starter kRunCommand = {"aiwc run", kCharacteriseFlag,
                                 [](const aiwc::Option &) { return true; }, true};

bool isOfTime(const aiwc::Option &option) {
  constexpr std::array<std::string_view, 3> kFlags = {"--aiwc-output", "--aiwc-append",
                                                      "--aiwc-quiet"};
  return std::ranges::find(kFlags, option.flag) != kFlags.end();
}

constexpr Starter kTimeCommand = {"aiwc time", "--aiwc-time", isOfTime, false, true};
constexpr Starter kAttachCommand = {"aiwc attach", "--aiwc-attach", isOfTime, false, true, "10"};
constexpr std::string_view kBudget = "--budget", kNoWait = "--no-wait", kResume = "--resume",
                           kPreload = "--preload";

/// The words that the argument can be, or its name, which may have words, too: "DIR|none".
std::string argumentOf(const aiwc::Option &option) {
  const bool namesWords = option.argument.find('|') != std::string_view::npos;
  if (option.offered.empty() || option.offered == kFolders || namesWords)
    return std::string(option.argument);
  std::string words(option.offered);
  std::ranges::replace(words, ' ', '|');
  return words;
}

/// The option that `argument` is, alone or as --option=value; nullptr for all others.
const aiwc::Option *findRunOption(std::string_view argument) {
  const auto *found = std::ranges::find(
      kOptions, std::string(argument.substr(0, argument.find('='))), &aiwc::Option::runFlag);
  return found == kOptions.end() ? nullptr : found;
}

/// One option of ours at `arguments[i]`, as the launcher calls it; moves `i` to its last word.
void translate(const Starter &starter, const aiwc::Option &option,
               const std::vector<std::string> &arguments, size_t &i,
               std::vector<std::string> &result) {
  const std::string flag = option.runFlag();
  const std::string assigned = arguments[i].substr(flag.size()); // "=DIR", or nothing
  if (!option.takesArgument() && !assigned.empty())
    throw Error(fmt::format("{}: {} takes no argument: {}", starter.name, flag, starter.usage()));
  result.push_back(std::string(option.flag) + assigned);
  if (!option.takesArgument() || !assigned.empty())
    return;
  if (i + 1 == arguments.size() || arguments[i + 1] == "--")
    throw Error(fmt::format("{}: {} has no argument: {}", starter.name, flag, starter.usage()));
  result.push_back(arguments[++i]);
}

/// The value of the option `flag` at `arguments[i]`, which may be in the next word; moves `i` to
/// the last word.
std::string valueOf(const Starter &starter, std::string_view flag,
                    const std::vector<std::string> &arguments, size_t &i) {
  if (arguments[i].size() > flag.size())
    return arguments[i].substr(flag.size() + 1);
  if (i + 1 == arguments.size() || arguments[i + 1] == "--")
    throw Error(fmt::format("{}: {} has no argument: {}", starter.name, flag, starter.usage()));
  return arguments[++i];
}

/// Whether the argument is the option, alone or as --option=value.
bool isOption(std::string_view argument, std::string_view flag) {
  return argument.substr(0, argument.find('=')) == flag;
}

/// The launcher's arguments, without its own name.
std::vector<std::string> launcherArguments(const Starter &starter,
                                           const std::vector<std::string> &arguments) {
  std::vector<std::string> result = {starter.budget.empty()
                                         ? std::string(starter.flag)
                                         : fmt::format("{}={}", starter.flag, starter.budget)};
  std::string resumed;
  bool foreign = false; // an option that is not ours has come; it may have an argument
  size_t i = 0;
  for (; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "--") {
      ++i;
      break;
    }
    if (const aiwc::Option *option = findRunOption(argument); option && starter.takes(*option)) {
      translate(starter, *option, arguments, i, result);
      continue;
    }
    if (!starter.budget.empty() && isOption(argument, kBudget)) {
      result.front() = fmt::format("{}={}", starter.flag, valueOf(starter, kBudget, arguments, i));
      continue;
    }
    if (starter.preloads && argument == kPreload) {
      result.emplace_back("--aiwc-preload");
      continue;
    }
    if (!starter.budget.empty() && argument == kNoWait) {
      result.emplace_back("--aiwc-no-wait");
      continue;
    }
    if (!starter.budget.empty() && isOption(argument, kResume)) {
      resumed = valueOf(starter, kResume, arguments, i);
      result.push_back("--aiwc-resume=" + resumed);
      continue;
    }
    if (argument.starts_with("-")) {
      if (!starter.passesOthers)
        throw Error(fmt::format("{}: unknown option '{}': {}", starter.name,
                                text::printable(argument), starter.usage()));
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
  if (!resumed.empty() && i < arguments.size())
    throw Error(fmt::format("{}: {} {} is given with an application: expected one of the two",
                            starter.name, kResume, resumed));
  if (i == arguments.size() && resumed.empty())
    throw Error(fmt::format("{}: no application: {}", starter.name, starter.usage()));
  result.insert(result.end(), arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  return result;
}

} // namespace

std::string launcherPath(std::string_view command) {
  std::error_code error;
  const auto self = fs::read_symlink("/proc/self/exe", error);
  if (error)
    throw Error(
        withReason(fmt::format("{}: /proc/self/exe cannot be read", command), error.value()));
  const auto installed = (self.parent_path() / AIWC_LAUNCHER).lexically_normal();
  const auto built = self.parent_path() / "oclgrind";
  const bool inBuildTree = !fs::exists(installed, error) && fs::exists(built, error);
  return inBuildTree ? built : installed;
}

void startLauncher(std::string_view command, std::vector<std::string> words) {
  const std::string launcher = launcherPath(command);
  words.insert(words.begin(), launcher);
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv(kStartedByAiwc, "1", 1);
  execv(launcher.c_str(), pointers.data());
  throw Error(withReason(fmt::format("{}: {} cannot be run", command, launcher), errno) +
              ": expected the launcher of this aiwc there");
}

int runAndWait(std::string_view command, std::vector<std::string> words, const std::string &folder,
               const fs::path &output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!output.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  std::vector<char *> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string &word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::setenv(kStartedByAiwc, "1", 1);
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, words[0].c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0)
    throw Error(
        withReason(fmt::format("{}: {} cannot be run in {}", command, words[0], folder), failed));
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
    ;
  return WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
}

std::vector<std::string> RunOptions::words() const {
  std::vector<std::string> words;
  for (size_t i = 0; i < kOptions.size(); ++i) {
    const aiwc::Option &option = kOptions[i];
    if (!switches[i] && !arguments[i])
      continue;
    words.emplace_back(option.flag);
    if (arguments[i]) {
      SessionOptions tried; // so that a wrong argument is refused under the name that it was given
      readOption(option, *arguments[i], option.runFlag(), tried);
      words.push_back(*arguments[i]);
    }
  }
  return words;
}

void addRunOptions(Command command, RunOptions &options,
                   std::span<const std::string_view> without) {
  for (size_t i = 0; i < kOptions.size(); ++i) {
    const aiwc::Option &option = kOptions[i];
    const std::string flag = option.runFlag(), help(option.help);
    if (std::ranges::find(without, std::string_view(flag)) != without.end())
      continue;
    if (option.takesArgument())
      command.option(flag, &options.arguments[i], help).type(argumentOf(option));
    else
      command.flag(flag, options.switches[i], help);
  }
}

namespace {

/// Declares the options for the help: the command reads its arguments itself.
void describeOptions(Command command, const Starter &starter) {
  for (const aiwc::Option &option : kOptions)
    if (starter.takes(option))
      command.described(option.runFlag(), std::string(option.help),
                        option.takesArgument() ? argumentOf(option) : "");
  if (starter.preloads)
    command.described("--preload",
                      "For an application whose OpenCL loader has no layers: replace functions of "
                      "OpenCL by a preloaded library",
                      "");
}

[[noreturn]] void start(const Starter &starter, const std::vector<std::string> &arguments,
                        const std::string &help) {
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    print(help);
    std::exit(0);
  }
  startLauncher(starter.name, launcherArguments(starter, arguments));
}

} // namespace

void addRun(Command app) {
  Command command =
      app.subcommand("run", "Run an application in the simulator and characterise its kernels");
  describeOptions(command, kRunCommand);
  command.examples(
      {{"aiwc run --output profiles -- ./blur blur.cl 256", ""},
       {"aiwc run --kernel 'lud_*' --invocations 0-9 -- ./lud", ""},
       {"aiwc run --sample-groups 64 --data-races -- ./lud", "--data-races is oclgrind's"}},
      "The application follows: [OCLGRIND-OPTION...] -- APPLICATION [ARGUMENT...]\n"
      "All other options are passed to oclgrind.\n");
}

void addTime(Command app) {
  Command command =
      app.subcommand("time", "Run an application on its own OpenCL device and measure its kernels");
  describeOptions(command, kTimeCommand);
  command.examples({{"aiwc time --output times -- ./blur blur.cl 256",
                     "then: aiwc predict profiles --measured times"}},
                   "The application follows: -- APPLICATION [ARGUMENT...]\n");
  command.details(
      "A layer of OpenCL's loader (OPENCL_LAYERS: Debian's and Khronos' loaders have it) asks the "
      "device for the times of every launch and of the host's transfers. The application gets the "
      "device that it chooses, and the results that it has without the layer. run.json in the "
      "output folder has the times.\n\n"
      "The times are the device's own: of a launch, from the kernel's start to its end. A program "
      "that is linked with a loader without layers is measured with `--preload`; one that is "
      "statically linked, or that opens such a loader itself (dlopen), is not measured.");
}

void addAttach(Command app) {
  Command command = app.subcommand(
      "attach", "Run an application on its own OpenCL device, and characterise some launches");
  describeOptions(command, kAttachCommand);
  command.described(
      "--budget",
      "Share of the application's time that copies of the inputs may take (default: 10 %)",
      "PERCENT");
  command.described("--no-wait", "End with the application; what is not characterised then is left",
                    "");
  command.described(
      "--resume", "Characterise what is left in RUN, of --no-wait or after Ctrl-C; no application",
      "RUN");
  command.examples({{"aiwc attach --output run -- ./app", "then: aiwc predict run"},
                    {"aiwc attach --no-wait --output run -- ./app", ""},
                    {"aiwc attach --resume run", "characterises the launches that are left"}},
                   "The application follows: -- APPLICATION [ARGUMENT...]\n");
  command.details(
      "As `aiwc time`; in addition, what some launches read is copied, at most 2 GiB: of each kind "
      "(kernel, source, sizes, values of arguments) the first, of many kinds a few. These launches "
      "run in the simulator, which leaves out the work-groups that are not in its sample: beside "
      "the application in processes that take only idle time, and the rest when it has ended. "
      "Their "
      "profiles stand for all launches of their kind, and the nearest one for the others. Ctrl-C "
      "while the rest runs ends the command as `--no-wait` does.\n\n"
      "Launches with images, with pointers to shared virtual memory, and of programs that were "
      "linked or built from binaries are measured and not characterised; standard error says so.");
}

void run(const std::vector<std::string> &arguments, const std::string &help) {
  start(kRunCommand, arguments, help);
}

void time(const std::vector<std::string> &arguments, const std::string &help) {
  start(kTimeCommand, arguments, help);
}

void attach(const std::vector<std::string> &arguments, const std::string &help) {
  start(kAttachCommand, arguments, help);
}

} // namespace aiwc::cli
