// This library is loaded before Oclgrind's runtime and replaces three functions. Oclgrind calls
// `run` with a kernel and its NDRange to launch it: the replacement lets the plugin choose the
// local size. Oclgrind calls `run` of the launch to execute its work-groups: the replacement offers
// each launch to the plugin first. Oclgrind calls `__cxa_thread_atexit` to have a variable of a
// thread destroyed, although it uses the variable later: the replacement prevents that. The library
// also keeps standard error for the plugin's messages. It does nothing else, because every program
// that the application starts loads it too.

#include "standard_error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace oclgrind {

class Context;
class Kernel;
/// Has the members of Oclgrind's struct.
struct Size3 {
  size_t x, y, z;
};

/// Has the name of Oclgrind's class, so that both `run` get the symbols of Oclgrind's functions.
class KernelInvocation {
  __attribute__((visibility("default"))) static void run(const Context *context, Kernel *kernel,
                                                         unsigned int workDim, Size3 globalOffset,
                                                         Size3 globalSize, Size3 localSize);
  __attribute__((visibility("default"))) void run();
};

} // namespace oclgrind

namespace {

/// The plugin's function; null while no plugin is loaded. It returns true if the plugin has run the
/// kernel.
bool (*offered)(const oclgrind::KernelInvocation *) = nullptr;

/// The plugin's function; null unless the user chose local sizes. It gets the three sizes of the
/// NDRange and of a work-group, and may replace the latter.
void (*chooseLocalSize)(const oclgrind::Kernel *, unsigned int workDim, const size_t *globalSize,
                        size_t *localSize) = nullptr;

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

[[noreturn]] void noFunction() {
  std::fputs("aiwc: Oclgrind has no function that runs a kernel\n", stderr);
  std::abort();
}

} // namespace

extern "C" __attribute__((visibility("default"))) void
aiwcOfferLaunches(bool (*to)(const oclgrind::KernelInvocation *)) {
  offered = to;
}

extern "C" __attribute__((visibility("default"))) void aiwcChooseLocalSizes(
    void (*with)(const oclgrind::Kernel *, unsigned int, const size_t *, size_t *)) {
  chooseLocalSize = with;
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
  if (!next)
    noFunction();
  next(this);
}

void oclgrind::KernelInvocation::run(const Context *context, Kernel *kernel, unsigned int workDim,
                                     Size3 globalOffset, Size3 globalSize, Size3 localSize) {
  if (chooseLocalSize) {
    const size_t global[] = {globalSize.x, globalSize.y, globalSize.z};
    size_t local[] = {localSize.x, localSize.y, localSize.z};
    chooseLocalSize(kernel, workDim, global, local);
    localSize = {local[0], local[1], local[2]};
  }
  using Run = void (*)(const Context *, Kernel *, unsigned int, Size3, Size3, Size3);
  static const auto next = reinterpret_cast<Run>(dlsym(
      RTLD_NEXT, "_ZN8oclgrind16KernelInvocation3runEPKNS_7ContextEPNS_6KernelEjNS_5Size3ES6_S6_"));
  if (!next)
    noFunction();
  next(context, kernel, workDim, globalOffset, globalSize, localSize);
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
