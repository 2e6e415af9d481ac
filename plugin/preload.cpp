// This library is loaded before Oclgrind's runtime and replaces two functions. Oclgrind calls `run`
// to execute the work-groups of a kernel: the replacement offers each launch to the plugin first.
// Oclgrind calls `__cxa_thread_atexit` to have a variable of a thread destroyed, although it uses
// the variable later: the replacement prevents that. The library also keeps standard error for the
// plugin's messages. It does nothing else, because every program that the application starts loads
// it too.

#include "standard_error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oclgrind {

/// Has the name of Oclgrind's class, so that `run` gets the symbol of Oclgrind's function.
class KernelInvocation {
  __attribute__((visibility("default"))) void run();
};

} // namespace oclgrind

namespace {

/// The plugin's function; null while no plugin is loaded. It returns true if the plugin has run the
/// kernel.
bool (*offered)(const oclgrind::KernelInvocation *) = nullptr;

aiwc::plugin::StandardError standardError; // made before the application's own code runs

__attribute__((constructor)) void releaseInChildren() {
  pthread_atfork(nullptr, nullptr, [] { standardError.releaseCopy(); });
}

/// Whether the address is in a library of Oclgrind.
bool isOclgrinds(const void *address) {
  Dl_info library;
  if (dladdr(address, &library) == 0 || !library.dli_fname)
    return false;
  const char *folderEnd = std::strrchr(library.dli_fname, '/');
  const char *name = folderEnd ? folderEnd + 1 : library.dli_fname;
  constexpr char kPrefix[] = "liboclgrind";
  return std::strncmp(name, kPrefix, sizeof kPrefix - 1) == 0;
}

} // namespace

extern "C" __attribute__((visibility("default"))) void
aiwcOfferLaunches(bool (*to)(const oclgrind::KernelInvocation *)) {
  offered = to;
}

/// For the plugin: a descriptor of the standard error that the process was started with, or -1.
extern "C" __attribute__((visibility("default"))) int aiwcStandardError() {
  return standardError.descriptor();
}

void oclgrind::KernelInvocation::run() {
  if (offered && offered(this))
    return;
  using Run = void (*)(KernelInvocation *);
  static const auto next =
      reinterpret_cast<Run>(dlsym(RTLD_NEXT, "_ZN8oclgrind16KernelInvocation3runEv"));
  if (!next) {
    std::fputs("aiwc: Oclgrind has no function that runs a kernel\n", stderr);
    std::abort();
  }
  next(this);
}

// The C++ ABI's names. NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

extern "C" int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);

/// Oclgrind's runtime keeps the names of the called API functions in a list per thread. When a
/// process exits, the list of the main thread is destroyed before all static objects. A library
/// that keeps programs in a static object (CLBlast, OpenCL's C++ bindings) releases them
/// afterwards, and Oclgrind then writes to freed memory. So the list of the main thread is never
/// destroyed.
extern "C" __attribute__((visibility("default"))) int
__cxa_thread_atexit(void (*destroy)(void *), void *object, void *library) {
  if (syscall(SYS_gettid) == getpid() && isOclgrinds(library))
    return 0;
  return __cxa_thread_atexit_impl(destroy, object, library);
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
