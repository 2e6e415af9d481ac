#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace aiwc::eod {

/// Says on stderr which case is being worked on and how long the rest may take. On a terminal one
/// line that changes, elsewhere a line per case.
class Progress {
public:
  /// `secondsPerCase`: what a case takes at least.
  Progress(std::string program, size_t cases, double secondsPerCase);

  void begin(const std::string &what);
  void end();
  /// A line that stays.
  void message(const std::string &text);

private:
  std::string timeLeft() const;

  using Clock = std::chrono::steady_clock;
  std::string program_;
  size_t cases_;
  double secondsPerCase_;
  size_t done_ = 0;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
};

/// "about 2 h 05 min", "about 3 min", "less than a minute".
std::string durationText(double seconds);

} // namespace aiwc::eod
