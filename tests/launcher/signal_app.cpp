// An application that writes down the signals it gets: `signal_app FILE`. TERM ends it with
// status 7.

#include <unistd.h>

#include <csignal>
#include <fstream>

int main(int, char **argv) {
  sigset_t all;
  sigemptyset(&all);
  for (const int signal : {SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGTERM})
    sigaddset(&all, signal);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  std::ofstream file(argv[1]);
  file << getpid() << " ready" << std::endl;
  for (int signal = 0; sigwait(&all, &signal) == 0;) {
    file << "signal " << signal << std::endl;
    if (signal == SIGTERM)
      return 7;
  }
  return 1;
}
