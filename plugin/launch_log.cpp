#include "plugin/launch_log.h"

#include <unistd.h>

#include <string>
#include <utility>

namespace aiwc::plugin {
namespace {

constexpr std::chrono::milliseconds kReportInterval{500};

} // namespace

void LaunchLog::add(run::Launch launch) {
  const ResultsLock lock;
  if (owner_ != getpid())
    unreported_.clear();
  owner_ = getpid();
  unreported_.push_back(std::move(launch));
  if (unreported_.back().characterised() || Clock::now() - kReportInterval >= reported_)
    write(lock);
}

void LaunchLog::addHostReads(uint64_t number, const run::Transfers &reads) {
  const ResultsLock lock;
  if (reads.transfers == 0)
    return;
  if (owner_ == getpid() && !unreported_.empty() && unreported_.back().number == number)
    unreported_.back().deviceToHost = reads;
  else
    status_.hostRead(number, reads.bytes, reads.transfers);
}

void LaunchLog::report() {
  const ResultsLock lock;
  if (owner_ == getpid())
    write(lock);
}

void LaunchLog::write(const ResultsLock &) {
  std::vector<std::string> lines;
  lines.reserve(unreported_.size());
  for (const run::Launch &launch : unreported_)
    lines.push_back(toJson(launch));
  status_.launchesEnded(lines);
  unreported_.clear();
  reported_ = Clock::now();
}

} // namespace aiwc::plugin
