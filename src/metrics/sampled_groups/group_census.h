#pragma once

#include "metrics/sampled_groups/group_sample.h"
#include "trace/executed.h"

#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// What each work-group of a launch has executed. Engines count this for groups that are not
/// characterised, too. Memory: 16 bytes per group.
class GroupCensus {
public:
  /// The work-item that executes least or most, among the groups that are not characterised.
  struct OfItem {
    uint64_t instructions = 0;
    uint64_t group = 0; ///< the first group that has such a work-item
  };

  explicit GroupCensus(uint64_t groups) : executed_(groups) {}

  /// Adds a characterised group.
  void add(uint64_t group, const trace::Executed &executed);
  /// Adds another group; `least` and `most`: the instructions of its work-items that execute least
  /// and most.
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

/// Divides the groups of a launch into strata and chooses about `others` groups to sample: at least
/// `least` of each stratum, and in proportion to what the strata execute. All groups of the first
/// stratum are sampled: `certain` (increasing), and groups that execute more than one `others`-th
/// of all instructions. The other strata have groups that execute the same. If that made more than
/// 8 strata, they have groups whose instructions have the same power of two. The census must be
/// complete.
std::vector<GroupSample::Stratum> strataOf(const GroupCensus &census, std::vector<uint64_t> certain,
                                           uint64_t others, uint64_t least);

} // namespace aiwc::metrics
