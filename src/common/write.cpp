#include "common/write.h"

#include "common/signals.h"

#include <poll.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
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

} // namespace aiwc
