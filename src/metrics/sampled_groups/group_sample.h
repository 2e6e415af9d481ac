#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Which work-groups of a launch are characterised where the user asks for some of them
/// (--aiwc-sample-groups): one of each of n equal strata of consecutive groups. Where these are
/// more than half of all groups, those that are left out are chosen so.
///
/// Where in its stratum a group is taken steps by the golden ratio from one stratum to the next.
/// The middle of each would have a period, and where that divides the length of a row of the
/// NDRange, as is usual, all of the sample would come out of the same column. The fractions of the
/// multiples of the golden ratio have no period and lie as evenly as can be (Knuth, The Art of
/// Computer Programming 3, section 6.4). The same groups in every run.
class GroupSample {
public:
  /// `sampled` of `groups`: 1 <= sampled < groups. Memory: 8 bytes per group that is sampled.
  GroupSample(uint64_t groups, uint64_t sampled);

  /// Among the sampled groups, in increasing order of their linear ids; none for all others.
  std::optional<uint64_t> rankOf(uint64_t linearId) const;
  uint64_t groups() const { return groups_; }   ///< of the launch
  uint64_t size() const { return ids_.size(); } ///< sampled
  std::span<const uint64_t> linearIds() const { return ids_; }

private:
  uint64_t groups_;
  std::vector<uint64_t> ids_; ///< increasing
};

} // namespace aiwc::metrics
