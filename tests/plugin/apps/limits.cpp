// Applications that leave no room for the writing of others: `limits MODE`, a mode per test. All
// run the kernel `count` over 8 and more work-items some times, read its buffer back, and print the
// last value and how many signals of a failed write have reached their handler.

#include "opencl.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>
#include <thread>

namespace {

constexpr const char *kSource = R"(
  kernel void count(global int *x) { x[get_global_id(0)] += 1; }
  kernel void busy(global int *x) {
    for (int i = 0; i < 20000; ++i)
      x[get_global_id(0)] += i & 1;
  }
)";

volatile std::sig_atomic_t signals = 0;

struct State {
  cl_context context = app::createContext();
  cl_command_queue queue = app::createQueue(context);
  cl_program program = app::buildSource(context, kSource);
  cl_kernel kernel = app::createKernel(program, "count");
  cl_mem buffer = app::createBuffer(context, 64 * sizeof(cl_int));
};

/// Each launch has another number of work-items, and so a profile of its own.
void launch(const State &s, int times) {
  static size_t items = 8;
  app::setArgument(s.kernel, 0, s.buffer);
  for (int i = 0; i < times; ++i)
    app::runKernel(s.queue, s.kernel, items++);
}

void print(const State &s) {
  cl_int values[8];
  app::check(clEnqueueReadBuffer(s.queue, s.buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr,
                                 nullptr),
             "clEnqueueReadBuffer");
  std::printf("%d, %d signals\n", values[7], static_cast<int>(signals));
}

void require(bool condition, const char *what) {
  if (condition)
    return;
  std::printf("%s\n", what);
  std::exit(1);
}

void count(int signal) {
  struct sigaction action {};
  action.sa_handler = [](int) { signals = signals + 1; };
  require(sigaction(signal, &action, nullptr) == 0, "sigaction");
}

bool isPending(int signal) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, signal) == 1;
}

void limitFiles(rlim_t bytes) {
  const rlimit limit{bytes, RLIM_INFINITY};
  require(setrlimit(RLIMIT_FSIZE, &limit) == 0, "setrlimit");
}

/// Closes standard error and gives its number to a file of the application's own.
void takeStandardError() {
  close(STDERR_FILENO);
  require(open("own", O_RDWR | O_CREAT, 0600) == STDERR_FILENO, "open");
}

/// What a daemon does without exec: the child gives its standard files away and lives on, until the
/// file `over` is there. Where that does not come in time, it leaves the file `late`.
void leaveDaemon() {
  std::fflush(stdout);
  if (fork() != 0)
    return;
  const int nothing = open("/dev/null", O_RDWR);
  for (int file = 0; file <= STDERR_FILENO; ++file)
    dup2(nothing, file);
  struct stat status {};
  int tries = 0;
  for (; tries < 2000 && stat("over", &status) != 0; ++tries)
    usleep(10000);
  if (tries == 2000)
    close(open("late", O_WRONLY | O_CREAT, 0600));
  _exit(0);
}

/// Launches kernels in a thread that handles SIGUSR1 while all other threads of the application
/// block it. Prints how often the handler ran in a thread that is none of the application's.
int handleElsewhere() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  static thread_local bool ours = false;
  struct sigaction action {};
  action.sa_handler = [](int) { signals = signals + (ours ? 0 : 1); };
  action.sa_flags = SA_RESTART;
  require(sigaction(SIGUSR1, &action, nullptr) == 0, "sigaction");
  std::atomic<bool> over = false;
  std::thread worker([&] {
    ours = true;
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    const State s;
    const cl_kernel busy = app::createKernel(s.program, "busy");
    app::setArgument(busy, 0, s.buffer);
    for (int i = 0; i < 3; ++i)
      app::runKernel(s.queue, busy, 8, 1);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    over = true;
    print(s);
  });
  while (!over) {
    kill(getpid(), SIGUSR1);
    usleep(100);
  }
  worker.join();
  return 0;
}

int run(const std::string &mode) {
  if (mode == "handler")
    return handleElsewhere();
  count(SIGPIPE);
  count(SIGXFSZ);
  if (mode == "own-before")
    takeStandardError();
  if (mode == "daemon")
    leaveDaemon();
  const State s;
  launch(s, 3);
  if (mode == "many") {
    launch(s, 47);
  } else if (mode == "file-size") {
    limitFiles(4000);
    launch(s, 3);
  } else if (mode == "pending") { // a signal of the application's own stays
    limitFiles(4000);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    raise(SIGXFSZ);
    launch(s, 3);
    require(isPending(SIGXFSZ), "the signal is gone");
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
  } else if (mode == "own") {
    takeStandardError();
    launch(s, 3);
  } else if (mode == "own-all") {
    for (int file = STDERR_FILENO + 1; file < 4096; ++file)
      close(file);
    takeStandardError();
    for (int file = 3; file < 1100; ++file)
      open("own", O_RDWR);
    launch(s, 3);
  } else if (mode == "descriptors") {
    while (open("/dev/null", O_RDONLY) >= 0) {
    }
    launch(s, 3);
    require(open("/dev/null", O_RDONLY) < 0, "a descriptor of the application was closed");
  }
  print(s);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  return run(argc > 1 ? argv[1] : "");
}
