#include "eod/runner/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace aiwc::eod {

std::string durationText(double seconds) {
  const auto minutes = static_cast<long>(std::ceil(seconds / 60));
  if (minutes <= 1)
    return "less than a minute";
  if (minutes < 60)
    return fmt::format("about {} min", minutes);
  return fmt::format("about {} h {:02} min", minutes / 60, minutes % 60);
}

Progress::Progress(std::string program, size_t cases, double secondsPerCase)
    : program_(std::move(program)), cases_(cases), secondsPerCase_(secondsPerCase),
      terminal_(isatty(STDERR_FILENO)) {}

std::string Progress::timeLeft() const {
  const auto left = static_cast<double>(cases_ - done_);
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  // The cases so far tell how much longer than their least they take.
  const double perCase =
      done_ ? std::max(secondsPerCase_, elapsed / static_cast<double>(done_)) : secondsPerCase_;
  const double seconds = left * perCase;
  if (done_)
    return ", " + durationText(seconds) + " left";
  return seconds < 60 ? "" : ", " + durationText(seconds) + " or more left";
}

void Progress::begin(const std::string &what) {
  fmt::print(stderr, "{}[{}/{}] {}{}{}", terminal_ ? "\r\033[K" : "", done_ + 1, cases_, what,
             timeLeft(), terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void Progress::end() {
  ++done_;
  if (terminal_)
    fmt::print(stderr, "\r\033[K");
}

void Progress::message(const std::string &text) {
  fmt::print(stderr, "{}{}: {}\n", terminal_ ? "\r\033[K" : "", program_, text);
}

} // namespace aiwc::eod
