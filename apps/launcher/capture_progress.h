#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace aiwc::launcher {

/// Shows on stderr which capture is in the simulator: on a terminal one line that is overwritten,
/// in a file a line every half a minute. Prints nothing in the first second.
class CaptureProgress {
public:
  explicit CaptureProgress(bool isEnabled);
  ~CaptureProgress() { clear(); }
  CaptureProgress(const CaptureProgress &) = delete;
  CaptureProgress &operator=(const CaptureProgress &) = delete;

  /// Call it often. `number`: of the capture, from 1; 0: none has begun yet.
  void show(size_t number, size_t total, const std::string &kernel);
  void clear();

private:
  using Clock = std::chrono::steady_clock;

  bool isEnabled_, isTerminal_;
  bool isShown_ = false;
  size_t number_ = 0;
  Clock::time_point began_ = Clock::now(); ///< of the capture
  Clock::time_point next_;
};

/// "characterising 3 of 12 captured launches (kernel NAME): 40 s".
std::string progressLine(size_t number, size_t total, const std::string &kernel,
                         std::chrono::seconds taken);

} // namespace aiwc::launcher
