#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace aiwc::plugin {

/// Tells on stderr how far a long simulation is: kernel, work-groups done of total, rate, time
/// left. Silent unless stderr is a terminal, and for the first second of a kernel.
class Progress {
public:
  Progress(std::string kernel, uint64_t totalGroups, bool enabled);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// From any simulator thread.
  void groupDone();

private:
  using Clock = std::chrono::steady_clock;

  void show(uint64_t done, Clock::time_point now);

  std::string kernel_;
  uint64_t total_;
  bool enabled_;
  bool shown_ = false;
  std::atomic<uint64_t> done_{0};
  Clock::time_point start_;
  std::atomic<Clock::rep> nextShow_;
  std::mutex mutex_;
};

} // namespace aiwc::plugin
