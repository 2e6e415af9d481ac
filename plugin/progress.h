#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace aiwc::plugin {

/// Shows on stderr how far a long simulation is: kernel, work-groups done of total, rate, time
/// left. Silent unless stderr is a terminal, and for the first second of a kernel.
class Progress {
public:
  Progress(std::string kernel, uint64_t totalGroups, bool enabled);
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// So many work-groups are done. From any simulator thread, after each of them.
  void show(uint64_t done) {
    if (enabled_)
      showIfDue(done);
  }
  /// Removes what is shown.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  void showIfDue(uint64_t done);
  void write(uint64_t done, Clock::time_point now);

  std::string kernel_;
  uint64_t total_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_;
  std::atomic<Clock::rep> nextShow_;
  std::mutex mutex_;
};

} // namespace aiwc::plugin
