#include "output.h"

#include "common/error.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace aiwc::cli {

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
      continue;
    }
    // Whoever started us may have SIGPIPE ignored.
    if (errno == EPIPE)
      std::exit(128 + SIGPIPE);
    if (errno != EINTR)
      throw Error(withReason("aiwc: standard output cannot be written", errno));
  }
}

} // namespace aiwc::cli
