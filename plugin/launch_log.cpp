#include "plugin/launch_log.h"

#include "run/launch_texts.h"

#include <unistd.h>

#include <string>
#include <utility>

namespace aiwc::plugin {
namespace {

constexpr std::chrono::milliseconds kReportInterval{500};

} // namespace

void LaunchLog::add(run::Launch launch) {
  const ResultsLock lock;
  own(lock);
  unreported_.push_back(std::move(launch));
  if ((unreported_.back().characterised() && !failed_) ||
      Clock::now() - kReportInterval >= reported_)
    write(lock);
}

void LaunchLog::addHostReads(uint64_t number, const run::Transfers &reads) {
  const ResultsLock lock;
  if (reads.transfers == 0)
    return;
  own(lock);
  if (!unreported_.empty() && unreported_.back().number == number)
    unreported_.back().deviceToHost = reads;
  else if (!status_.hostRead(number, reads.bytes, reads.transfers))
    unreportedReads_[number] = reads;
}

size_t LaunchLog::report() {
  const ResultsLock lock;
  own(lock);
  write(lock);
  return unreported_.size();
}

void LaunchLog::own(const ResultsLock &) {
  if (owner_ == getpid())
    return;
  owner_ = getpid();
  failed_ = false;
  unreported_.clear();
  unreportedReads_.clear();
}

void LaunchLog::write(const ResultsLock &) {
  std::vector<std::string> lines;
  lines.reserve(unreported_.size());
  run::LaunchTexts texts; // one report refers to none before it, which may be lost
  for (const run::Launch &launch : unreported_)
    lines.push_back(texts.shortened(toJson(launch)));
  failed_ = !status_.launchesEnded(lines);
  if (!failed_)
    unreported_.clear();
  std::erase_if(unreportedReads_, [&](const auto &reads) {
    return status_.hostRead(reads.first, reads.second.bytes, reads.second.transfers);
  });
  reported_ = Clock::now();
}

} // namespace aiwc::plugin
