// Loaded before Oclgrind's runtime, this library stands in for two functions. With `run` Oclgrind
// executes the work-groups of a kernel: each launch is offered to the plugin first. With
// `__cxa_thread_atexit` it has a thread's variable destroyed that it goes on using. The library
// knows nothing but that, since every program that the application starts loads it, too.

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oclgrind {

/// Oclgrind's class as far as its name goes: `run` has its symbol.
class KernelInvocation {
  __attribute__((visibility("default"))) void run();
};

} // namespace oclgrind

namespace {

/// Null while no plugin is there; true where the plugin has run the kernel.
bool (*offered)(const oclgrind::KernelInvocation *) = nullptr;

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

void oclgrind::KernelInvocation::run() {
  if (offered && offered(this))
    return;
  using Run = void (*)(KernelInvocation *);
  static const auto next =
      reinterpret_cast<Run>(dlsym(RTLD_NEXT, "_ZN8oclgrind16KernelInvocation3runEv"));
  if (!next) {
    std::fputs("aiwc: Oclgrind has no function to run a kernel with\n", stderr);
    std::abort();
  }
  next(this);
}

// The C++ ABI's names. NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

extern "C" int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library);

/// Oclgrind's runtime keeps the names of the API's functions that have been called on a stack per
/// thread. When a process exits, the main thread's goes before any static object: a library that
/// keeps programs in one (CLBlast, OpenCL's C++ bindings) releases them afterwards, and Oclgrind
/// writes to memory that is free. So the main thread's stack is left to the end of the process.
extern "C" __attribute__((visibility("default"))) int
__cxa_thread_atexit(void (*destroy)(void *), void *object, void *library) {
  if (syscall(SYS_gettid) == getpid() && isOclgrinds(library))
    return 0;
  return __cxa_thread_atexit_impl(destroy, object, library);
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
