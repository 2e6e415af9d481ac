#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <string>
#include <vector>

/// Runs another program so that the caller of this process sees no difference: signals are passed
/// on, and the exit status or the deadly signal is the same.
namespace aiwc::launcher {

/// Thrown when a signal has interrupted the launcher's own work. The launcher must clean up and
/// then die of the same signal.
struct Interrupted {
  int signal;
};

/// While an instance exists, signals are not delivered to the launcher but passed on to the running
/// child. Requires a process with a single thread and no other instance.
class Children {
public:
  Children();
  ~Children();
  Children(const Children &) = delete;
  Children &operator=(const Children &) = delete;

  enum class Role {
    kApplication, ///< what the user runs: only it decides what a signal means
    kNative,      ///< the same, on its own device: it lives on if the launcher is killed
    kOwn          ///< a step of ours: a signal that would kill the launcher throws Interrupted
  };

  /// Runs `command` (its first word is the path) in a child, after calling `prepare` in that child,
  /// and waits for its end. Returns the status of waitpid(2). Throws Error if it cannot be started;
  /// a std::system_error that `prepare` throws is the reason for that.
  ///
  /// Signals sent to the launcher are passed on to the child, except those from the terminal, which
  /// the kernel sends to both. The child is killed if the launcher is killed, unless it is kNative.
  ///
  /// `meanwhile` is called at once, then a few times in a second and after each signal.
  int run(const std::vector<std::string> &command, Role role,
          const std::function<void()> &prepare = {}, const std::function<void()> &meanwhile = {});

  /// Starts `command` in a process group of its own, after calling `prepare` in that child, and
  /// does not wait for it. Its status is that of waitpid(2), and 127 if it cannot be started. It is
  /// killed if the launcher is killed. Throws Error if there is no process left.
  pid_t start(const std::vector<std::string> &command, const std::function<void()> &prepare);

  /// Waits until a child has ended, a signal has come or a moment is over. Returns the signal if it
  /// would have ended the launcher, or 0.
  int pause();

  /// The last signal to end by (SIGHUP, SIGINT, SIGQUIT, SIGTERM) that came while a child ran and
  /// would have ended the launcher; 0 if none did.
  int toldToEndBy() const { return toldToEndBy_; }

private:
  [[noreturn]] void become(const std::vector<std::string> &command, int failures,
                           const std::function<void()> &prepare);
  int wait(pid_t child, int &deadly, const std::function<void()> &meanwhile);

  int toldToEndBy_ = 0;
  sigset_t handled_;
  sigset_t maskBefore_;
  struct sigaction childActionBefore_;
};

/// Replaces this process by `command`. Returns only by throwing Error.
[[noreturn]] void replaceBy(const std::vector<std::string> &command);

/// The file of a library of OpenCL, a loader or a driver, that a child of this process or a child
/// of that has loaded; empty if none has, or has ended.
std::string openClOfChildren();

} // namespace aiwc::launcher
