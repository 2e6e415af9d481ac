/// What the execution-cost model takes from a kernel's profile, and whether it is there.
#pragma once

#include "profile/kernel_profile.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace aiwc::predict {

/// f_im of an operation that is no part of a fused multiply-add, of which pi0 counts two: the least
/// that there is.
inline constexpr double kUnfused = 0.5;

/// `lane_utilization_fp_w`, or `lane_utilization_w`, for w = 8 << i, i below 4.
profile::MetricVector laneUtilization(bool floatingPoint);

/// The multiset of level widths summed up for n_p cores. Level widths are scaled by `share`.
struct Levels {
  uint64_t levels = 0, operations = 0; ///< of the whole kernel
  double steps = 0;                    ///< sum over levels of w / min(w, n_p)
};
Levels sumOf(const profile::KernelProfile &kernel, double cores, double share);

/// Why no cost can be had, as `FIELD is VALUE: expected ...`; empty where it can. All but the sums
/// of the histogram, which `contradiction` looks at: profiles that were edited, or cut.
std::string unusableFields(const profile::KernelProfile &kernel);
std::string contradiction(const profile::KernelProfile &kernel, const Levels &sum);

} // namespace aiwc::predict
