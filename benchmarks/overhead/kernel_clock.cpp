// Preloaded, this library stands in for the function that runs a launch from begin to end, and adds
// up what the launches of a process take: without any plugin, whose callbacks would cost something
// themselves. The compiled engine stands in for another function, which this one calls.

#include <dlfcn.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace oclgrind {

class Context;
class Kernel;

/// Oclgrind's, as far as the way of passing it goes.
struct Size3 {
  size_t x, y, z;
};

/// Oclgrind's class as far as its name goes: `run` has its symbol.
class KernelInvocation {
public:
  __attribute__((visibility("default"))) static void run(const Context *context, Kernel *kernel,
                                                         unsigned workDim, Size3 globalOffset,
                                                         Size3 globalSize, Size3 localSize);
};

} // namespace oclgrind

namespace {

struct Times {
  uint64_t launches = 0;
  uint64_t wallNs = 0, cpuNs = 0;           ///< of all launches; CPU time of all threads
  uint64_t firstWallNs = 0, firstCpuNs = 0; ///< of the first, which compiles
};

Times times; // one launch at a time: the suite's queues are in order

uint64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

/// A process that launches nothing, as the simulator's own command, says nothing.
__attribute__((destructor)) void report() {
  const char *const path = std::getenv("AIWC_OVERHEAD_CLOCK");
  if (times.launches == 0 || !path)
    return;
  std::FILE *const file = std::fopen(path, "a");
  if (!file)
    return;
  std::fprintf(file, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
               times.launches, times.wallNs, times.cpuNs, times.firstWallNs, times.firstCpuNs);
  std::fclose(file);
}

} // namespace

void oclgrind::KernelInvocation::run(const Context *context, Kernel *kernel, unsigned workDim,
                                     Size3 globalOffset, Size3 globalSize, Size3 localSize) {
  static const auto next = reinterpret_cast<decltype(&run)>(dlsym(
      RTLD_NEXT, "_ZN8oclgrind16KernelInvocation3runEPKNS_7ContextEPNS_6KernelEjNS_5Size3ES6_S6_"));
  if (!next) {
    std::fputs("kernel_clock: Oclgrind has no function to run a kernel with\n", stderr);
    std::abort();
  }
  const uint64_t wall = now(CLOCK_MONOTONIC);
  const uint64_t cpu = now(CLOCK_PROCESS_CPUTIME_ID);
  next(context, kernel, workDim, globalOffset, globalSize, localSize);
  const uint64_t cpuNs = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  const uint64_t wallNs = now(CLOCK_MONOTONIC) - wall;
  if (times.launches++ == 0) {
    times.firstWallNs = wallNs;
    times.firstCpuNs = cpuNs;
  }
  times.wallNs += wallNs;
  times.cpuNs += cpuNs;
}
