// Loaded before Oclgrind's runtime, this library stands in for the function with which Oclgrind
// runs the work-groups of a kernel, and offers each launch to the plugin first. It knows nothing
// but that, since every program that the application starts loads it, too.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace oclgrind {

/// Oclgrind's class as far as its name goes: `run` has its symbol.
class KernelInvocation {
  __attribute__((visibility("default"))) void run();
};

} // namespace oclgrind

namespace {

/// Null while no plugin is there; true where the plugin has run the kernel.
bool (*offered)(const oclgrind::KernelInvocation *) = nullptr;

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
