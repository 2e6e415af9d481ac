#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// The work-groups of a launch, per dimension.
using GroupCounts = std::array<uint64_t, 3>;

/// The linear ids of the groups at the corners of the NDRange, the first and the last among them,
/// increasing.
std::vector<uint64_t> cornersOf(const GroupCounts &groups);

/// Selects the work-groups of a launch that are characterised. The groups are divided into
/// *strata*, of each of which some are taken, spread over its groups by linear id: of n, one of
/// each n-th part of the stratum. If more than half of a stratum is sampled, the groups to leave
/// out are selected in this way instead.
///
/// The position of the selected group in its part advances by the golden ratio (modulo 1) from
/// part to part. Always taking the middle would be periodic; if the period divides the length
/// of a row of the NDRange, which is common, the whole sample would be in one column. The
/// fractional parts of the multiples of the golden ratio have no period and are spread most evenly
/// (Knuth, The Art of Computer Programming 3, section 6.4). Every run selects the same groups.
class GroupSample {
public:
  /// Groups that are like one another, and how many of them are characterised.
  struct Stratum {
    std::vector<uint64_t> groups; ///< linear ids, increasing; not empty
    uint64_t sampled = 0;         ///< 1 to all
  };

  /// One stratum: `sampled` of `groups`, 1 <= sampled < groups.
  GroupSample(uint64_t groups, uint64_t sampled) : GroupSample(groups, {}, sampled) {}
  /// Two strata: all of `certain` (increasing, may be empty), and `others`, at least one, of the
  /// other groups.
  GroupSample(uint64_t groups, const std::vector<uint64_t> &certain, uint64_t others);
  /// `strata` are disjoint and have all groups. Memory: 16 bytes per sampled group.
  explicit GroupSample(const std::vector<Stratum> &strata);

  /// Where a group of the sample stands.
  struct Place {
    uint64_t rank = 0;        ///< among the sampled groups by linear id, from 0
    size_t stratum = 0;       ///< from 0
    uint64_t rankInStratum{}; ///< the same as `rank` among those of its stratum
  };
  /// No value if the group is not sampled.
  std::optional<Place> placeOf(uint64_t linearId) const;
  std::optional<uint64_t> rankOf(uint64_t linearId) const;
  uint64_t groups() const { return groups_; }   ///< groups of the launch
  uint64_t size() const { return ids_.size(); } ///< sampled groups
  std::span<const uint64_t> linearIds() const { return ids_; }
  size_t strata() const { return strata_.size(); }
  uint64_t groupsOf(size_t stratum) const { return strata_[stratum].groups; }
  uint64_t sampledOf(size_t stratum) const { return strata_[stratum].sampled; }

private:
  struct Size {
    uint64_t groups = 0, sampled = 0;
  };

  void add(size_t stratum, const std::vector<uint64_t> &ids);
  void order();

  uint64_t groups_;
  std::vector<uint64_t> ids_;       ///< increasing
  std::vector<uint32_t> stratum_;   ///< by rank
  std::vector<uint64_t> inStratum_; ///< rank in the stratum, by rank
  std::vector<Size> strata_;
};

/// The sample of a launch whose size the user chooses: so many groups, in one stratum, since a
/// group that is a stratum of its own would say nothing of how groups differ. Null if that is all
/// groups.
std::shared_ptr<const GroupSample> sampleOf(const GroupCounts &groups, uint64_t sampled);

} // namespace aiwc::metrics
