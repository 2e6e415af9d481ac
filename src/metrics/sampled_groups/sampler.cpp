#include "metrics/sampled_groups/sampler.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <vector>

namespace aiwc::metrics {

using namespace aiwc::literals;
using profile::KernelProfile;
using profile::Metric;

SampleGoal goalAfter(SampleGoal goal, uint64_t instructionsWithoutSample) {
  if (instructionsWithoutSample >= goal.instructions / kManyOf) {
    goal.instructions /= kShorterOfMany;
    goal.groupsAtFirst = kAtFirstOfMany;
    goal.edgesApart = goal.allIfFar = true;
  }
  return goal;
}

Sampler::Sampler(const SampleGoal &goal, const GroupCounts &groups, bool othersRun)
    : goal_(goal), counts_(groups), groups_(groups[0] * groups[1] * groups[2]),
      othersRun_(othersRun), plan_{.certain = cornersOf(groups), .edgesApart = goal.edgesApart},
      census_(0) {}

/// Makes the sample, or one of all groups if it has more than half of them.
void Sampler::choose(Plan plan) {
  plan_ = std::move(plan);
  const bool known = census_.groups() > 0 && census_.isComplete();
  if (known && plan_.others <= groups_ / 2 && !plan_.edgesApart) {
    strata_ = strataOf(census_, plan_.certain, plan_.others, plan_.least);
  } else {
    GroupSample::Stratum edges{{}, plan_.others / 2}, rest{{}, plan_.others};
    for (uint64_t group = 0; group < groups_; ++group)
      if (!std::ranges::binary_search(plan_.certain, group)) {
        const bool apart = plan_.edgesApart && isAtEdge(group, counts_);
        (apart ? edges : rest).groups.push_back(group);
      }
    strata_ = {{plan_.certain, plan_.certain.size()}};
    for (GroupSample::Stratum *const stratum : {&edges, &rest})
      if (!stratum->groups.empty()) {
        stratum->sampled = std::min(stratum->sampled, stratum->groups.size());
        strata_.push_back(std::move(*stratum));
      }
  }
  uint64_t sampled = 0;
  for (const GroupSample::Stratum &stratum : strata_)
    sampled += std::min(stratum.sampled, groups_);
  sample_ = sampled <= groups_ / 2 ? std::make_shared<GroupSample>(counts_, strata_, !goal_.isBrief)
                                   : nullptr;
  census_ = GroupCensus(sample_ ? groups_ : 0);
}

void Sampler::add(uint64_t group, trace::Executed executed, uint64_t leastOfItem,
                  uint64_t mostOfItem) {
  if (!sample_)
    return;
  if (!kinds_.empty())
    executed.marks += kinds_[group];
  if (sample_->placeOf(group))
    census_.add(group, executed);
  else
    census_.add(group, executed, leastOfItem, mostOfItem);
}

Next Sampler::afterGroup(uint64_t instructions) {
  ++done_;
  // A sample of more than half of the groups saves too little.
  mayBeLong_ = mayBeLong_ && done_ <= groups_ / 2 && groups_ >= kLeastGroups;
  // After 1, 2, 4, 8, ... groups, so that the first groups decide only about what is like them.
  if (!mayBeLong_ || !std::has_single_bit(done_))
    return Next::kMore;
  const double all =
      static_cast<double>(instructions) / static_cast<double>(done_) * static_cast<double>(groups_);
  if (all <= static_cast<double>(goal_.instructions))
    return Next::kMore;
  mayBeLong_ = false;
  Plan first = plan_;
  if (!othersRun_) {
    std::erase_if(first.certain, [&](uint64_t id) { return id < done_; });
    std::vector<uint64_t> before(done_);
    std::iota(before.begin(), before.end(), uint64_t{0});
    first.certain.insert(first.certain.begin(), before.begin(), before.end());
  }
  first.others = std::min(goal_.groupsAtFirst, groups_ / 4);
  if (const uint64_t most = goal_.mostInstructions * done_ / std::max<uint64_t>(1, instructions);
      goal_.isBrief && first.certain.size() + first.others > most) {
    std::erase_if(first.certain, [&](uint64_t id) { return id >= done_; });
    first.others = std::max<uint64_t>(2, most - std::min(most, first.certain.size()));
  }
  choose(std::move(first));
  return sample_ ? Next::kAgain : Next::kMore;
}

/// Whether the groups that are not certain have executed the same, as far as that is known.
bool Sampler::areHomogeneous() const {
  const trace::Executed *first = nullptr;
  for (size_t i = 1; i < strata_.size(); ++i)
    for (const uint64_t group : strata_[i].groups)
      if (census_.knows(group)) {
        if (first && !(census_[group] == *first))
          return false;
        first = &census_[group];
      }
  return true;
}

/// The certain groups, the group that executes most, and those of the work-items that execute least
/// and most, if the sample lacks them.
std::vector<uint64_t> Sampler::certainWithExtremes(const SampleResult &result) const {
  std::vector<uint64_t> certain = plan_.certain;
  const auto add = [&](uint64_t group) {
    const auto place = std::ranges::lower_bound(certain, group);
    if (place == certain.end() || *place != group)
      certain.insert(place, group);
  };
  if (const uint64_t heaviest = census_.heaviest(); !sample_->rankOf(heaviest)) {
    const auto isAsHeavy = [&](uint64_t id) {
      return census_[id].instructions == census_[heaviest].instructions;
    };
    if (std::ranges::none_of(sample_->linearIds(), isAsHeavy))
      add(heaviest);
  }
  if (census_.most().instructions > result.mostOfItem)
    add(census_.most().group);
  if (const auto least = census_.least();
      least.instructions > 0 && least.instructions < result.leastOfItem)
    add(least.group);
  return certain;
}

/// How many work-groups besides `certain` ones execute at most as much as a sample may, if they are
/// like those of the present sample; at least as many as it has.
uint64_t Sampler::affordable(uint64_t certain) const {
  uint64_t instructions = 0;
  for (const uint64_t group : sample_->linearIds())
    instructions += census_[group].instructions;
  if (instructions == 0)
    return std::max(plan_.others, groups_);
  const auto groups = static_cast<uint64_t>(static_cast<double>(goal_.mostInstructions) /
                                            static_cast<double>(instructions) *
                                            static_cast<double>(sample_->size()));
  return std::max(plan_.others, groups - std::min(groups, certain));
}

/// The plan of the second sample; none if the first suffices.
std::optional<Sampler::Plan> Sampler::planAfterFirst(const SampleResult &result) const {
  Plan second = plan_;
  second.isFirst = false;
  second.certain = certainWithExtremes(result);
  const uint64_t certain = second.certain.size();
  const bool homogeneous = areHomogeneous();
  if (homogeneous && certain == plan_.certain.size() && result.lineSharing == LineSharing::kKnown &&
      result.relativeError <= goal_.relativeError / 2)
    return std::nullopt;
  second.edgesApart = plan_.edgesApart && homogeneous; // else what they execute tells them apart
  second.isOfAllGroups = goal_.allIfFar && result.lineSharing == LineSharing::kFar;
  second.others =
      second.isOfAllGroups
          ? groups_
          : std::min(affordable(certain), goal_.groups - std::min(certain, goal_.groups / 2));
  return second;
}

/// The plan of a sample after the second; none if the present one suffices or cannot become much
/// better.
std::optional<Sampler::Plan> Sampler::planAfterLater(const SampleResult &result) const {
  Plan larger = plan_;
  larger.certain = certainWithExtremes(result);
  const bool hasExtremes = larger.certain.size() == plan_.certain.size();
  const bool isAccurate = result.relativeError <= goal_.relativeError; // false if it is not known
  if (isAccurate)
    return hasExtremes ? std::nullopt : std::optional(larger);
  // The error falls with the root of the sample's size; a tenth more, since it is an estimate.
  const double factor = result.relativeError / goal_.relativeError;
  const double wanted = 1.1 * static_cast<double>(plan_.others) * factor * factor;
  const bool isHalf = wanted <= static_cast<double>(groups_) / 2; // false if it is not known
  const uint64_t enough =
      isHalf ? std::max(2 * plan_.others, static_cast<uint64_t>(wanted)) : groups_;
  larger.others = std::min(affordable(larger.certain.size()), enough);
  if (hasExtremes && larger.others < enough && larger.others < kWorthwhile * plan_.others)
    return std::nullopt;
  const uint64_t times = larger.others / plan_.others;
  larger.least = std::min(groups_, plan_.least * std::max<uint64_t>(1, times));
  return larger;
}

Next Sampler::afterLaunch(const SampleResult &result) {
  if (!sample_)
    return Next::kDone;
  std::optional<Plan> better = plan_.isFirst ? planAfterFirst(result) : planAfterLater(result);
  if (!better)
    return Next::kDone;
  choose(std::move(*better));
  return Next::kAgain;
}

std::vector<uint64_t> Sampler::instructions() const {
  std::vector<uint64_t> sums;
  if (!sample_ || !census_.isComplete())
    return sums;
  for (const GroupSample::Stratum &stratum : strata_) {
    uint64_t sum = 0;
    for (const uint64_t group : stratum.groups)
      sum += census_[group].instructions;
    sums.push_back(sum);
  }
  return sums;
}

double largestRelativeError(const KernelProfile &profile) {
  constexpr double kLeastShare = 0.05;
  constexpr std::array kOperations = {"total_instruction_count"_metric, "fp_ops"_metric,
                                      "int_ops"_metric, "total_reads"_metric,
                                      "total_writes"_metric};
  constexpr std::array kBytes = {"bytes_read_global"_metric, "bytes_written_global"_metric,
                                 "bytes_read_local"_metric, "bytes_written_local"_metric};
  constexpr std::array kShares = {"lane_utilization_32"_metric, "coalescing_32"_metric};
  double largest = 0;
  const auto add = [&](Metric metric, double least) {
    const double value = profile.real(metric);
    if (std::isnan(value) || std::isnan(largest))
      return;
    const double relativeTo = std::max(value, least);
    const double error = profile.standardError(metric);
    // The larger one, and NaN if one is.
    const double relative = relativeTo > 0 ? error / relativeTo : std::isnan(error) ? error : 0;
    largest = std::isnan(relative) ? relative : std::max(largest, relative);
  };
  for (const Metric metric : kOperations)
    add(metric, kLeastShare * profile.real("total_instruction_count"_metric));
  double bytes = 0;
  for (const Metric metric : kBytes)
    bytes += profile.real(metric);
  for (const Metric metric : kBytes)
    add(metric, kLeastShare * bytes);
  for (const Metric metric : kShares)
    add(metric, 0);
  return largest;
}

bool dependsOnOtherGroups(const trace::Program &program) {
  std::vector<bool> isUsed(program.valueCount);
  for (const trace::Operand &operand : program.operands)
    if (operand.value != trace::ValueId::kNone)
      isUsed[index(operand.value)] = true;
  return std::ranges::any_of(program.operations, [&](const trace::Operation &operation) {
    return operation.memory == trace::MemoryKind::kAtomic && !operation.triesAgain &&
           operation.space != trace::AddressSpace::kLocal &&
           operation.space != trace::AddressSpace::kPrivate &&
           operation.result != trace::ValueId::kNone && isUsed[index(operation.result)];
  });
}

} // namespace aiwc::metrics
