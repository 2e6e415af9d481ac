#include "common/signals.h"

#include <cerrno>
#include <ctime>
#include <initializer_list>

namespace aiwc {

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
