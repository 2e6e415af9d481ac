// The ways in which applications come to an end: `endings MODE`, a mode per test. All run the
// kernel `count` over 8 work-items some times and read its buffer back.

#include "opencl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <thread>

namespace {

std::atomic<bool> slow = false, renaming = false;

} // namespace

/// The C library's, which takes its time while it is asked to: a profile is replaced by it.
extern "C" __attribute__((visibility("default"))) int
renameat2(int fromFolder, const char *from, int toFolder, const char *to, unsigned flags) noexcept {
  static const auto next = reinterpret_cast<decltype(&renameat2)>(dlsym(RTLD_NEXT, "renameat2"));
  if (slow) {
    renaming = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return next(fromFolder, from, toFolder, to, flags);
}

namespace {

/// Whether a signal comes when Oclgrind next changes a map.
std::atomic<bool> forking = false;

bool isOclgrinds(const void *tree) {
  Dl_info library;
  return dladdr(tree, &library) != 0 && library.dli_fname &&
         std::strstr(library.dli_fname, "/liboclgrind");
}

} // namespace

/// The C++ library's, which inserts into maps, with the name of the C++ ABI.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) void
_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(bool left, void *node,
                                                                  void *parent, void *tree) {
  static const auto insert =
      reinterpret_cast<void (*)(bool, void *, void *, void *)>(dlsym(RTLD_NEXT, __func__));
  if (forking && isOclgrinds(tree)) {
    forking = false;
    std::raise(SIGUSR1);
  }
  insert(left, node, parent, tree);
}

namespace {

constexpr const char *kSource = R"(
  kernel void count(global int *x) { x[get_global_id(0)] += 1; }
  kernel void endless(volatile global int *x) { while (x[0] != -1) x[1] += 1; }
)";

struct State {
  cl_context context = app::createContext();
  cl_command_queue queue = app::createQueue(context);
  cl_program program = app::buildSource(context, kSource);
  cl_kernel kernel = app::createKernel(program, "count");
  cl_mem buffer = app::createBuffer(context, 8 * sizeof(cl_int));
};

void launch(const State &s, int times) {
  app::setArgument(s.kernel, 0, s.buffer);
  for (int i = 0; i < times; ++i)
    app::runKernel(s.queue, s.kernel, 8);
}

void read(const State &s) {
  cl_int values[8];
  app::check(clEnqueueReadBuffer(s.queue, s.buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr,
                                 nullptr),
             "clEnqueueReadBuffer");
  std::printf("%d\n", values[7]);
}

void release(const State &s) {
  clReleaseMemObject(s.buffer);
  clReleaseKernel(s.kernel);
  clReleaseProgram(s.program);
  clReleaseCommandQueue(s.queue);
  clReleaseContext(s.context);
}

/// Launches once more, and releases what it has, when static objects go, as a library does that
/// keeps its programs. Memory that is in use behind that shows whether Oclgrind's runtime has
/// written where it should not.
class Keeper {
public:
  ~Keeper() {
    if (!state_)
      return;
    launch(*state_, 1);
    read(*state_);
    release(*state_);
    for (size_t bytes = 16; bytes < 2048; bytes += 16)
      std::free(std::malloc(bytes));
  }
  void keep(const State &state) { state_ = state; }

private:
  std::optional<State> state_;
};

Keeper keeper; // older than anything that the simulator has, and thus the last to go

/// Forks; the child calls `work` and exits as any program does. Returns when it has.
template <typename Work> void inChild(Work work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    std::exit(1);
  if (child == 0) {
    work();
    std::exit(0);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0)
    std::exit(1);
}

/// Has another thread launch the kernel, which completes the profile of the launch before, and
/// returns in the middle of that.
void launchBeside(const State &s) {
  slow = true;
  std::thread([s] {
    launch(s, 1);
    for (;;)
      pause();
  }).detach();
  while (!renaming)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void forkInHandler(int /*signal*/) {
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    _exit(1);
}

void handled(int signal) {
  std::printf("signal %d\n", signal);
  std::fflush(stdout);
}

/// Tells itself, or who started it, to end by SIGTERM; or has a handler of its own.
int interrupted(const State &s, const std::string &mode) {
  if (mode == "interrupt-own-after")
    std::signal(SIGTERM, handled);
  if (mode == "interrupt-during" || mode == "interrupt-endless" || mode == "endless") {
    if (mode != "endless")
      std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        kill(getpid(), SIGTERM);
      }).detach();
    if (mode != "interrupt-during") {
      const cl_kernel endless = app::createKernel(s.program, "endless");
      app::setArgument(endless, 0, s.buffer);
      app::runKernel(s.queue, endless, 1);
    }
    for (;;)
      launch(s, 1);
  }
  if (mode == "interrupt-parent") {
    std::signal(SIGTERM, handled);
    sigset_t passedOn, before;
    sigemptyset(&passedOn);
    sigaddset(&passedOn, SIGTERM);
    sigprocmask(SIG_BLOCK, &passedOn, &before); // or it may come before the wait
    kill(getppid(), SIGTERM);
    sigsuspend(&before);
    sigprocmask(SIG_SETMASK, &before, nullptr);
  } else {
    kill(getpid(), SIGTERM);
    if (mode == "interrupt")
      for (;;)
        pause();
  }
  launch(s, 1);
  read(s);
  release(s);
  return 0;
}

