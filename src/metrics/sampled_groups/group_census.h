#pragma once

#include "metrics/sampled_groups/group_sample.h"
#include "trace/executed.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// What each work-group of a launch has executed, as engines count it also for groups that are not
/// characterised. Memory: 16 bytes per group.
class GroupCensus {
public:
  /// An extreme of the work-items of the groups that are not characterised.
  struct OfItem {
    uint64_t instructions = 0;
    uint64_t group = 0; ///< the first group that has such a work-item
  };

  explicit GroupCensus(uint64_t groups) : executed_(groups) {}

  /// A characterised group.
  void add(uint64_t group, const trace::Executed &executed);
  /// Another one; `least` and `most`: instructions of a work-item.
  void add(uint64_t group, const trace::Executed &executed, uint64_t least, uint64_t most);

  uint64_t groups() const { return executed_.size(); }
  bool isComplete() const { return known_ == executed_.size(); }
  bool knows(uint64_t group) const { return executed_[group].instructions > 0; }
  const trace::Executed &operator[](uint64_t group) const { return executed_[group]; }
  /// Zero instructions if all groups are characterised.
  const OfItem &most() const { return most_; }
  const OfItem &least() const { return least_; }
  /// The first group that executes most of all.
  uint64_t heaviest() const { return heaviest_; }

private:
  std::vector<trace::Executed> executed_;
  uint64_t known_ = 0;
  OfItem most_, least_;
  uint64_t heaviest_ = 0;
};

/// Divides the groups of a launch into strata of groups that execute alike, and chooses about
/// `others` of them, at least `least` of each stratum, in proportion to what the strata execute.
/// `certain` (increasing), and groups that execute more than one `others`-th of all, form the first
/// stratum, all of which is sampled. Up to 8 different kinds of groups are strata; if there are
/// more, groups whose instructions have the same power of two are. The census must be complete.
std::vector<GroupSample::Stratum> strataOf(const GroupCensus &census, std::vector<uint64_t> certain,
                                           uint64_t others, uint64_t least);

} // namespace aiwc::metrics
