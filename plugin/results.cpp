#include "plugin/results.h"

#include "common/file.h"
#include "profile/json.h"
#include "profile/source_hash.h"
#include "run/launch.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

namespace aiwc::plugin {

namespace {

thread_local bool holdsLock = false;

std::atomic<bool> exiting = false;
thread_local bool mayGoOn = false; ///< the thread that exits, or one that has waited for it

std::mutex &mutex() {
  static auto *instance = [] {
    static thread_local std::optional<ResultsLock> forking;
    pthread_atfork([] { forking.emplace(); }, [] { forking.reset(); }, [] { forking.reset(); });
    return new std::mutex; // outlives every static destructor
  }();
  return *instance;
}

/// The hash of a profile's file without the number of the launch and its transfers.
std::string hashWithoutLaunch(profile::KernelProfile profile) {
  profile.provenance.invocation = 0;
  run::setTransfers(profile, {}, {});
  return profile::sourceHash(profile::toJson(profile));
}

} // namespace

ResultsLock::ResultsLock() : mine_(!holdsLock) {
  if (mine_)
    mutex().lock();
  holdsLock = true;
}

ResultsLock::~ResultsLock() {
  if (!mine_)
    return;
  holdsLock = false;
  mutex().unlock();
  if (!exiting || mayGoOn)
    return;
  mayGoOn = true;
  std::this_thread::sleep_for(std::chrono::seconds(2));
}

void ResultsLock::processExits() {
  mayGoOn = true;
  exiting = true;
}

Results::Results(const SessionOptions &options, StatusFile &status)
    : status_(status), store_(options.output), hasLauncher_(!options.statusFile.empty()) {}

std::string Results::write(profile::KernelProfile profile) {
  // Without a launcher, there is no file of the run that would have the launches.
  std::string content = hasLauncher_ ? hashWithoutLaunch(profile) : std::string();
  const ResultsLock lock;
  if (const auto same = written_.find(content); same != written_.end())
    return same->second;
  const bool isFirst = writer_ != getpid(); // or the first one after a fork
  if (isFirst) {
    writer_ = getpid();
    status_.writes();
  }
  const std::filesystem::path stored = store_.write(profile);
  if (isFirst) // one write less for all others
    status_.profileWritten(stored);
  unsettled_ = Unsettled{std::move(profile), stored, getpid()};
  std::string name = stored.filename().string();
  if (hasLauncher_)
    written_.emplace(std::move(content), name);
  return name;
}

std::string Results::keepSource(const std::string &text, const std::string &kind) {
  if (text.empty())
    return {};
  const std::string hash = profile::sourceHash(text); // "xxh3-128:<digits>"
  std::string name = fmt::format("source_{}.{}", hash.substr(hash.find(':') + 1, 16),
                                 kind == "cuda" ? "cu" : "cl");
  const ResultsLock lock;
  if (!sources_.insert(name).second)
    return name;
  NewFile file(store_.folder(), text,
               fmt::format("{}: the kernel's source cannot be written", store_.folder().string()));
  file.claim(store_.folder() / name); // or another process has written it
  return name;
}

void Results::settle(const TransferCounts &toHost) {
  const ResultsLock lock;
  if (!unsettled_ || unsettled_->owner != getpid())
    return;
  Unsettled last = std::move(*unsettled_);
  unsettled_.reset();
  last.profile.setCount("device_to_host_bytes"_metric, toHost.bytes);
  last.profile.setCount("device_to_host_transfers"_metric, toHost.transfers);
  store_.rewrite(last.stored, last.profile);
}

void Results::tidy() {
  const ResultsLock lock;
  store_.tidy();
}

} // namespace aiwc::plugin
