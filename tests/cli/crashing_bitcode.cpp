/// In place of aiwc_bitcode.so: crashes on every module, as LLVM does on some. How depends on the
/// byte after the magic number: 's' is a bad access, 'a' an abort as LLVM reports it, others an
/// exit.
#include "embed/bitcode_module.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace {

void crash(const char *bytes, size_t length) {
  const char how = length > 4 ? bytes[4] : 0;
  if (how == 's')
    std::raise(SIGSEGV);
  if (how == 'a') {
    std::fputs("LLVM ERROR: Invalid abbrev number\n", stderr);
    std::abort();
  }
  std::exit(7);
}

} // namespace

extern "C" {

[[gnu::visibility("default")]] void aiwc_bitcode_identify_1(const char *bytes, size_t length,
                                                            aiwc_bitcode_take take, void *context) {
  take(context, AIWC_BITCODE_FUNCTION, "k", 1); // and then, in the middle of its answer
  crash(bytes, length);
}

[[gnu::visibility("default")]] void aiwc_bitcode_write_1(const char *bytes, size_t length,
                                                         const aiwc_bitcode_string *, size_t,
                                                         aiwc_bitcode_take, void *) {
  crash(bytes, length);
}

} // extern "C"