int end(const std::string &mode) {
  if (mode == "daemon") { // launches once, and twice more when its parent has ended
    int ready[2];
    if (pipe(ready) != 0)
      return 1;
    const pid_t parent = getpid();
    if (fork() == 0) {
      setsid();
      const State s;
      launch(s, 1);
      if (write(ready[1], "", 1) != 1)
        return 1;
      while (getppid() == parent)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::this_thread::sleep_for(std::chrono::seconds(3));
      launch(s, 2);
      release(s);
      return 0;
    }
    char byte = 0;
    return ::read(ready[0], &byte, 1) == 1 ? 0 : 1;
  }
  if (mode == "fork-before") { // parent and child have OpenCL of their own
    inChild([] {
      const State s;
      launch(s, 2);
      read(s);
      release(s);
    });
    const State s;
    launch(s, 3);
    read(s);
    release(s);
    return 0;
  }
  const State s;
  if (mode == "interrupt-own-before")
    std::signal(SIGTERM, handled);
  // Beside another thread the first one, whose profile is completed.
  launch(s, mode.starts_with("beside") ? 1 : 3);
  if (mode.starts_with("interrupt") || mode == "endless")
    return interrupted(s, mode);
  if (mode == "fork-after") { // the child does not touch it
    inChild([] {});
    launch(s, 1);
  } else if (mode == "fork-reads-later") {
    inChild([] {});
  }
  if (mode == "fork-in-handler") {
    std::signal(SIGUSR1, forkInHandler);
    forking = true;
    launch(s, 1);
    if (forking)
      return 1;
  }
  read(s);
  if (mode == "leak")
    return 0;
  if (mode == "beside" || mode == "beside-fork" || mode == "beside-kill") {
    launchBeside(s);
    if (mode == "beside-kill")
      std::raise(SIGKILL);
    if (mode == "beside-fork")
      inChild([] {});
    return 0;
  }
  if (mode == "static") {
    keeper.keep(s);
    return 0;
  }
  if (mode == "leak-context") {
    clReleaseCommandQueue(s.queue);
    return 0;
  }
  if (mode == "_exit")
    _exit(0);
  if (mode == "abort")
    std::abort();
  if (mode == "kill")
    std::raise(SIGKILL);
  if (mode == "kill-during") {
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      std::raise(SIGKILL);
    }).detach();
    const cl_kernel endless = app::createKernel(s.program, "endless");
    app::setArgument(endless, 0, s.buffer);
    app::runKernel(s.queue, endless, 1);
  }
  if (mode == "exec")
    execl("/bin/true", "true", nullptr);
  if (mode == "close") { // as a daemon does
    std::fflush(stdout);
    for (int file = 0; file < 64; ++file)
      close(file);
    open("/dev/null", O_RDWR); // a new owner of a number that was ours
    launch(s, 1);
  }
  if (mode == "chdir") {
    if (chdir("/") != 0)
      return 1;
    launch(s, 1);
  }
  if (mode == "many")
    launch(s, 497);
  release(s);
  return mode == "seven" ? 7 : 0;
}

} // namespace

int main(int argc, char **argv) {
  return end(argc > 1 ? argv[1] : "");
}
