#pragma once

#include "metrics/sampled_groups/group_census.h"
#include "metrics/sampled_groups/group_sample.h"
#include "profile/kernel_profile.h"
#include "trace/program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace aiwc::metrics {

/// How accurate the profile of a long launch has to be, and what it may cost.
struct SampleGoal {
  /// The largest relative standard error (`largestRelativeError`) that is accepted.
  double relativeError = 0.01;
  /// A launch is sampled if it executes more instructions than this.
  uint64_t instructions = 1'000'000'000;
  /// The size of the second sample, in work-groups; at least 8.
  uint64_t groups = 64;
  /// A sample does not grow beyond so many instructions, whatever its error.
  uint64_t mostInstructions = 2'000'000'000;
  /// The first sample has so many work-groups, but at most a quarter of the launch's, besides the
  /// groups that are in every sample; at least 4.
  uint64_t groupsAtFirst = 4;
  /// Whether a sample has additional groups at the edges of the NDRange, half as many as others,
  /// as long as all groups execute the same.
  bool edgesApart = false;
  /// Whether all groups are characterised if those of the first sample share lines with groups far
  /// away (LineSharing::kFar).
  bool allIfFar = false;
  /// Whether there is little time: samples have no clusters of several groups (GroupSample), and
  /// the first one, too, is of at most `mostInstructions`, or of two groups besides those that have
  /// run before.
  bool isBrief = false;
};

inline constexpr SampleGoal kStandardGoal{};
inline constexpr SampleGoal kFastGoal{0.05, 100'000'000, 16, 200'000'000};

/// Many short launches cost as much as a long one. Once the launches of a process that were not
/// sampled have executed SampleGoal::instructions / kManyOf, later launches are sampled if they
/// execute more than SampleGoal::instructions / kShorterOfMany. Their first sample has
/// kAtFirstOfMany groups, and additional ones at the edges of the NDRange: groups of short launches
/// cost little, and four groups often miss those that execute the same but access memory
/// differently. If groups share lines with groups far away, all groups are characterised, because
/// a sample would count such lines as misses.
inline constexpr uint64_t kManyOf = 4;
inline constexpr uint64_t kShorterOfMany = 100;
inline constexpr uint64_t kAtFirstOfMany = 8;

/// The goal after launches without a sample that have executed so many instructions.
SampleGoal goalAfter(SampleGoal goal, uint64_t instructionsWithoutSample);

/// The estimate from a sample, by which `Sampler` judges it.
struct SampleResult {
  double relativeError = 0; ///< largestRelativeError; NaN if it is not known
  /// Instructions of the work-items that execute least and most.
  uint64_t leastOfItem = 0, mostOfItem = 0;
  LineSharing lineSharing = LineSharing::kKnown;
};

/// The next step of a launch.
enum class Next {
  kMore,  ///< run further work-groups
  kAgain, ///< undo the launch, and run it with the sample that the sampler has chosen
  kDone,  ///< keep the launch and its profile
};

/// Chooses the work-groups of a launch to characterise, so that the profile of a long launch costs
/// little and is as accurate as asked. The caller characterises all groups at first, tells the
/// sampler what it learns, and takes the step that the sampler returns. All decisions depend on
/// counts that are the same in every run, so every run takes the same sample.
///
/// The first sample is small. It suffices if all groups execute each block equally often and the
/// estimate has at most half of the accepted error. Otherwise the next sample has strata of groups
/// that execute the same (`strataOf`). If the groups outside of a sample do not run, nothing is
/// known of what they execute; then the groups that were characterised before the first sample stay
/// in all samples. The groups at the corners of the NDRange are in every sample.
class Sampler {
public:
  /// A launch of fewer work-groups is not sampled.
  static constexpr uint64_t kLeastGroups = 16;

  /// `groups`: work-groups of the launch, per dimension. `othersRun`: whether work-groups outside
  /// of a sample do.
  Sampler(const SampleGoal &goal, const GroupCounts &groups, bool othersRun);

