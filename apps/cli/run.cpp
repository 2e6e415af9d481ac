#include "command.h"
#include "command_line/output.h"
#include "common/as_number.h"
#include "common/error.h"
#include "launcher.h"
#include "launcher/arguments.h"
#include "launcher/locate.h"
#include "launcher/task.h"
#include "processes/program.h"
#include "session/escape.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <variant>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;
using launcher::CommandOption;
using launcher::Measure;
using launcher::Syntax;
using launcher::Task;

/// The share that a percentage is.
double shareOf(const std::string &percentage) {
  constexpr double kPercent = 100;
  const auto number = asNumber<double>(percentage);
  if (!number || !(*number > 0) || *number > kPercent)
    throw Error("--budget is '" + escapeLine(percentage) +
                "': expected a percentage above 0, at most 100");
  return *number / kPercent;
}

bool isOfAttach(const aiwc::Option &option) {
  constexpr std::array<std::string_view, 3> kFlags = {"--aiwc-output", "--aiwc-append",
                                                      "--aiwc-quiet"};
  return std::ranges::find(kFlags, option.flag) != kFlags.end();
}

/// What is copied of the launches; nullptr where a run in a folder is resumed. `flag` is an option
/// about it. Throws Error if nothing is copied.
launcher::Capture *captureOf(Task &task, std::string_view flag) {
  auto *const measure = std::get_if<Measure>(&task);
  if (measure && !measure->capture)
    throw Error(fmt::format("{} is given with --times-only, which copies nothing: expected one of "
                            "the two",
                            flag));
  return measure ? &*measure->capture : nullptr;
}

constexpr std::array<CommandOption, 5> kOfAttach = {{
    {.flag = "--times-only",
     .argument = "",
     .help = "Measure times; copy nothing and characterise nothing",
     .take =
         [](const std::string &, Task &task) {
           auto *const measure = std::get_if<Measure>(&task);
           if (!measure)
             return;
           if (measure->capture && *measure->capture != launcher::Capture())
             throw Error("--times-only copies nothing: expected no --budget and no --no-wait");
           measure->capture.reset();
         }},
    {.flag = "--preload",
     .argument = "",
     .help = "For an application whose OpenCL loader has no layers: replace functions of OpenCL by "
             "a preloaded library",
     .take =
         [](const std::string &, Task &task) {
           if (auto *const measure = std::get_if<Measure>(&task))
             measure->preload = true;
         }},
    {.flag = "--budget",
     .argument = "PERCENT",
     .help = "Share of the application's time that copies of the inputs may take (default: 10 %)",
     .take =
         [](const std::string &argument, Task &task) {
           const double share = shareOf(argument);
           if (launcher::Capture *const capture = captureOf(task, "--budget"))
             capture->share = share;
         }},
    {.flag = "--no-wait",
     .argument = "",
     .help = "End with the application; what is not characterised then is left",
     .take =
         [](const std::string &, Task &task) {
           if (launcher::Capture *const capture = captureOf(task, "--no-wait"))
             capture->waits = false;
         }},
    {.flag = "--resume",
     .argument = "RUN",
     .help = "Characterise what is left in RUN, of --no-wait or after Ctrl-C; no application",
     .take =
         [](const std::string &argument, Task &task) {
           if (!argument.empty())
             task = launcher::Resume{.options = {}, .folder = argument};
         }},
}};

constexpr Syntax kRunSyntax = {.command = "aiwc run", .takesStockOptions = true};
constexpr Syntax kAttachSyntax = {
    .command = "aiwc attach", .takes = isOfAttach, .others = kOfAttach};

/// The words that the argument can be, or its name, which may have words, too: "DIR|none".
std::string argumentOf(const aiwc::Option &option) {
  const bool namesWords = option.argument.find('|') != std::string_view::npos;
  if (option.offered.empty() || option.offered == kFolders || namesWords)
    return std::string(option.argument);
  std::string words(option.offered);
  std::ranges::replace(words, ' ', '|');
  return words;
}

} // namespace

int runAndWait(std::string_view command, std::vector<std::string> words, const std::string &folder,
               const fs::path &output) {
  words.insert(words.begin(), {launcher::findCommand().string(), "run"});
  const std::string failure = fmt::format("{}: {} cannot be run in {}", command, words[0], folder);
  const int ended = processes::run({.words = std::move(words),
                                    .failure = failure,
                                    .input = "/dev/null",
                                    .output = output,
                                    .errors = output,
                                    .folder = folder});
  return WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
}

