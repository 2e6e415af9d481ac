/// The launches of a kernel, described as one: sums, means and extremes over all of them.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::advice {

/// A launch, and how many launches of the kernel are like it.
struct LaunchKind {
  const profile::KernelProfile *profile = nullptr; ///< not null
  uint64_t launches = 1;                           ///< at least 1
  /// By what factor its time may be off because the profile is that of another launch: nine of ten
  /// are within it. 1 if it is its own.
  double errorFactor = 1;
};

/// The launches by profile, in the order of their first ones: launches that share one are of one
/// kind. `errorFactors` are those of the launches; if empty, all are 1. A kind has the largest of
/// its launches.
std::vector<LaunchKind> kindsOf(std::span<const profile::KernelProfile *const> launches,
                                std::span<const double> errorFactors = {});

/// The one that executes most instructions. `kinds` is not empty.
const profile::KernelProfile &longestOf(std::span<const LaunchKind> kinds);
uint64_t launchesOf(std::span<const LaunchKind> kinds);

/// A profile of all launches together, for numbers in sentences: what adds up (views::addsUp,
/// work-items and work-groups), cache misses and counts of source lines are sums; least and most
/// instructions of a work-item and of a work-group, the footprint and the contention of atomics are
/// extremes; lane utilization and coalescing are means, weighted by the instructions and bytes that
/// they divide, over the launches that have them. Another value that one launch lacks is missing.
/// The rest is that of the longest launch.
profile::KernelProfile together(std::span<const LaunchKind> kinds);

} // namespace aiwc::advice
