#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>

namespace aiwc::metrics {

/// What is asked of the profile of a launch that takes long.
struct SampleGoal {
  /// The largest relative standard error (`largestRelativeError`) that is accepted.
  double relativeError = 0.01;
  /// Launches of more instructions are sampled; of those of fewer, all work-groups are
  /// characterised.
  uint64_t instructions = 1'000'000'000;
  /// Work-groups of the first sample; at least 2.
  uint64_t groups = 64;
};

inline constexpr SampleGoal kStandardGoal{};
inline constexpr SampleGoal kFastGoal{0.05, 100'000'000, 16};

/// Chooses how many work-groups of a launch are characterised, so that the profile of a long launch
/// costs little and is as accurate as asked. The caller characterises all groups at first, tells
/// what it learns, and starts the launch again whenever the answer is true. All is decided by
/// counts that are the same in every run, so the sample is.
class SampleChoice {
public:
  /// `groups`: work-groups of the launch.
  SampleChoice(const SampleGoal &goal, uint64_t groups) : goal_(goal), groups_(groups) {}

  /// Work-groups to characterise; 0: all.
  uint64_t sampled() const { return sampled_; }

  /// After each work-group, while all are characterised: the first `done` groups have executed so
  /// many instructions. Whether to start again with a sample, because the launch would execute more
  /// than the goal allows if its other groups were like these.
  bool startsAgainAfter(uint64_t done, uint64_t instructions);

  /// After the last group: the error of the profile, NaN if it is not known. Whether to start again
  /// with a larger sample, or with all groups, because it is above the goal.
  bool startsAgainWith(double relativeError);

private:
  SampleGoal goal_;
  uint64_t groups_;
  uint64_t sampled_ = 0;
  bool mayBeLong_ = true; ///< a sample may still be chosen
};

/// The largest relative standard error of the metrics that decide about the time of a kernel:
/// instructions, floating-point and integer operations, loads and stores, bytes of global and local
/// memory, lane utilisation and coalescing at 32 lanes. The error of a sum is taken relative to the
/// sum, but at least to 5 % of all instructions, or of all bytes: what a kernel hardly does need
/// not be known well. NaN if an error is not known.
double largestRelativeError(const profile::KernelProfile &profile);

} // namespace aiwc::metrics
