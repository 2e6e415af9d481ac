#include "plugin/messages.h"

#include "common/write.h"
#include "plugin/standard_error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace aiwc::plugin {
namespace {

/// For a process without the preloaded library. It is made when the plugin is loaded.
StandardError &ownStandardError() {
  static auto *instance = [] {
    static StandardError made;
    pthread_atfork(nullptr, nullptr, [] { made.releaseCopy(); });
    return &made; // it has no destructor
  }();
  return *instance;
}

/// The preloaded library has it from the start of the process, before the application could close
/// it.
int standardError() noexcept {
  using Descriptor = int (*)();
  static const auto preloaded =
      reinterpret_cast<Descriptor>(dlsym(RTLD_DEFAULT, "aiwcStandardError"));
  return preloaded ? preloaded() : ownStandardError().descriptor();
}

__attribute__((constructor)) void rememberStandardError() {
  standardError();
}

} // namespace

void say(std::string_view text) noexcept {
  if (const int file = standardError(); file >= 0)
    writeAll(file, text);
}

bool saysToTerminal() noexcept {
  const int file = standardError();
  return file >= 0 && isatty(file) == 1;
}

std::string fitTerminal(std::string line) {
  winsize size{};
  const int file = standardError();
  if (file >= 0 && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
      line.size() >= size.ws_col)
    line.resize(size.ws_col - 1);
  return line;
}

} // namespace aiwc::plugin
