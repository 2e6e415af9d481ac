#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace aiwc::plugin {

/// Shows the progress of a long simulation on stderr: kernel, work-groups done of total, rate, time
/// left. Prints nothing if stderr is no terminal, and nothing in the first second of a kernel.
class Progress {
public:
  Progress(std::string kernel, uint64_t totalGroups, bool enabled);
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Updates the display. Call after each work-group, from any simulator thread. `done`: number of
  /// work-groups that are complete.
  void show(uint64_t done) {
    if (enabled_)
      showIfDue(done);
  }
  /// Erases the displayed line.
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
