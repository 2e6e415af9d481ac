// The host program of `aiwc kernel`: an OpenCL application that launches one kernel of a file, or
// those of captures. It runs under the launcher, as any application does.

#include "common/error.h"
#include "common/file.h"
#include "kernel_host/launches.h"
#include "kernel_host/opencl.h"
#include "kernel_host/program.h"
#include "kernel_launch/capture.h"
#include "kernel_launch/command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace aiwc::kernel_host {
namespace {

namespace fs = std::filesystem;
using kernel_launch::Argument;
using kernel_launch::CaptureEvent;
using kernel_launch::Signature;

/// The exit status: memory that differs from a capture's, or errors of the simulator; a command
/// that cannot be carried out.
constexpr int kDifferent = 1, kWrong = 2;

void say(const std::string &line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(kernel_launch::kName.size()),
               kernel_launch::kName.data(), line.c_str());
}

bool isSet(const char *variable) {
  const char *value = std::getenv(variable);
  return value && std::string_view(value) == "1";
}

/// Of the option --quiet: only what is wrong is said.
bool isQuiet() {
  return isSet("AIWC_QUIET");
}

std::string optionName(const Signature &signature, size_t index) {
  const std::string &name = signature.parameters[index].name;
  return name.empty() ? fmt::format("{}", index) : name;
}

/// What --arg auto assumed, as the options that say the same.
void sayAssumed(const Signature &signature, const kernel_launch::Parsed &parsed) {
  std::string options;
  const auto given = kernel_launch::givenOf(signature, parsed.arguments);
  for (size_t i = 0; i < signature.parameters.size(); ++i)
    if (!given[i])
      options += fmt::format(" --arg '{}={}'", optionName(signature, i),
                             proposalFor(signature, i, parsed.sizes.front()));
  if (!options.empty() && !isQuiet())
    say("assumed" + options);
}

/// Returns whether there are any.
bool sayErrors(const Launched &launched) {
  for (const std::string &line : launched.errors)
    say(line);
  return !launched.errors.empty();
}

/// Memory after launches: written to a folder, or compared with what is there.
class Results {
public:
  Results(const Device &device, const kernel_launch::Command &command)
      : device_(device), written_(command.writtenResults), expected_(command.expectedResults) {}

  /// After the next launch.
  void take(const Signature &signature, const std::vector<Argument> &arguments,
            const Launched &launched) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      const bool isBuffer = arguments[i].kind == Argument::Kind::kBuffer;
      if (!isBuffer && arguments[i].kind != Argument::Kind::kImage)
        continue;
      if (!areWanted())
        continue;
      const std::string name = nameOf(i);
      const std::string bytes =
          isBuffer ? contentsOf(device_, launched.memory[i].get(), arguments[i].bytes.size())
                   : readImage(device_, launched.memory[i].get(), arguments[i]);
      if (!written_.empty())
        replaceFile(written_ / name, bytes);
      if (!expected_.empty())
        compare(signature, i, bytes,
                readFile(expected_ / name, "the result of a launch", kernel_launch::kMostBytes));
    }
    ++launches_;
  }
  /// The bytes of this argument after the next launch, where results are expected; else 0.
  uint64_t expectedBytes(size_t argument) const {
    std::error_code none;
    const uint64_t bytes =
        expected_.empty() ? 0 : fs::file_size(expected_ / nameOf(argument), none);
    return none ? 0 : bytes;
  }
  /// Whether they are written or compared.
  bool areWanted() const { return !written_.empty() || !expected_.empty(); }
  bool areAsExpected() const { return areEqual_; }

private:
  /// Of an argument after the next launch, in either folder.
  std::string nameOf(size_t argument) const {
    return fmt::format("{}-{}.bin", launches_, argument);
  }
  void compare(const Signature &signature, size_t i, const std::string &bytes,
               const std::string &expected) {
    const std::string difference =
        kernel_launch::differenceOf(signature.parameters[i], bytes, expected, {"here", "expected"});
    if (difference.empty())
      return;
    areEqual_ = false;
    say(fmt::format("argument {} after launch {}: {}", signature.nameOf(i), launches_, difference));
  }

  const Device &device_;
  fs::path written_, expected_;
  size_t launches_ = 0;
  bool areEqual_ = true;
};

/// Whether a program is being read.
volatile std::sig_atomic_t isReading = 0;

/// OpenCL C has no file, but a compiler of files looks beside it for what it includes.
std::string withFolderOf(const std::string &file, const std::string &options) {
  return fmt::format("{}{}-I \"{}\"", options, options.empty() ? "" : " ",
                     fs::absolute(file).parent_path().string());
}

