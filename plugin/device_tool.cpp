#include "plugin/device_tool.h"

#include "common/argument_pointers.h"
#include "common/memory_file.h"
#include "common/signals.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace aiwc::plugin {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTool = "aiwc-opencl-device";

/// In the installed tree and in the build tree, from the folder of this library.
fs::path toolPath() {
  Dl_info library;
  if (dladdr(reinterpret_cast<const void *>(&toolPath), &library) == 0 || !library.dli_fname)
    return kTool;
  const fs::path folder = fs::path(library.dli_fname).parent_path();
  std::error_code error;
  for (const char *way : {AIWC_LIBEXEC_FROM_PLUGIN, "../../libexec/aiwc"})
    if (const fs::path tool = folder / way / kTool; fs::exists(tool, error))
      return tool.lexically_normal();
  return folder / AIWC_LIBEXEC_FROM_PLUGIN / kTool;
}

struct Start {
  const char *program = nullptr;
  char *const *arguments = nullptr;
  char *const *environment = nullptr;
  std::array<int, 3> files{};
  int error = 0; ///< why the program could not be started
};

/// Shares the memory of the application's process until it executes the program.
int startTool(void *data) {
  auto *start = static_cast<Start *>(data);
  for (int i = 0; i < 3; ++i)
    if (::dup2(start->files[static_cast<size_t>(i)], i) < 0)
      ::_exit(1);
  ::syscall(SYS_close_range, 3U, ~0U, 0U); // what the application left open
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(start->program, start->arguments, start->environment);
  start->error = errno;
  ::_exit(1);
}

/// The variables of the application's environment that the program and llvm-spirv need. LD_PRELOAD
/// is not among them.
std::vector<std::string> environmentOfTool() {
  std::vector<std::string> result;
  for (const char *name : {"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"})
    if (const char *value = std::getenv(name))
      result.push_back(std::string(name) + "=" + value);
  return result;
}

/// The number of the process; negative if there is none.
pid_t startProcess(Start &start) {
  constexpr size_t kStackBytes = 1 << 16;
  const auto stack = std::make_unique<char[]>(kStackBytes);
  const AllSignalsBlocked blocked; // no handler of the application runs in the child
  // Without a signal for its end, it is no child that the application's waits could meet.
  return ::clone(startTool, stack.get() + kStackBytes, CLONE_VM | CLONE_VFORK, &start);
}

ToolResult failed(std::string message) {
  ToolResult result;
  result.message = std::move(message);
  return result;
}

} // namespace

ToolResult runDeviceTool(const std::vector<std::string> &options, std::string_view input) {
  const Descriptor in = memoryFile(), out = memoryFile(), messages = memoryFile();
  if (!in || !out || !messages || !writeWhole(in.number(), input))
    return failed(fmt::format("{} cannot be run: no memory for its files", kTool));
  const std::string program = toolPath().string();
  std::vector<std::string> words = {kTool}, variables = environmentOfTool();
  words.insert(words.end(), options.begin(), options.end());
  const std::vector<char *> arguments = argumentPointers(words),
                            environment = argumentPointers(variables);
  Start start{program.c_str(),
              arguments.data(),
              environment.data(),
              {in.number(), out.number(), messages.number()}};
  const pid_t process = startProcess(start);
  if (process < 0)
    return failed(fmt::format("{} cannot be run: {}", kTool, std::strerror(errno)));
  int status = 0;
  while (::waitpid(process, &status, __WALL) < 0 && errno == EINTR) {
  }
  if (start.error != 0)
    return failed(fmt::format("{} cannot be run: {}", program, std::strerror(start.error)));
  ToolResult result{WIFEXITED(status) && WEXITSTATUS(status) == 0, readWhole(out.number()),
                    readWhole(messages.number())};
  result.message.resize(result.message.find_last_not_of('\n') + 1);
  if (!result.succeeded && result.message.empty())
    result.message = fmt::format("{} ended without a reason", kTool);
  return result;
}

} // namespace aiwc::plugin
