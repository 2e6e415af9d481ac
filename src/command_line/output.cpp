#include "command_line/output.h"

#include "common/error.h"
#include "common/file.h"
#include "text/text.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace aiwc::command_line {

void print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
      continue;
    }
    // The parent process may have set SIGPIPE to be ignored.
    if (errno == EPIPE)
      std::exit(128 + SIGPIPE);
    if (errno != EINTR)
      throw Error(withReason("aiwc: standard output cannot be written", errno));
  }
}

void warn(std::string_view message) {
  // A name in it may have any characters. Not fmt::print, which throws where standard error is
  // closed.
  std::fputs((text::printable(message, message.max_size()) + "\n").c_str(), stderr);
}

void writeOutput(const std::string &name, std::string_view content) {
  if (name == "-")
    print(content);
  else
    replaceFile(name, content);
}

} // namespace aiwc::command_line
