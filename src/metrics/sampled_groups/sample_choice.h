#pragma once

#include "metrics/sampled_groups/group_census.h"
#include "metrics/sampled_groups/group_sample.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace aiwc::metrics {

/// What is asked of the profile of a launch that takes long.
struct SampleGoal {
  /// The largest relative standard error (`largestRelativeError`) that is accepted.
  double relativeError = 0.01;
  /// Launches of more instructions are sampled; of those of fewer, all work-groups are
  /// characterised.
  uint64_t instructions = 1'000'000'000;
  /// Work-groups of a sample of groups that are not alike; at least 8.
  uint64_t groups = 64;
  /// A sample does not grow beyond so many instructions, whatever its error.
  uint64_t mostInstructions = 2'000'000'000;
  /// Work-groups of the first sample besides those that are in every sample; at least 4. Of a
  /// launch there are at most a quarter.
  uint64_t groupsAtFirst = 4;
  /// Whether a sample has half as many further ones at the edges of the NDRange, as long as all
  /// groups execute the same.
  bool edgesApart = false;
  /// Whether all groups are characterised if those of the first sample share lines with groups far
  /// away (LineSharing::kFar).
  bool allIfFar = false;
};

inline constexpr SampleGoal kStandardGoal{};
inline constexpr SampleGoal kFastGoal{0.05, 100'000'000, 16, 200'000'000};

/// Once launches of a process without a sample have executed the kManyOf-th part of
/// SampleGoal::instructions, later ones are sampled if they execute more than the kShorterOfMany-th
/// part. Their first sample has kAtFirstOfMany groups, not four, and further ones at the edges of
/// the NDRange: the groups of short launches cost little, and four often miss those that execute
/// the same but access memory differently. If groups share lines with others far away, all are
/// characterised: samples would count such lines as misses.
inline constexpr uint64_t kManyOf = 4;
inline constexpr uint64_t kShorterOfMany = 100;
inline constexpr uint64_t kAtFirstOfMany = 8;

/// The goal after launches without a sample that have executed so many instructions.
SampleGoal goalAfter(SampleGoal goal, uint64_t instructionsWithoutSample);

/// The estimate from a sample, by which `SampleChoice` judges it.
struct SampleResult {
  double relativeError = 0; ///< largestRelativeError; NaN if it is not known
  /// Instructions of the work-items that execute least and most.
  uint64_t leastOfItem = 0, mostOfItem = 0;
  LineSharing lineSharing = LineSharing::kKnown;
};

/// Chooses which work-groups of a launch are characterised, so that the profile of a long launch
/// costs little and is as accurate as asked. The caller characterises all groups at first, tells
/// what it learns, and starts the launch again whenever the answer is true. All is decided by
/// counts that are the same in every run, so the sample is.
///
/// The first sample is small. It suffices if all groups prove alike: they execute each block
/// equally often, and the estimate has half of the error that is accepted. Otherwise strata are
/// made of what the groups execute (`strataOf`). If that is known of characterised groups only,
/// because the others do not run, the groups that were characterised before there was a sample stay
/// in it. The groups at the corners of the NDRange are in every sample.
class SampleChoice {
public:
  /// `groups`: work-groups of the launch, per dimension. `othersRun`: whether work-groups outside
  /// of a sample do.
  SampleChoice(const SampleGoal &goal, const GroupCounts &groups, bool othersRun);

  /// Work-groups to characterise; null: all.
  const std::shared_ptr<const GroupSample> &sample() const { return sample_; }

  /// After each work-group, while all are characterised: the first `done` groups have executed so
  /// many instructions. Whether to start again with a sample, because the launch would execute more
  /// than the goal allows if its other groups were like these.
  bool startsAgainAfter(uint64_t done, uint64_t instructions);

  /// What the groups execute, in the run of the present sample; the caller adds them.
  GroupCensus &census() { return census_; }

  /// After the last group: whether to start again with another sample, or with all groups, because
  /// the present one does not reach the goal. It is not enlarged beyond
  /// SampleGoal::mostInstructions.
  bool startsAgainWith(const SampleResult &result);

  /// Whether all groups are characterised because of SampleGoal::allIfFar.
  bool needsAllGroups() const { return needsAllGroups_; }

  /// The instructions of all groups of each stratum of the sample; empty if they are not known.
  std::vector<uint64_t> instructions() const;

private:
  /// Groups of a stratum, and a quarter of those of the smallest launch that is sampled.
  static constexpr uint64_t kFew = 4;
  /// A sample that stays less accurate than asked is made again with so many times the groups only.
  static constexpr uint64_t kWorthwhile = 2;

  void choose();
  bool areAlike() const;
  uint64_t affordable() const;
  void addExtremes(const SampleResult &result);

  SampleGoal goal_;
  GroupCounts counts_;
  uint64_t groups_;
  bool othersRun_;
  std::vector<uint64_t> certain_; ///< groups that are in every sample, increasing
  uint64_t others_ = 0;           ///< further groups of the sample
  uint64_t least_ = kFew;         ///< groups of a stratum
  std::vector<GroupSample::Stratum> strata_;
  std::shared_ptr<const GroupSample> sample_;
  GroupCensus census_;
  bool mayBeLong_ = true; ///< a sample may still be chosen
  bool isFirst_ = true;   ///< the sample is the first
  bool needsAllGroups_ = false;
};

/// The largest relative standard error of the metrics that decide about the time of a kernel:
/// instructions, floating-point and integer operations, loads and stores, bytes of global and local
/// memory, lane utilisation and coalescing at 32 lanes. The error of a sum is taken relative to the
/// sum, but at least to 5 % of all instructions, or of all bytes: what a kernel hardly does need
/// not be known well. NaN if an error is not known.
double largestRelativeError(const profile::KernelProfile &profile);

} // namespace aiwc::metrics
