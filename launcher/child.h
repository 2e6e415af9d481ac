#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <vector>

/// Running another program in this one's place as far as the outside can tell.
namespace aiwc::launcher {

/// Thrown when a signal ended the launcher's own work: the launcher must die of it, tidied up.
struct Interrupted {
  int signal;
};

/// While an instance exists, signals are not delivered but passed on to the child that runs.
/// There can be one instance in a process, which has a single thread.
class Children {
public:
  Children();
  ~Children();
  Children(const Children &) = delete;
  Children &operator=(const Children &) = delete;

  enum class Role {
    kApplication, ///< what the user wants: it alone decides what a signal means
    kOwn          ///< a step of ours: a signal that would kill the launcher throws Interrupted
  };

  /// Runs `command` (its first word is the path), with `prepare` called in the child before, and
  /// waits for its end. Returns the status of waitpid(2). Throws Error if it cannot be started.
  ///
  /// Signals sent to the launcher go on to the child; those of the terminal do not, because the
  /// kernel sends them to both. The child is killed when the launcher is killed.
  int run(const std::vector<std::string> &command, Role role,
          const std::function<void()> &prepare = {});

private:
  [[noreturn]] void become(const std::vector<std::string> &command, int failures,
                           const std::function<void()> &prepare);
  int wait(pid_t child, int &deadly);

  sigset_t handled_;
  sigset_t maskBefore_;
  struct sigaction childActionBefore_;
};

/// A copy of `descriptor`, which it closes, that is not stdin, stdout or stderr: the user may have
/// closed these, and what is opened next then gets their numbers. Closed by exec. Returns -1, with
/// errno, where there is none.
int aboveStandard(int descriptor);

/// Ends this process as a child with that waitpid(2) status ended: same status or same signal.
[[noreturn]] void endLike(int status);

/// Ends this process by `signal`.
[[noreturn]] void dieOf(int signal);

/// Replaces this process by `command`. Returns only by throwing Error.
[[noreturn]] void replaceBy(const std::vector<std::string> &command);

} // namespace aiwc::launcher
