#include "launcher/child.h"

#include "common/argument_pointers.h"
#include "common/descriptor.h"
#include "common/error.h"
#include "session/escape.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <string_view>
#include <system_error>
#include <vector>

namespace aiwc::launcher {
namespace {

constexpr int kNotStarted = 127;

constexpr timespec kMoment = {0, 100'000'000};

constexpr std::array kForwarded = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

bool isIgnored(int signal) {
  struct sigaction action {};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

Error cannotRun(const std::string &program, int reason) {
  return Error(withReason("cannot run '" + escapeLine(program) + "'", reason));
}

/// Parts of the names of loaders and drivers.
constexpr std::array<std::string_view, 5> kLibraries = {"libOpenCL", "libpocl", "nvidia-opencl",
                                                        "amdocl", "igdrcl"};

std::string folderOf(pid_t process) {
  return "/proc/" + std::to_string(process) + "/";
}

/// Those of the process's first thread, which are all where it has no others.
std::vector<pid_t> childrenOf(pid_t process) {
  std::ifstream file(folderOf(process) + "task/" + std::to_string(process) + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;)
    children.push_back(child);
  return children;
}

std::string openClOf(pid_t process) {
  std::ifstream maps(folderOf(process) + "maps");
  for (std::string line; std::getline(maps, line);) {
    const size_t path = line.find('/');
    if (path == std::string::npos)
      continue;
    const std::string_view name = std::string_view(line).substr(line.find_last_of('/') + 1);
    if (std::ranges::any_of(kLibraries, [&](std::string_view library) {
          return name.find(library) != std::string_view::npos;
        }))
      return line.substr(path);
  }
  return "";
}

} // namespace

Children::Children() {
  // Signals are received by sigwaitinfo and not by handlers, so that a signal cannot race with fork
  // or with the wait.
  sigemptyset(&handled_);
  for (const int signal : kForwarded)
    sigaddset(&handled_, signal);
  sigaddset(&handled_, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &handled_, &maskBefore_);
  // A process inherits an ignored SIGCHLD from its parent, and then waitpid has no status to
  // return.
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &standard, &childActionBefore_);
}

Children::~Children() {
  ::sigaction(SIGCHLD, &childActionBefore_, nullptr);
  ::sigprocmask(SIG_SETMASK, &maskBefore_, nullptr);
}

int Children::run(const std::vector<std::string> &command, Role role,
                  const std::function<void()> &prepare, const std::function<void()> &meanwhile) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
    throw cannotRun(command.front(), errno);
  for (int &end : pipe)
    if ((end = aboveStandard(end)) < 0)
      throw cannotRun(command.front(), errno);
  const pid_t launcher = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    throw cannotRun(command.front(), errno);
  if (child == 0) {
    if (role != Role::kNative) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != launcher)
        ::_exit(kNotStarted); // the launcher was killed before the line above
    }
    become(command, pipe[1], prepare);
  }
  ::close(pipe[1]);
  int reason = 0;
  const bool failed = ::read(pipe[0], &reason, sizeof reason) == sizeof reason;
  ::close(pipe[0]);
  int deadly = 0;
  const int status = wait(child, deadly, meanwhile);
  if (deadly && role == Role::kOwn)
    throw Interrupted{deadly};
  if (failed)
    throw cannotRun(command.front(), reason);
  return status;
}

pid_t Children::start(const std::vector<std::string> &command,
                      const std::function<void()> &prepare) {
  const pid_t launcher = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    throw cannotRun(command.front(), errno);
  if (child == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != launcher)
      ::_exit(kNotStarted);
    become(command, -1, prepare);
  }
  ::setpgid(child, child); // whichever of the two comes first
  return child;
}

int Children::pause() {
  siginfo_t info{};
  const int signal = ::sigtimedwait(&handled_, &info, &kMoment);
  return signal < 0 || signal == SIGCHLD || isIgnored(signal) ? 0 : signal;
}

void Children::become(const std::vector<std::string> &command, int failures,
                      const std::function<void()> &prepare) {
  int reason = EINVAL;
  try {
    if (prepare)
      prepare();
    ::sigaction(SIGCHLD, &childActionBefore_, nullptr);
    ::sigprocmask(SIG_SETMASK, &maskBefore_, nullptr);
    ::execv(command.front().c_str(), argumentPointers(command).data());
    reason = errno;
  } catch (const std::system_error &error) { // the code below reports it
    reason = error.code().value();
  } catch (...) { // out of memory
    reason = ENOMEM;
  }
  [[maybe_unused]] const ssize_t written = ::write(failures, &reason, sizeof reason);
  ::_exit(kNotStarted);
}

// Waits for the child. Sets `deadly` to a signal that arrived meanwhile and would have ended the
// launcher.
int Children::wait(pid_t child, int &deadly, const std::function<void()> &meanwhile) {
  for (;;) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child)
      return status;
    if (meanwhile)
      meanwhile();
    siginfo_t info{};
    const int signal =
        meanwhile ? ::sigtimedwait(&handled_, &info, &kMoment) : ::sigwaitinfo(&handled_, &info);
    if (signal < 0 || signal == SIGCHLD)
      continue;
    if (!isIgnored(signal)) {
      deadly = signal;
      if (signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM)
        toldToEndBy_ = signal;
    }
    if (info.si_code != SI_KERNEL)
      ::kill(child, signal);
  }
}

void replaceBy(const std::vector<std::string> &command) {
  ::execv(command.front().c_str(), argumentPointers(command).data());
  throw cannotRun(command.front(), errno);
}

std::string openClOfChildren() {
  std::string found;
  for (const pid_t child : childrenOf(::getpid())) {
    found = openClOf(child);
    for (const pid_t grandchild : childrenOf(child))
      if (found.empty())
        found = openClOf(grandchild);
    if (!found.empty())
      break;
  }
  return found;
}

} // namespace aiwc::launcher
