#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace aiwc::eod {

/// Prints to stderr the current case and an estimate of the remaining time. On a terminal this is
/// one line that changes, elsewhere one line per case.
class Progress {
public:
  /// `secondsPerCase` is the least time of a case.
  Progress(std::string program, size_t cases, double secondsPerCase);

  void begin(const std::string &what);
  void end();
  /// Prints a line that is not overwritten.
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
