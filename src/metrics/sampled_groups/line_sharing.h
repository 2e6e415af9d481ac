#pragma once

#include "metrics/sampled_groups/sample_error.h"
#include "profile/kernel_profile.h"
#include "trace/chunk.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// Memory that the launch may access.
struct MemoryRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

/// Follows which of the sampled work-groups access which cache lines of global and constant memory,
/// to tell how many lines the launch accesses, and how far apart the groups are that share a line
/// (docs/metrics.md, "Sampled work-groups").
///
/// Memory: about 60 bytes per distinct line. Cost: a hash look-up for each access whose line is not
/// among those that the group accessed recently.
class LineSharing {
public:
  struct Lines {
    uint64_t all = 0; ///< that the sample accesses
    /// Further lines that the launch is estimated to access: those of one group times the groups
    /// that were not sampled, but no more than there are in the memory range. Lines of several
    /// groups do not become more.
    uint64_t added = 0;
    uint64_t cut = 0; ///< that would be added if there was no limit
    /// Mean number of lines that a group accesses.
    double ofGroup = 0;
    /// The first accesses of a line in a group that are not the launch's first: how many of its
    /// groups the one before is away -> how many. Only their ratios matter.
    profile::Histogram gaps = {};
    /// Of a range of memory, in the order of addresses: the lines that the launch is estimated to
    /// access, those among them that `before` does not, and all that there are. The last: those of
    /// no range.
    struct Range {
      uint64_t lines = 0, fresh = 0, limit = UINT64_MAX;
    };
    std::vector<Range> ranges = {};
  };

  explicit LineSharing(uint32_t lineBytes);

  void beginGroup(uint64_t rank);
  void consume(const trace::Chunk &chunk);
  /// Adds the lines of `other`, which has seen other groups.
  void merge(const LineSharing &other);
  /// `memory`: the buffers of the launch, in any order, disjoint. Lines outside of them are not
  /// limited. `before`: the sharing of other groups, or null.
  Lines lines(const SampledShare &share, std::vector<MemoryRange> memory,
              const LineSharing *before = nullptr) const;

  /// Whether at most 5 % of the lines are accessed by more than one group and not by all, or
  /// counted among `added` only in part, because the memory does not have so many.
  bool isSimple(const SampledShare &share, const std::vector<MemoryRange> &memory) const;

private:
  void touch(uint64_t line);

  /// The groups that access a line: ranks of the first and the last, and their number.
  struct Users {
    uint64_t first = 0, last = 0, groups = 0;
  };

  static constexpr unsigned kRecentBits = 10;

  unsigned lineShift_;
  uint64_t rank_ = 0;
  std::vector<uint64_t> recent_; ///< lines that the group has touched, by hash
  std::unordered_map<uint64_t, Users> users_;
};

} // namespace aiwc::metrics
