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

/// Whether the group is the first or the last in a dimension that has several groups.
bool isAtEdge(uint64_t linearId, const GroupCounts &groups);

/// How well clusters of few groups show which cache lines groups share.
enum class LineSharing {
  kKnown,
  kUncertain, ///< they do not agree on how many lines are new
  kFar,       ///< many lines are shared with groups that are not in a cluster
};

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
///
/// A sample has no neighbours, but neighbours share cache lines. So some groups of each stratum
/// form *clusters* with the groups that precede them in x, y and z. Their lines are followed.
/// Groups at an edge of the NDRange, which have fewer neighbours, have clusters of their own. A
/// sample of one group is a cluster by itself, so that nothing else has to be recorded; so are all
/// groups of a sample without neighbours.
class GroupSample {
public:
  /// Groups that are like one another, and how many of them are characterised.
  struct Stratum {
    std::vector<uint64_t> groups; ///< linear ids, increasing; not empty
    uint64_t sampled = 0;         ///< 1 to all
  };

  /// A group, and its neighbours among the groups before it, the nearest first: its predecessor; in
  /// the row before, the group at the same place and those beside it; in the plane before, the
  /// group at the same place.
  struct Cluster {
    uint64_t group = 0;
    std::vector<uint64_t> before{}; ///< empty for group 0
    size_t stratum = 0;
    unsigned edges = 0; ///< bit d: the group is the first in dimension d, which has several
    double groups =
        0;          ///< how many of the stratum have such edges, those of other clusters included
    size_t run = 0; ///< clusters of groups that follow one another have the same
  };
  /// A run has clusters of kRun consecutive groups, because a line may be wider than a group. Among
  /// the groups of a stratum that have the same edges there is one run per two sampled groups, but
  /// at most kInnerRuns, or kEdgeRuns at an edge.
  static constexpr uint64_t kRun = 4, kInnerRuns = 6, kEdgeRuns = 2;

  /// One stratum: `sampled` of the groups of a launch in one dimension, 1 <= sampled < groups.
  GroupSample(uint64_t groups, uint64_t sampled);
  /// `strata` are disjoint and have all groups of the launch. Memory: 16 bytes per sampled group.
  GroupSample(const GroupCounts &groups, const std::vector<Stratum> &strata,
              bool hasNeighbours = true);

  /// Where a group of the sample stands.
  struct Place {
    uint64_t rank = 0;        ///< among the sampled groups by linear id, from 0
    size_t stratum = 0;       ///< from 0
    uint64_t rankInStratum{}; ///< the same among the sampled groups of its stratum
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
  const std::vector<Cluster> &clusters() const { return clusters_; }
  bool isInCluster(uint64_t linearId) const;
  /// Whether an engine has to record what a group does: it is sampled, or in a cluster.
  bool isRecorded(uint64_t linearId) const { return placeOf(linearId) || isInCluster(linearId); }
  /// How many of the groups `isRecorded` is true of.
  uint64_t recorded() const;
  uint64_t groupsOfRow() const { return counts_[0]; }
  uint64_t groupsOfPlane() const { return counts_[0] * counts_[1]; }

private:
  struct Size {
    uint64_t groups = 0, sampled = 0;
  };

  void add(size_t stratum, const std::vector<uint64_t> &ids);
  void order();
  void makeClusters(const std::vector<Stratum> &strata);

  GroupCounts counts_;
  uint64_t groups_;
  std::vector<uint64_t> ids_;       ///< increasing
  std::vector<uint32_t> stratum_;   ///< by rank
  std::vector<uint64_t> inStratum_; ///< rank in the stratum, by rank
  std::vector<Size> strata_;
  std::vector<Cluster> clusters_;
  std::vector<uint64_t> inClusters_; ///< all groups of `clusters_`, increasing
};

/// All groups of a launch, as one stratum.
GroupSample::Stratum oneStratum(const GroupCounts &groups, uint64_t sampled);

/// The sample of a size that the user chooses. It has one stratum: a stratum of one group would not
/// show how groups differ. Null if it would have all groups.
std::shared_ptr<const GroupSample> sampleOf(const GroupCounts &groups, uint64_t sampled);

} // namespace aiwc::metrics
