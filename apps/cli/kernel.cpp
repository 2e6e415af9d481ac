#include "kernel_launch/capture.h"
#include "launcher.h"
#include "launcher/locate.h"
#include "launcher/task.h"
#include "run/folder.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>
#include <utility>

namespace aiwc::cli {

namespace {

namespace fs = std::filesystem;

/// Each launch of the one kernel that runs is characterised. `aiwc show` and `aiwc annotate embed`
/// read what the run leaves.
constexpr std::array<std::string_view, 7> kOfKernel = {
    "--output", "--append", "--accuracy", "--budget", "--as", "--targets", "--quiet"};

/// The host says what Oclgrind reports.
constexpr std::array<std::string_view, 2> kQuietOclgrind = {"--log", "/dev/null"};

struct KernelCommand {
  kernel_launch::Command command;
  RunOptions run;
};

/// The host program and its words for the launch.
std::vector<std::string> hostWords(std::string_view command, const kernel_launch::Command &launch) {
  const fs::path host = launcher::findTool("aiwc-kernel-host");
  if (std::error_code error; !fs::exists(host, error))
    throw Error(
        fmt::format("{}: {} does not exist: expected the program there", command, host.string()));
  std::vector<std::string> words = {host};
  for (std::string &word : kernel_launch::wordsOf(launch))
    words.push_back(std::move(word));
  return words;
}

/// The options, once what can be found wrong without a simulator was looked for, so that no run
/// begins in vain.
launcher::GivenOptions checkedOptions(const KernelCommand &given) {
  const kernel_launch::Command &command = given.command;
  try {
    launcher::GivenOptions options = given.run.given();
    if (kernel_launch::parsed(command).kind == kernel_launch::FileKind::kCapture)
      for (const std::string &folder : command.files)
        for (const fs::path &capture : kernel_launch::capturesIn(folder))
          kernel_launch::readCapture(capture);
    return options;
  } catch (const Error &error) {
    throw Error(fmt::format("{}: {}", kernel_launch::kName, error.what()));
  }
}

/// The name of the program, where `aiwc run` takes that of the application.
std::string programName(const kernel_launch::Command &command) {
  const fs::path file = fs::path(command.files.front()).lexically_normal();
  return (file.has_filename() ? file : file.parent_path()).stem().string();
}

[[noreturn]] void characterise(const KernelCommand &given) {
  constexpr std::string_view kOutput = "--aiwc-output";
  launcher::Characterise task;
  task.options = checkedOptions(given);
  task.stockOptions.assign(kQuietOclgrind.begin(), kQuietOclgrind.end());
  if (!launcher::givenOption(task.options, kOutput))
    task.options.push_back(
        {findOption(kOutput),
         run::newFolderFor(fs::current_path(), programName(given.command)).string()});
  task.application = hostWords(kernel_launch::kName, given.command);
  nameOptionsAsAiwc();
  launcher::endLike(launcher::statusOf([&] { return launcher::perform(task); }));
}

} // namespace

std::vector<std::string> kernelWords(std::string_view command, std::vector<std::string> options,
                                     const kernel_launch::Command &launch) {
  std::vector<std::string> words(kQuietOclgrind.begin(), kQuietOclgrind.end());
  words.insert(words.end(), std::make_move_iterator(options.begin()),
               std::make_move_iterator(options.end()));
  for (std::string &word : hostWords(command, launch))
    words.push_back(std::move(word));
  return words;
}

void addLaunchOptions(Command command, kernel_launch::Command &launch) {
  command.option("--kernel", &launch.kernel, "The kernel; default: the only one of the program")
      .type("NAME");
  command
      .option("--global", &launch.global,
              "Its global size in work-items, such as 1024x1024; several make a launch each")
      .type("SIZE")
      .repeatable();
  command.option("--local", &launch.local, "Its local size; default: left to OpenCL").type("SIZE");
  command.option("--offset", &launch.offset, "Its global offset; default: 0").type("SIZE");
  command
      .option("--arg", &launch.arguments,
              "An argument, by the parameter's name or position from 0; auto: make up what is not "
              "given")
      .type("PARAMETER=VALUE|auto")
      .repeatable();
  command
      .option("--build-options", &launch.buildOptions,
              "Options for the compiler of OpenCL C or CUDA, such as '-D TILE=16'")
      .type("TEXT");
  command
      .option("--shared-memory", &launch.sharedMemory,
              "Bytes of dynamic shared memory of a CUDA kernel")
      .type("BYTES");
}

void addKernel(Command app) {
  auto given = std::make_shared<KernelCommand>();
  Command command =
      app.subcommand("kernel", "Characterise one kernel of a file, or a capture of one");
  kernel_launch::Command &launch = given->command;
  command
      .option("FILE", &launch.files,
              "A program, .cl, .cu, .spv, .ll or .bc, or folders of captures (Enqueue_N_KERNEL)")
      .type("FILE")
      .required();
  addLaunchOptions(command, launch);
  addRunOptions(command, given->run, kOfKernel);
  command.examples(
      {{"aiwc kernel blur.cl --global 512x512 --arg auto", "makes arguments up, and says which"},
       {"aiwc kernel saxpy.cl --global 1M --arg a=2.5 --arg 'x=random(-1,1)' --arg y=zeros", ""},
       {"aiwc kernel spmv.cl --kernel spmv --global 4096 --arg columns=columns.npy --arg auto", ""},
       {"aiwc kernel Replay/Enqueue_7_blur", "a capture of the OpenCL Intercept Layer"}},
      "VALUE is a number (or several with commas, for a vector); buffer:TYPE:COUNT:CONTENTS with "
      "a\n"
      "TYPE such as f32, i32 or u8; CONTENTS alone; local:BYTES; image:rgba:unorm8:WxH:CONTENTS\n"
      "(r, rg or rgba; unorm8, unorm16, snorm8, snorm16, u8 to u32, i8 to i32, f16, f32); "
      "sampler;\n"
      "null; or FILE.bin with the bytes of a structure. CONTENTS are zeros, fill(VALUE), range,\n"
      "random(LOW,HIGH), FILE.npy or FILE.bin. Numbers may contain K, M, G (1024, ...), gx, gy, "
      "gz,\n"
      "lx, ly, lz and items, which stand for the sizes of the launch, and + - * /.\n");
  command.details(
      "The kernel runs in the simulator, as under `aiwc run`, and leaves a run: every command that "
      "reads runs reads it. `#include \"FILE\"` looks beside the program, after the folders of -I. "
      "Contents that were made up, and arguments that `--arg auto` assumed, "
      "stand in run.json and in the output of `aiwc show`.\n\n"
      "A capture is a folder that the OpenCL Intercept Layer writes with CaptureReplay. After the "
      "launch its buffers are compared with those in Post/, unless there is a `--budget`; the exit "
      "status is 1 if one differs.");
  command.action([given] { characterise(*given); });
}

} // namespace aiwc::cli
