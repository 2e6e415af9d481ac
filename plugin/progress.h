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
  /// `sampledGroups`: so many of the work-groups are characterised, which takes longer than the
  /// others; all: `totalGroups`. `shorter`: the option that would shorten a long wait; empty: none.
  Progress(std::string kernel, uint64_t totalGroups, uint64_t sampledGroups, bool enabled,
           std::string_view shorter);
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Updates the display. Call after each work-group, from any simulator thread. `done`: number of
  /// work-groups that are complete. `sampled`: whether the last one is characterised.
  void show(uint64_t done, bool sampled) {
    if (enabled_)
      showIfDue(done, sampled);
  }
  /// Erases the displayed line.
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  /// Work-groups that are characterised, or those that are not: how many there are, how many are
  /// done, and how long these took.
  struct Kind {
    uint64_t total = 0, done = 0;
    double seconds = 0;
    /// The time for those that are not done; 0 if none is done.
    double secondsLeft() const {
      return done > 0 ? seconds * static_cast<double>(total - done) / static_cast<double>(done) : 0;
    }
  };

  void showIfDue(uint64_t done, bool sampled);
  void write(uint64_t done, Clock::time_point now);
  /// What would shorten the wait, once in a process; empty the next time.
  std::string hint() const;

  std::string kernel_;
  uint64_t total_;
  Kind kinds_[2]; ///< by whether they are characterised
  bool enabled_;
  bool terminal_;
  std::string_view shorter_;
  bool shown_ = false;
  Clock::time_point start_, last_; ///< `last_`: when the last work-group was complete
  std::atomic<Clock::rep> nextShow_;
  std::mutex mutex_;
};

} // namespace aiwc::plugin