launcher::GivenOptions RunOptions::given() const {
  launcher::GivenOptions given;
  for (size_t i = 0; i < kOptions.size(); ++i) {
    const aiwc::Option &option = kOptions[i];
    if (!switches[i] && !arguments[i])
      continue;
    given.push_back({&option, arguments[i].value_or("1")});
    SessionOptions tried; // so that a wrong argument is refused under the name that it was given
    readOption(option, given.back().text, option.runFlag(), tried);
  }
  return given;
}

void addRunOptions(Command command, RunOptions &options, std::span<const std::string_view> flags) {
  for (size_t i = 0; i < kOptions.size(); ++i) {
    const aiwc::Option &option = kOptions[i];
    const std::string flag = option.runFlag(), help(option.help);
    if (std::ranges::find(flags, std::string_view(flag)) == flags.end())
      continue;
    if (option.takesArgument())
      command.option(flag, &options.arguments[i], help).type(argumentOf(option));
    else
      command.flag(flag, options.switches[i], help);
  }
}

namespace {

/// Declares the options for the help: the launcher reads their arguments.
void describeOptions(Command command, const Syntax &syntax) {
  for (const aiwc::Option &option : kOptions)
    if (syntax.takes(option))
      command.described(option.runFlag(), std::string(option.help),
                        option.takesArgument() ? argumentOf(option) : "");
  for (const CommandOption &option : syntax.others)
    command.described(std::string(option.flag), std::string(option.help),
                      std::string(option.argument));
}

[[noreturn]] void start(const Syntax &syntax, const Task &task,
                        const std::vector<std::string> &arguments, const std::string &help) {
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    print(help);
    std::exit(0);
  }
  nameOptionsAsAiwc();
  launcher::endLike(launcher::statusOf(
      [&] { return launcher::perform(launcher::taskOf(arguments, syntax, task)); }));
}

} // namespace

void addRun(Command app) {
  Command command =
      app.subcommand("run", "Run an application in the simulator and characterise its kernels");
  describeOptions(command, kRunSyntax);
  command.examples(
      {{"aiwc run --output profiles -- ./blur blur.cl 256", ""},
       {"aiwc run --kernel 'lud_*' --invocations 0-9 -- ./lud", ""},
       {"aiwc run --sample-groups 64 --data-races -- ./lud", "--data-races is oclgrind's"}},
      "The application follows: [OCLGRIND-OPTION...] -- APPLICATION [ARGUMENT...]\n"
      "All other options are passed to oclgrind.\n");
}

void addAttach(Command app) {
  Command command = app.subcommand(
      "attach", "Run an application on its own OpenCL device, and characterise some launches");
  describeOptions(command, kAttachSyntax);
  command.examples({{"aiwc attach --output run -- ./app", "then: aiwc predict run"},
                    {"aiwc attach --no-wait --output run -- ./app", ""},
                    {"aiwc attach --resume run", "characterises the launches that are left"},
                    {"aiwc attach --times-only --output times -- ./blur blur.cl 256",
                     "then: aiwc predict profiles --measured times"}},
                   "The application follows: -- APPLICATION [ARGUMENT...]\n");
  command.details(
      "A layer of OpenCL's loader (OPENCL_LAYERS: Debian's and Khronos' loaders have it) asks the "
      "device for the times of every launch and of the host's transfers. The application gets the "
      "device that it chooses, and the results that it has without the layer. run.json in the "
      "output folder has the times.\n\n"
      "The times are the device's own: of a launch, from the kernel's start to its end. A program "
      "that is linked with a loader without layers is measured with `--preload`; one that is "
      "statically linked, or that opens such a loader itself (dlopen), is not measured.\n\n"
      "Without `--times-only`, what some launches read is copied, at most 2 GiB: of each kind "
      "(kernel, source, sizes, values of arguments) the first, of many kinds a few. These launches "
      "run in the simulator, which leaves out the work-groups that are not in its sample: beside "
      "the application in processes that take only idle time, and the rest when it has ended. "
      "Their "
      "profiles represent all launches of their kind, and the nearest one the others. Ctrl-C "
      "while the rest runs ends the command as `--no-wait` does.\n\n"
      "Launches with images, with pointers to shared virtual memory, and of programs that were "
      "linked or built from binaries are measured and not characterised; standard error says so.");
}

void run(const std::vector<std::string> &arguments, const std::string &help) {
  start(kRunSyntax, launcher::Characterise(), arguments, help);
}

void attach(const std::vector<std::string> &arguments, const std::string &help) {
  Measure measure;
  measure.capture.emplace();
  start(kAttachSyntax, measure, arguments, help);
}

} // namespace aiwc::cli
