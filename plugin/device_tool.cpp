#include "plugin/device_tool.h"

#include "common/signals.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
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

/// A file without a name, above the numbers of the standard streams.
class MemoryFile {
public:
  MemoryFile() {
    constexpr int kAboveStandard = 3;
    const int made = static_cast<int>(::syscall(SYS_memfd_create, "aiwc", MFD_CLOEXEC));
    if (made < 0)
      return;
    descriptor_ = ::fcntl(made, F_DUPFD_CLOEXEC, kAboveStandard);
    ::close(made);
  }
  ~MemoryFile() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;

  int descriptor() const { return descriptor_; }

  bool fill(std::string_view bytes) const {
    const WriteSignalsHeld held; // the application may limit the size of files
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t count =
          ::pwrite(descriptor_, bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
      if (count <= 0 && errno != EINTR)
        return false;
      at += count > 0 ? static_cast<size_t>(count) : 0;
    }
    return true;
  }

  std::string content() const {
    std::string bytes;
    std::array<char, 1 << 16> part;
    for (ssize_t count = 0; (count = ::pread(descriptor_, part.data(), part.size(),
                                             static_cast<off_t>(bytes.size()))) > 0;)
      bytes.append(part.data(), static_cast<size_t>(count));
    return bytes;
  }

private:
  int descriptor_ = -1;
};

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

std::vector<char *> pointersTo(std::vector<std::string> &texts) {
  std::vector<char *> result;
  result.reserve(texts.size() + 1);
  for (std::string &text : texts)
    result.push_back(text.data());
  result.push_back(nullptr);
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
  const MemoryFile in, out, messages;
  if (in.descriptor() < 0 || out.descriptor() < 0 || messages.descriptor() < 0 || !in.fill(input))
    return failed(fmt::format("{} cannot be run: no memory for its files", kTool));
  const std::string program = toolPath().string();
  std::vector<std::string> words = {kTool}, variables = environmentOfTool();
  words.insert(words.end(), options.begin(), options.end());
  const std::vector<char *> arguments = pointersTo(words), environment = pointersTo(variables);
  Start start{program.c_str(),
              arguments.data(),
              environment.data(),
              {in.descriptor(), out.descriptor(), messages.descriptor()}};
  const pid_t process = startProcess(start);
  if (process < 0)
    return failed(fmt::format("{} cannot be run: {}", kTool, std::strerror(errno)));
  int status = 0;
  while (::waitpid(process, &status, __WALL) < 0 && errno == EINTR) {
  }
  if (start.error != 0)
    return failed(fmt::format("{} cannot be run: {}", program, std::strerror(start.error)));
  ToolResult result{WIFEXITED(status) && WEXITSTATUS(status) == 0, out.content(),
                    messages.content()};
  result.message.resize(result.message.find_last_not_of('\n') + 1);
  if (!result.succeeded && result.message.empty())
    result.message = fmt::format("{} ended without a reason", kTool);
  return result;
}

} // namespace aiwc::plugin