  /// Work-groups to characterise; null: all.
  const std::shared_ptr<const GroupSample> &sample() const { return sample_; }

  /// Tells what a work-group has executed, and the instructions of its work-items that executed
  /// least and most. Has no effect while all are characterised.
  void add(uint64_t group, trace::Executed executed, uint64_t leastOfItem, uint64_t mostOfItem);

  /// Tells that groups with different numbers (StepCensus::kinds) are not alike, even if they
  /// execute the same; empty: nothing is known.
  void setKinds(std::vector<uint64_t> kinds) { kinds_ = std::move(kinds); }

  /// Call it after each work-group. `instructions`: of all characterised groups of this run.
  /// Returns kMore, or kAgain once the launch would execute more than the goal allows if its other
  /// groups were like those that have run.
  Next afterGroup(uint64_t instructions);

  /// Call it after the last group of a sample. Returns kDone, or kAgain with a better sample, or
  /// with all groups, if the present one does not reach the goal. A sample does not grow beyond
  /// SampleGoal::mostInstructions.
  Next afterLaunch(const SampleResult &result);

  /// Whether all groups are characterised because of SampleGoal::allIfFar.
  bool needsAllGroups() const { return plan_.isOfAllGroups; }

  /// The instructions of all groups of each stratum of the sample; empty if they are not known.
  std::vector<uint64_t> instructions() const;

private:
  static constexpr uint64_t kFew = kLeastGroups / 4; ///< groups of a stratum
  /// A sample that stays less accurate than asked is made again with so many times the groups only.
  static constexpr uint64_t kWorthwhile = 2;

  /// What to make a sample from.
  struct Plan {
    std::vector<uint64_t> certain; ///< groups that are in the sample, increasing
    uint64_t others = 0;           ///< further groups of the sample
    uint64_t least = kFew;         ///< groups of a stratum
    bool edgesApart = false;       ///< as in SampleGoal
    bool isOfAllGroups = false;    ///< because of SampleGoal::allIfFar
    bool isFirst = true;
  };

  void choose(Plan plan);
  bool areHomogeneous() const;
  uint64_t affordable(uint64_t certain) const;
  std::vector<uint64_t> certainWithExtremes(const SampleResult &result) const;
  std::optional<Plan> planAfterFirst(const SampleResult &result) const;
  std::optional<Plan> planAfterLater(const SampleResult &result) const;

  const SampleGoal goal_;
  const GroupCounts counts_;
  const uint64_t groups_;
  const bool othersRun_;
  uint64_t done_ = 0;     ///< groups that have run while all are characterised
  bool mayBeLong_ = true; ///< a first sample may still be chosen
  Plan plan_;             ///< of the present sample, or for the first one
  std::vector<GroupSample::Stratum> strata_;
  std::shared_ptr<const GroupSample> sample_;
  GroupCensus census_;          ///< of the run of the present sample
  std::vector<uint64_t> kinds_; ///< by group; empty if not known
};

/// The largest relative standard error of the metrics that decide about the time of a kernel:
/// instructions, floating-point and integer operations, loads and stores, bytes of global and local
/// memory, lane utilisation and coalescing at 32 lanes. The error of a sum is taken relative to the
/// sum, but at least to 5 % of all instructions, or of all bytes: what a kernel hardly does need
/// not be known well. NaN if an error is not known.
double largestRelativeError(const profile::KernelProfile &profile);

/// Whether a work-group may do different work if others have not run. This is so if the kernel uses
/// the result of an atomic on global memory, such as the next number of a queue. It is not so for a
/// counter that the launch does not read, nor for a sum by compare-and-swap, which reads the old
/// value only to try again, nor for writes without atomics, because OpenCL defines no order for
/// them.
bool dependsOnOtherGroups(const trace::Program &program);

} // namespace aiwc::metrics
