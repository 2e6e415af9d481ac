/// The findings of all kernels of a run in the order of what they save of its predicted time, and
/// what that is in words: for the terminal and for the page.
#pragma once

#include "advice/findings.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aiwc::advice {

/// What was found in a kernel, and the predicted time of all its launches by device, s: 0 where it
/// is not launched. The gains have the same devices, or some of them.
struct KernelFindings {
  std::span<const Finding> findings;
  std::span<const double> seconds;
};

struct RankedFinding {
  size_t kernel = 0, finding = 0; ///< their places, from 0
  /// Whether it may save 1 % of the run's time on a device, as predicted, or is without gains and
  /// of a kernel that takes as much.
  bool notable = false;
  /// ": saves 12 to 45 % of the run's 3.0 ms on gtx1080": the ends of Gain::range() on the lead
  /// device, or on another one if it is less than 1 % there. Without gains ": not costed", or that
  /// it saves less than 5 %.
  std::string saves = {};
  /// "12 to 45 %" of the run's time by device, "-" below 1 %, "slower" if the change is predicted
  /// to take time there. Empty without gains.
  std::vector<std::string> byDevice = {};
};

/// The largest expected share on the lead device comes first, which is `first` or else the one on
/// which the run is fastest; then the largest on any device, and those without gains last, by the
/// time of their kernel. `devices`: ids, in the order of `seconds`.
std::vector<RankedFinding> ranked(std::span<const KernelFindings> kernels,
                                  std::span<const std::string> devices,
                                  std::optional<size_t> first = {});
/// The place of the shortest time above 0; 0 if there is none.
size_t leadDevice(std::span<const double> seconds);

/// The time of all kernels, by device, s.
std::vector<double> secondsOfRun(std::span<const KernelFindings> kernels, size_t devices);
/// The largest share of `seconds` that `part` is on any device.
double largestShare(std::span<const double> part, std::span<const double> seconds);
/// Shares below this are only counted.
inline constexpr double kLeastShare = 0.01;

/// ": 1.4 to 3.1 times faster on gtx1080": the ends of Gain::range() on the first device where it
/// gains. Without gains ": not costed", or that it saves less than 5 %.
std::string gainText(const Finding &finding);

} // namespace aiwc::advice
