#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace aiwc::plugin {

/// Shows the progress of a long simulation on stderr: kernel, work-groups done of total, rate, time
/// left. A terminal has one line that is overwritten; a file gets a line every half a minute, as
/// long as half a minute or more is left. The first one of a process also says what would shorten
/// such a wait. Prints nothing in the first second of a kernel.
class Progress {
public:
  /// `shorter`: the option that would shorten a long wait; empty: none.
  Progress(std::string kernel, uint64_t totalGroups, bool enabled, std::string_view shorter);
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
  /// What would shorten the wait, once in a process; empty the next time.
  std::string hint() const;

  std::string kernel_;
  uint64_t total_;
  bool enabled_;
  bool terminal_;
  std::string_view shorter_;
  bool shown_ = false;
  Clock::time_point start_;
  std::atomic<Clock::rep> nextShow_;
  std::mutex mutex_;
};

} // namespace aiwc::plugin