BuiltProgram programIn(const Device &device, const std::string &file, kernel_launch::FileKind kind,
                       const std::string &options) {
  const struct Reading {
    Reading() { isReading = 1; }
    ~Reading() { isReading = 0; }
  } reading;
  const ProgramText text = readProgram(file, kind, options);
  const bool includes = text.isSource && text.bytes.find("#include \"") != std::string::npos;
  return {device, file, text, includes ? withFolderOf(file, options) : options};
}

/// The launches of one kernel of a program.
class ProgramLaunches {
public:
  explicit ProgramLaunches(const kernel_launch::Command &command)
      : command_(command), parsed_(kernel_launch::parsed(command)),
        program_(programIn(device_, command.files.front(), parsed_.kind, command.buildOptions)),
        kernel_(program_.kernel(command.kernel)), signature_(program_.signatureOf(kernel_.get())),
        results_(device_, command), counts_(signature_.parameters.size()) {}

  /// The exit status.
  int run() {
    bool isRight = true;
    for (const kernel_launch::Sizes &sizes : parsed_.sizes)
      isRight &= launchOf(sizes);
    return isRight && results_.areAsExpected() ? 0 : kDifferent;
  }

private:
  /// So many launches are tried with ever larger buffers.
  static constexpr int kMostTries = 6;

  /// Returns whether the simulator reports nothing.
  bool launchOf(const kernel_launch::Sizes &sizes) {
    const int64_t shared =
        command_.sharedMemory.empty() ? 0 : kernel_launch::numberOf(command_.sharedMemory, sizes);
    if (shared < 0)
      throw Error(fmt::format("--shared-memory is {}: expected bytes", shared));
    for (std::string &count : counts_) // a number is that of the launch before
      if (count.find_first_not_of("0123456789") == std::string::npos)
        count.clear();
    takeExpectedSizes();
    for (int tries = 1;; ++tries) {
      const std::vector<Argument> arguments = kernel_launch::argumentsOf(
          signature_, parsed_.arguments, parsed_.proposes, sizes, counts_);
      if (parsed_.proposes && std::exchange(isFirst_, false))
        sayAssumed(signature_, parsed_);
      std::vector<bool> growable;
      if (parsed_.proposes && tries < kMostTries)
        growable = kernel_launch::openSizes(signature_, parsed_.arguments);
      const Launched launched = launch(device_, program_, kernel_.get(), signature_, arguments,
                                       sizes, static_cast<size_t>(shared), growable);
      if (!launched.grown.empty()) {
        takeLarger(arguments, launched.grown);
        continue;
      }
      const bool hasErrors = sayErrors(launched);
      results_.take(signature_, arguments, launched);
      return !hasErrors;
    }
  }

  /// A buffer whose size is left open has that of the result it is compared with: a variant of the
  /// kernel may launch fewer work-items.
  void takeExpectedSizes() {
    const std::vector<bool> open = kernel_launch::openSizes(signature_, parsed_.arguments);
    for (size_t i = 0; i < open.size(); ++i)
      if (const auto type = signature_.parameters[i].valueType(); open[i] && type)
        if (const uint64_t bytes = results_.expectedBytes(i); bytes >= type->valueBytes())
          counts_[i] = std::to_string(bytes / type->valueBytes());
  }

  void takeLarger(const std::vector<Argument> &arguments, const std::vector<std::string> &grown) {
    for (size_t i = 0; i < grown.size(); ++i) {
      if (grown[i].empty())
        continue;
      counts_[i] = grown[i];
      const auto type = *signature_.parameters[i].valueType();
      if (!isQuiet())
        say(fmt::format("{} accesses {} beyond its {} values: assumed --arg '{}=buffer:{}:{}:{}'",
                        signature_.kernel, signature_.nameOf(i),
                        arguments[i].bytes.size() / type.valueBytes(), optionName(signature_, i),
                        type.name(), grown[i], arguments[i].contents));
    }
  }

  const kernel_launch::Command &command_;
  kernel_launch::Parsed parsed_;
  Device device_;
  BuiltProgram program_;
  Owned<cl_kernel> kernel_;
  Signature signature_;
  Results results_;
  /// Of buffers whose size is left open, the number of values, once that of work-items is too few.
  std::vector<std::string> counts_;
  bool isFirst_ = true;
};

