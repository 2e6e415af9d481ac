#include "lowering/llvm_failures.h"

#include <llvm/Support/ErrorHandling.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
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

} // namespace

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

} // namespace aiwc::lowering
