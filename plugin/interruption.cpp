#include "plugin/interruption.h"

#include "common/write.h"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <initializer_list>
#include <thread>

namespace aiwc::plugin {
namespace {

void (*concludeBy)() = nullptr;
std::mutex *runningLaunch = nullptr;
std::atomic<pid_t> owner = 0; ///< the process that has the thread below
// A handler of signals may use all of these.
sem_t told;
std::atomic<int> toldBy = 0;  ///< the signal
std::atomic<long> toldAt = 0; ///< CLOCK_MONOTONIC, s

/// The signal is blocked while the handler runs, so it takes effect when the handler returns.
void endBy(int signal) {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  ::sigaction(signal, &standard, nullptr);
  ::kill(getpid(), signal);
}

void onSignal(int signal) {
  const int errorBefore = errno;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  int none = 0;
  if (owner != getpid()) { // a forked child without the thread
    endBy(signal);
  } else if (toldBy.compare_exchange_strong(none, signal)) {
    toldAt = now.tv_sec;
    ::sem_post(&told);
  } else if (now.tv_sec - toldAt > 1) { // somebody insists; a terminal and a launcher send two
    endBy(signal);
  }
  errno = errorBefore;
}

/// The thread that ends the process.
void *waitForSignal(void *) {
  while (::sem_wait(&told) != 0)
    ;
  const auto latest =
      std::chrono::steady_clock::now() + std::chrono::seconds(kInterruptedLaunchSeconds);
  while (!runningLaunch->try_lock() && std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  if (concludeBy)
    concludeBy();
  endBy(toldBy);
  sigset_t signal;
  sigemptyset(&signal);
  sigaddset(&signal, toldBy);
  ::pthread_sigmask(SIG_UNBLOCK, &signal, nullptr); // the other threads may block it
  for (;;)
    ::pause();
}

bool isLeftToSystem(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         action.sa_handler == SIG_DFL;
}

/// Once for each process, forked ones included.
void prepare(std::mutex &running) {
  runningLaunch = &running;
  toldBy = 0;
  if (::sem_init(&told, 0, 0) != 0)
    return;
  {
    const AllSignalsBlocked blocked; // the application's handlers do not run in the thread
    pthread_t thread{};
    if (::pthread_create(&thread, nullptr, waitForSignal, nullptr) != 0)
      return;
    ::pthread_detach(thread);
  }
  owner = getpid();
  struct sigaction ours {};
  ours.sa_handler = onSignal;
  ours.sa_flags = SA_RESTART | SA_ONSTACK;
  for (const int signal : {SIGINT, SIGTERM})
    if (isLeftToSystem(signal))
      ::sigaction(signal, &ours, nullptr);
}

} // namespace

void concludeInterrupted(void (*conclude)()) {
  concludeBy = conclude;
}

void beforeLaunch(std::mutex &running) {
  static std::mutex preparing;
  {
    const std::scoped_lock lock(preparing);
    static pid_t prepared = 0;
    if (prepared != getpid()) {
      prepared = getpid();
      prepare(running);
    }
  }
  while (toldBy != 0)
    ::pause();
}

} // namespace aiwc::plugin