/// Compares memory after the launch with what was captured. Returns whether all of it is equal.
bool checkCapture(const Device &device, const kernel_launch::Capture &capture,
                  const Signature &signature, const std::vector<Argument> &arguments,
                  const Launched &launched) {
  bool areEqual = true;
  size_t compared = 0;
  const auto compare = [&](size_t i, const fs::path &after, const std::string &simulated) {
    ++compared;
    const std::string captured = readFile(after, "a captured buffer", kernel_launch::kMostBytes);
    const std::string difference =
        kernel_launch::differenceOf(signature.parameters[i], simulated, captured);
    if (difference.empty())
      return;
    areEqual = false;
    say(fmt::format("{}: argument {} after the launch differs from {}: {}",
                    capture.folder.filename().string(), signature.nameOf(i),
                    (after.parent_path().filename() / after.filename()).string(), difference));
  };
  for (const auto &[i, memory] : capture.buffers)
    if (i < arguments.size() && arguments[i].kind == Argument::Kind::kBuffer &&
        !memory.after.empty())
      compare(i, memory.after,
              contentsOf(device, launched.memory[i].get(), arguments[i].bytes.size()));
  for (const auto &[i, memory] : capture.images)
    if (i < arguments.size() && arguments[i].kind == Argument::Kind::kImage &&
        !memory.after.empty())
      compare(i, memory.after, readImage(device, launched.memory[i].get(), arguments[i]));
  if (areEqual && !isQuiet())
    say(compared == 0
            ? fmt::format("{}: nothing to compare with in Post/",
                          capture.folder.filename().string())
            : fmt::format("{}: {} buffer{} as captured", capture.folder.filename().string(),
                          compared, compared == 1 ? "" : "s"));
  return areEqual;
}

/// Launches what was captured, the capture at `place` of the command. Returns whether the simulator
/// reports nothing and its memory is then as captured, or as `results` expects where these are
/// wanted.
bool replay(const Device &device, const kernel_launch::Capture &capture, size_t place,
            bool isComplete, Results &results) {
  const std::string file = capture.program.string();
  const BuiltProgram program =
      programIn(device, file, kernel_launch::fileKindOf(file), capture.buildOptions);
  const Owned<cl_kernel> kernel = program.kernel(capture.kernel);
  const Signature signature = program.signatureOf(kernel.get());
  const std::vector<Argument> arguments = kernel_launch::argumentsOf(capture, signature);
  const Launched launched =
      launch(device, program, kernel.get(), signature, arguments, capture.sizes, 0);
  kernel_launch::logCapture({CaptureEvent::Kind::kLaunched, place});
  results.take(signature, arguments, launched);
  if (sayErrors(launched))
    return false;
  return results.areWanted() || !isComplete ||
         checkCapture(device, capture, signature, arguments, launched);
}

int runCaptures(const kernel_launch::Command &command) {
  std::vector<kernel_launch::Capture> captures;
  for (const std::string &folder : command.files)
    for (const fs::path &path : kernel_launch::capturesIn(folder))
      captures.push_back(kernel_launch::readCapture(path));
  const Device device;
  const bool isComplete = !std::getenv("AIWC_BUDGET"); // else results may be wrong
  Results results(device, command);
  int status = 0;
  for (size_t i = 0; i < captures.size(); ++i) {
    kernel_launch::logCapture({CaptureEvent::Kind::kBegin, i});
    try {
      if (!replay(device, captures[i], i, isComplete, results) && status == 0)
        status = kDifferent;
    } catch (const Error &error) { // the others may run
      kernel_launch::logCapture({CaptureEvent::Kind::kFailed, i, error.what()});
      say(error.what());
      status = kWrong;
    }
  }
  return status == 0 && !results.areAsExpected() ? kDifferent : status;
}

/// The line for a crash, which is composed before one.
std::string &crashLine() {
  static std::string instance;
  return instance;
}

extern "C" void sayCrash(int signal) {
  // Nothing that takes memory or locks may be called here.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, crashLine().data(), crashLine().size());
  if (isReading) // LLVM crashes on some damaged programs, which are wrong input like others
    ::_exit(kWrong);
  ::raise(signal); // which has its default action again
}

/// A program may be such that the simulator crashes on it: then a line says which.
void sayCrashes(int argc, char **argv) {
  crashLine() = fmt::format("{}: {}: the simulator crashed on it\n", kernel_launch::kName,
                            argc > 1 ? argv[1] : "no file");
  static std::array<char, 1 << 16> stack; // that of the thread may be what overflowed
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = sayCrash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    ::sigaction(signal, &action, nullptr);
}

int run(int argc, char **argv) {
  const kernel_launch::Command command =
      kernel_launch::commandOf({argv + (argc > 0 ? 1 : 0), argv + argc});
  const bool areCaptures =
      !command.files.empty() &&
      kernel_launch::fileKindOf(command.files.front()) == kernel_launch::FileKind::kCapture;
  return areCaptures ? runCaptures(command) : ProgramLaunches(command).run();
}

} // namespace
} // namespace aiwc::kernel_host

int main(int argc, char **argv) {
  try {
    aiwc::kernel_host::sayCrashes(argc, argv);
    return aiwc::kernel_host::run(argc, argv);
  } catch (const std::bad_alloc &) {
    aiwc::kernel_host::say("there is not enough memory: expected smaller buffers or fewer sizes");
    return aiwc::kernel_host::kWrong;
  } catch (const std::exception &error) {
    aiwc::kernel_host::say(error.what());
    return aiwc::kernel_host::kWrong;
  }
}
