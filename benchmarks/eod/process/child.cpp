#include "eod/process/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>

namespace aiwc::process {
namespace {

using Clock = std::chrono::steady_clock;

uint64_t microseconds(const timeval &time) {
  return static_cast<uint64_t>(time.tv_sec) * 1000000 + static_cast<uint64_t>(time.tv_usec);
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> result;
  for (const std::string &text : texts)
    result.push_back(const_cast<char *>(text.c_str())); // exec's signature; it writes nothing
  result.push_back(nullptr);
  return result;
}

/// In the forked process: never returns.
[[noreturn]] void become(const Child &child, char *const *arguments, char *const *environment) {
  const int nothing = open("/dev/null", O_RDWR);
  const int errors = open(child.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const rlimit limit{child.cpuLimitS, child.cpuLimitS};
  prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody waits for it any more
  if (nothing >= 0 && errors >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
      dup2(nothing, STDOUT_FILENO) >= 0 && dup2(errors, STDERR_FILENO) >= 0 &&
      (child.cpuLimitS == 0 || setrlimit(RLIMIT_CPU, &limit) == 0))
    execvpe(arguments[0], arguments, environment);
  dprintf(STDERR_FILENO, "%s: cannot be started: %s\n", arguments[0], std::strerror(errno));
  _exit(127);
}

std::string lastLine(const std::filesystem::path &file) {
  std::ifstream stream(file);
  std::string last;
  for (std::string line; std::getline(stream, line);)
    if (!line.empty())
      last = line;
  return last;
}

std::string outcome(int status) {
  return WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                             : fmt::format("exit status {}", WEXITSTATUS(status));
}

uint64_t cpuUs(const rusage &used) {
  return microseconds(used.ru_utime) + microseconds(used.ru_stime);
}

/// Whether it was RLIMIT_CPU that killed it. The signal alone does not tell. The system goes by its
/// ticks there, and by the clock in what it reports: on a busy machine a sixth less.
bool isOverLimit(const Child &child, int status, const rusage &used) {
  constexpr uint64_t kHalfSecondUs = 500000;
  return child.cpuLimitS > 0 && WIFSIGNALED(status) &&
         (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU) &&
         cpuUs(used) >= child.cpuLimitS * kHalfSecondUs;
}

} // namespace

std::map<std::string, std::string> currentEnvironment() {
  std::map<std::string, std::string> result;
  for (char **setting = environ; *setting; ++setting) {
    const std::string_view text = *setting;
    if (const size_t equals = text.find('='); equals != std::string_view::npos)
      result.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return result;
}

Usage run(const Child &child) {
  std::vector<std::string> settings;
  for (const auto &[name, value] : child.environment)
    settings.push_back(fmt::format("{}={}", name, value));
  const auto arguments = pointers(child.command);
  const auto environment = pointers(settings);
  const Clock::time_point begin = Clock::now();
  const pid_t pid = fork();
  if (pid < 0)
    throw eod::Error(eod::withReason("fork", errno));
  if (pid == 0)
    become(child, arguments.data(), environment.data());
  int status = 0;
  rusage used{};
  while (wait4(pid, &status, 0, &used) < 0)
    if (errno != EINTR)
      throw eod::Error(eod::withReason("wait4", errno));
  if (isOverLimit(child, status, used))
    throw ChildOverLimit(fmt::format("{}: stopped after {} s of CPU time",
                                     fmt::join(child.command, " "), child.cpuLimitS),
                         fmt::format("stopped after {} s of CPU time", child.cpuLimitS));
  if (status != 0)
    throw ChildFailed(fmt::format("{}: {}: {}", fmt::join(child.command, " "), outcome(status),
                                  lastLine(child.errors)),
                      lastLine(child.errors));
  Usage usage;
  usage.wallUs = static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
  usage.cpuUs = cpuUs(used);
  usage.peakMemoryBytes = static_cast<uint64_t>(used.ru_maxrss) * 1024; // Linux counts in KiB
  return usage;
}

} // namespace aiwc::process
