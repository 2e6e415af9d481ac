/// The findings of all kernels of a run in the order of what they save of its predicted time, and
/// what that is in words: for the terminal and for the page.
#pragma once

#include "advice/findings.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
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
  /// ": saves at most 45 % of the run's 3.0 ms on gtx1080 (likely 12 to 40 %), 8 % on i7-6700k":
  /// the ends of the intervals, on devices where that is 1 % or more. Empty without gains.
  std::string saves;
};

/// The largest expected share on any device comes first, those without gains last, by the time of
/// their kernel. `devices`: ids, in the order of `seconds`.
std::vector<RankedFinding> ranked(std::span<const KernelFindings> kernels,
                                  std::span<const std::string> devices);

/// The time of all kernels, by device, s.
std::vector<double> secondsOfRun(std::span<const KernelFindings> kernels, size_t devices);
/// The largest share of `seconds` that `part` is on any device.
double largestShare(std::span<const double> part, std::span<const double> seconds);
/// Shares below this are only counted.
inline constexpr double kLeastShare = 0.01;

/// ": at most 3.1 times faster on gtx1080 (likely 1.4 to 2.1), 1.2 times on i7-6700k": the ends of
/// the intervals of its gains. Empty without a gain.
std::string gainText(const Finding &finding);

} // namespace aiwc::advice
