/// What captures cost an application, and may.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace aiwc::attach {

/// The first capture of a kernel is allowed if what captures have taken, the host's time and the
/// device's, stays below the share of the application's time, and `kFirst`: programs queue hours of
/// work within milliseconds. Others may only have `kShareOfOthers` of that share.
class Spending {
public:
  using Duration = std::chrono::steady_clock::duration;
  static constexpr std::chrono::milliseconds kFirst{300};
  static constexpr double kShareOfOthers = 0.5;

  Spending(double share, uint64_t bytes) : share_(share), bytes_(bytes) {}

  /// Whether so many bytes may be copied when the application has run for `elapsed`.
  bool allows(bool isFirst, uint64_t bytes, Duration elapsed) const {
    const double share = isFirst ? share_ : share_ * kShareOfOthers;
    const auto allowed = share * std::chrono::duration<double>(elapsed) +
                         (isFirst ? kFirst : std::chrono::milliseconds(0));
    return copied_ + bytes <= bytes_ && spent_ + expected_ + expectedFor(bytes) <= allowed;
  }
  void copies(uint64_t bytes) { copied_ += bytes; }
  /// The host has taken so long to begin a capture. Returns what the device is expected to take.
  Duration began(Duration host, uint64_t bytes) {
    const Duration left = std::max(expectedFor(bytes) - host, Duration{});
    spent_ += host;
    expected_ += left;
    return left;
  }
  /// The device, which was expected to take `expected`, has taken `device`. `host` as before.
  void ended(Duration host, Duration device, Duration expected, uint64_t bytes) {
    spent_ += device;
    expected_ -= expected;
    readTime_ += host + device;
    readBytes_ += bytes;
  }

private:
  /// Memory is taken to be copied at this speed until copies have been measured.
  static constexpr double kBytesPerSecond = 1e9;
  /// Copies of fewer bytes tell no speed.
  static constexpr uint64_t kTelling = uint64_t{1} << 20;

  Duration expectedFor(uint64_t bytes) const {
    const double secondsPerByte =
        readBytes_ < kTelling
            ? 1 / kBytesPerSecond
            : std::chrono::duration<double>(readTime_).count() / static_cast<double>(readBytes_);
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(secondsPerByte * static_cast<double>(bytes)));
  }

  double share_;
  uint64_t bytes_;
  uint64_t copied_ = 0;
  Duration spent_{};    ///< by the host, and by reads that have ended
  Duration expected_{}; ///< of reads that have not
  Duration readTime_{}; ///< of the captures that have ended, the host's time included
  uint64_t readBytes_ = 0;
};

} // namespace aiwc::attach
