#include "common/write.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <ctime>
#include <initializer_list>
#include <thread>

namespace aiwc {

int writeAll(int file, std::string_view content) noexcept {
  const WriteSignalsHeld held;
  while (!content.empty()) {
    const ssize_t written = ::write(file, content.data(), content.size());
    if (written > 0) {
      content.remove_prefix(static_cast<size_t>(written));
    } else if (written < 0 && errno == EAGAIN) {
      constexpr int kMilliseconds = 1000;
      pollfd ready{file, POLLOUT, 0};
      if (poll(&ready, 1, kMilliseconds) == 0)
        return EAGAIN;
    } else if (written < 0 && errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int withDescriptor(const std::function<int()> &work) {
  const int reason = work();
  if (reason != EMFILE)
    return reason;
  int again = reason;
  try {
    const AllSignalsBlocked blocked;
    std::thread([&] {
      if (unshare(CLONE_FILES) != 0) // forbidden in some containers
        return;
      close(STDIN_FILENO); // in the copy
      try {
        again = work();
      } catch (...) { // no memory: as if there was no thread
      }
    }).join();
  } catch (...) { // no thread
  }
  return again;
}

WriteSignalsHeld::WriteSignalsHeld() noexcept {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  sigemptyset(&ours_);
  for (const int signal : {SIGPIPE, SIGXFSZ})
    if (sigismember(&pending, signal) == 0)
      sigaddset(&ours_, signal);
  pthread_sigmask(SIG_BLOCK, &ours_, &before_);
}

WriteSignalsHeld::~WriteSignalsHeld() {
  const int reason = errno;
  // The system sends these signals to the thread that writes, so they are pending for this one.
  constexpr timespec kNoWait{};
  while (sigtimedwait(&ours_, nullptr, &kNoWait) > 0 || errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = reason;
}

AllSignalsBlocked::AllSignalsBlocked() noexcept {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

AllSignalsBlocked::~AllSignalsBlocked() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace aiwc
