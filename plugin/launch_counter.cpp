#include "plugin/launch_counter.h"

#include <unistd.h>

namespace aiwc::plugin {
namespace {

constexpr std::chrono::milliseconds kReportInterval{500};

} // namespace

void LaunchCounter::count(const std::string &kernel, const std::string &reason,
                          std::optional<uint64_t> instructions) {
  const ResultsLock lock;
  if (owner_ != getpid())
    unreported_.clear();
  owner_ = getpid();
  unreported_[kernel][reason] += {1, instructions ? 1u : 0u, instructions.value_or(0)};
  if (instructions || Clock::now() - kReportInterval >= reported_)
    write(lock);
}

void LaunchCounter::report() {
  const ResultsLock lock;
  if (owner_ == getpid())
    write(lock);
}

void LaunchCounter::write(const ResultsLock &) {
  status_.launchesEnded(unreported_);
  unreported_.clear();
  reported_ = Clock::now();
}

} // namespace aiwc::plugin
