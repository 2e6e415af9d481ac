#include "metrics/sampled_groups/sample_choice.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

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

SampleChoice::SampleChoice(const SampleGoal &goal, const GroupCounts &groups, bool othersRun)
    : goal_(goal), counts_(groups), groups_(groups[0] * groups[1] * groups[2]),
      othersRun_(othersRun), certain_(cornersOf(groups)), census_(0) {}

/// Makes the sample, or one of all groups if it has more than half of them.
void SampleChoice::choose() {
  const bool known = census_.groups() > 0 && census_.isComplete();
  if (known && others_ <= groups_ / 2 && !goal_.edgesApart) {
    strata_ = strataOf(census_, certain_, others_, least_);
  } else {
    GroupSample::Stratum edges{{}, others_ / 2}, rest{{}, others_};
    for (uint64_t group = 0; group < groups_; ++group)
      if (!std::ranges::binary_search(certain_, group)) {
        const bool apart = goal_.edgesApart && isAtEdge(group, counts_);
        (apart ? edges : rest).groups.push_back(group);
      }
    strata_ = {{certain_, certain_.size()}};
    for (GroupSample::Stratum *const stratum : {&edges, &rest})
      if (!stratum->groups.empty()) {
        stratum->sampled = std::min(stratum->sampled, stratum->groups.size());
        strata_.push_back(std::move(*stratum));
      }
  }
  uint64_t sampled = 0;
  for (const GroupSample::Stratum &stratum : strata_)
    sampled += std::min(stratum.sampled, groups_);
  sample_ = sampled <= groups_ / 2 ? std::make_shared<GroupSample>(counts_, strata_) : nullptr;
  census_ = GroupCensus(sample_ ? groups_ : 0);
}

bool SampleChoice::startsAgainAfter(uint64_t done, uint64_t instructions) {
  // A sample of more than half of the groups saves too little.
  mayBeLong_ = mayBeLong_ && done <= groups_ / 2 && groups_ >= 4 * kFew;
  // After 1, 2, 4, 8, ... groups, so that the first groups decide only about what is like them.
  if (!mayBeLong_ || !std::has_single_bit(done))
    return false;
  const double all =
      static_cast<double>(instructions) / static_cast<double>(done) * static_cast<double>(groups_);
  if (all <= static_cast<double>(goal_.instructions))
    return false;
  mayBeLong_ = false;
  if (!othersRun_) {
    std::erase_if(certain_, [&](uint64_t id) { return id < done; });
    std::vector<uint64_t> first(done);
    std::iota(first.begin(), first.end(), uint64_t{0});
    certain_.insert(certain_.begin(), first.begin(), first.end());
  }
  others_ = std::min(goal_.groupsAtFirst, groups_ / 4);
  choose();
  return sample_ != nullptr;
}

/// Whether the groups that are not certain have executed the same, as far as that is known.
bool SampleChoice::areAlike() const {
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

/// Makes sure that the group that executes most, and the work-items that execute least and most,
/// are in the sample.
void SampleChoice::addExtremes(const SampleResult &result) {
  const auto add = [&](uint64_t group) {
    const auto place = std::ranges::lower_bound(certain_, group);
    if (place == certain_.end() || *place != group)
      certain_.insert(place, group);
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
}

/// So many work-groups besides the certain ones execute at most as much as a sample may, if they
/// are like those of the present one.
uint64_t SampleChoice::affordable() const {
  uint64_t instructions = 0;
  for (const uint64_t group : sample_->linearIds())
    instructions += census_[group].instructions;
  if (instructions == 0)
    return groups_;
  const auto groups = static_cast<uint64_t>(static_cast<double>(goal_.mostInstructions) /
                                            static_cast<double>(instructions) *
                                            static_cast<double>(sample_->size()));
  return groups - std::min<uint64_t>(groups, certain_.size());
}

bool SampleChoice::startsAgainWith(const SampleResult &result) {
  if (!sample_)
    return false;
  const double accepted = goal_.relativeError / (isFirst_ ? 2 : 1);
  const size_t certain = certain_.size();
  addExtremes(result);
  const bool hasExtremes = certain == certain_.size();
  const bool isEnough = !isFirst_ || (areAlike() && result.lineSharing == LineSharing::kKnown);
  if (isEnough && hasExtremes && result.relativeError <= accepted)
    return false;
  const uint64_t most = std::max(others_, affordable());
  if (isFirst_) {
    isFirst_ = false;
    goal_.edgesApart = goal_.edgesApart && areAlike(); // else what they execute tells them apart
    others_ = std::min(most, goal_.groups - std::min<uint64_t>(certain_.size(), goal_.groups / 2));
    needsAllGroups_ = goal_.allIfFar && result.lineSharing == LineSharing::kFar;
    if (needsAllGroups_)
      others_ = groups_;
  } else if (!(result.relativeError <= accepted)) {
    // The error falls with the root of the sample's size; a tenth more, since it is an estimate.
    const double factor = result.relativeError / goal_.relativeError;
    const double wanted = 1.1 * static_cast<double>(others_) * factor * factor;
    // false if the error is not known
    const bool known = wanted <= static_cast<double>(groups_) / 2;
    const uint64_t enough = known ? std::max(2 * others_, static_cast<uint64_t>(wanted)) : groups_;
    const uint64_t more = std::min(most, enough);
    if (hasExtremes && more < enough && more < kWorthwhile * others_)
      return false;
    least_ = std::min(groups_, least_ * std::max<uint64_t>(1, more / others_));
    others_ = more;
  }
  choose();
  return true;
}

std::vector<uint64_t> SampleChoice::instructions() const {
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

} // namespace aiwc::metrics
