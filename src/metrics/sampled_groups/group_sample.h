#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Selects the work-groups of a launch that are characterised if the user asks for a sample
/// (--aiwc-sample-groups): one group of each of n equal strata of consecutive groups. If more than
/// half of all groups are sampled, the groups to leave out are selected in this way instead.
///
/// The position of the selected group in its stratum advances by the golden ratio (modulo 1) from
/// stratum to stratum. Always taking the middle would be periodic; if the period divides the length
/// of a row of the NDRange, which is common, the whole sample would be in one column. The
/// fractional parts of the multiples of the golden ratio have no period and are spread most evenly
/// (Knuth, The Art of Computer Programming 3, section 6.4). Every run selects the same groups.
class GroupSample {
public:
  /// `sampled` of `groups`: 1 <= sampled < groups. Memory: 8 bytes per sampled group.
  GroupSample(uint64_t groups, uint64_t sampled);

  /// The rank of a group among the sampled groups by linear id, from 0; no value if it is not
  /// sampled.
  std::optional<uint64_t> rankOf(uint64_t linearId) const;
  uint64_t groups() const { return groups_; }   ///< groups of the launch
  uint64_t size() const { return ids_.size(); } ///< sampled groups
  std::span<const uint64_t> linearIds() const { return ids_; }

private:
  uint64_t groups_;
  std::vector<uint64_t> ids_; ///< increasing
};

} // namespace aiwc::metrics
