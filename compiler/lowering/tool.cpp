#include "lowering/tool.h"

#include "common/error.h"
#include "common/version.h"

#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>

namespace aiwc::lowering {
namespace {

const char *name = "";

[[noreturn]] void endBriefly(const char *reason) {
  const char *const parts[] = {name, ": error: the bitcode cannot be lowered: ", reason, "\n"};
  for (const char *part : parts) { // of a reason the first line
    const size_t size = part == reason ? std::strcspn(part, "\n") : std::strlen(part);
    if (write(STDERR_FILENO, part, size) < 0)
      break;
  }
  _exit(1);
}

void endByLlvm(void *, const char *reason, bool) {
  endBriefly(reason);
}

void endBySignal(int) {
  endBriefly("LLVM failed on it");
}

/// LLVM ends the process for some damaged bitcode: with one line, and status 1.
void sayFailuresOfLlvm(const char *program) {
  name = program;
  llvm::install_fatal_error_handler(endByLlvm);
  llvm::install_bad_alloc_error_handler(endByLlvm); // a length that is wrong
  static char stack[1 << 16]; // an overflow of the stack leaves none for the handler
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_handler = endBySignal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    sigaction(signal, &action, nullptr);
}

void limit(int what, rlim_t most) {
  rlimit limits{};
  if (getrlimit(what, &limits) != 0 || limits.rlim_cur < most)
    return;
  limits.rlim_cur = most;
  limits.rlim_max = std::min(limits.rlim_max, most + 1); // for a caller that ignores the signal
  setrlimit(what, &limits);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsAddresses = false; // AddressSanitizer reserves terabytes of them
#elif defined(__has_feature)
constexpr bool kLimitsAddresses = !__has_feature(address_sanitizer);
#else
constexpr bool kLimitsAddresses = true;
#endif

} // namespace

int runTool(int argc, char **argv, const Tool &tool,
            void (*work)(const std::vector<std::string> &arguments)) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const std::string &word : words) {
    if (word == "--help" || word == "-h")
      return std::fputs(tool.help, stdout) < 0;
    if (word == "--version")
      return std::printf("%s %s\n", tool.name, kVersion) < 0;
  }
  sayFailuresOfLlvm(tool.saidBy);
  try {
    work(words);
    if (std::fflush(stdout) == 0)
      return 0;
    std::fputs("standard output cannot be written\n", stderr);
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  return 2;
}

void limitResources(rlim_t seconds) {
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
  if (kLimitsAddresses)
    limit(RLIMIT_AS, rlim_t{8} << 30);
}

} // namespace aiwc::lowering
