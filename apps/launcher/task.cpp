#include "launcher/task.h"

#include "command_line/command.h"
#include "launcher/child.h"
#include "launcher/locate.h"
#include "launcher/preflight.h"
#include "launcher/recording.h"
#include "launcher/report.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>

namespace aiwc::launcher {
namespace {

[[noreturn]] void dieOf(int signal) {
  // No core file: the child has already written one.
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::signal(signal, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

} // namespace

const GivenOption *givenOption(const GivenOptions &options, std::string_view flag) {
  const auto found =
      std::ranges::find_if(options.rbegin(), options.rend(),
                           [&](const GivenOption &given) { return given.option->flag == flag; });
  return found == options.rend() ? nullptr : &*found;
}

std::vector<std::string> wordsOf(const GivenOptions &options) {
  std::vector<std::string> words;
  for (const GivenOption &given : options) {
    words.emplace_back(given.option->flag);
    if (given.option->takesArgument())
      words.push_back(given.text);
  }
  return words;
}

int perform(const Task &task) {
  return std::visit([](const auto &chosen) { return perform(chosen); }, task);
}

int statusOf(const std::function<int()> &work) {
  constexpr int kUsageStatus = 2;
  try {
    return work();
  } catch (const CompletedLater &) {
    std::exit(0);
  } catch (const Interrupted &interrupted) {
    return W_EXITCODE(0, interrupted.signal);
  } catch (const command_line::UsageError &) {
    throw;
  } catch (const PluginError &error) {
    complain(error.what());
    return W_EXITCODE(kPluginStatus, 0);
  } catch (const ApplicationError &error) {
    complain(error.what());
    return W_EXITCODE(error.status(), 0);
  } catch (const std::exception &error) {
    complain(error.what());
    return W_EXITCODE(kUsageStatus, 0);
  }
}

void endLike(int status) {
  if (WIFSIGNALED(status))
    dieOf(WTERMSIG(status));
  std::exit(WEXITSTATUS(status));
}

} // namespace aiwc::launcher
