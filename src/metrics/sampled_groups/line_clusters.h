#pragma once

#include "metrics/sampled_groups/group_sample.h"
#include "trace/chunk.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace aiwc::metrics {

/// Memory that the launch may access.
struct MemoryRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

/// Tells which cache lines of global and constant memory the work-groups of a sample share with the
/// groups that precede them, from the clusters of the sample (docs/metrics.md, "Sampled
/// work-groups").
///
/// If a group accesses more than kMost lines, only those are kept whose hash is in a part of all
/// hashes. This part is halved until the lines fit. Memory: about 130 KiB per group of a cluster.
class LineClusters {
public:
  /// How groups of one stratum share lines. Numbers of lines are means per group.
  struct Lines {
    /// The lines in a range of memory, or in none. `accessed`: the distinct lines of a group.
    /// `fresh`: those among them that have not been accessed before by [0] its predecessor, [1] its
    /// predecessor and the groups of the row before, [2] all groups of the cluster.
    struct Range {
      double accessed = 0;
      std::array<double, 3> fresh{};
    };
    std::vector<Range> ranges = {}; ///< the last: lines in no range
    double accessed = 0, fresh = 0; ///< of all ranges
    double error = 0;               ///< the standard error of `fresh`
    /// Lines that were accessed before -> how many groups before, at last.
    std::map<uint64_t, double> gaps = {};
  };

  LineClusters(uint32_t lineBytes, std::shared_ptr<const GroupSample> sample);

  /// `group` is one that the sample records, by its linear id.
  void beginGroup(uint64_t group);
  void consume(const trace::Chunk &chunk);
  void endGroup();
  /// Adds the lines of the groups that `other` has seen, which must not be used afterwards.
  void merge(LineClusters &other);

  /// `memory`: the buffers of the launch, by increasing address, disjoint.
  Lines lines(size_t stratum, std::span<const MemoryRange> memory) const;
  /// The number of distinct lines in each range that the groups of all clusters access; the last
  /// element: lines in no range.
  std::vector<double> seen(std::span<const MemoryRange> memory) const;
  /// The lines that a range has.
  uint64_t linesOf(const MemoryRange &range) const;

private:
  static constexpr size_t kMost = size_t{1} << 14;
  static constexpr unsigned kRecentBits = 10;

  /// The lines of a group, of which one of 2^halvings is kept.
  struct LineSet {
    unsigned halvings = 0;
    std::vector<uint64_t> lines; ///< increasing
  };

  void touch(uint64_t line);
  size_t rangeOf(uint64_t line, std::span<const MemoryRange> memory) const;

  unsigned lineShift_;
  std::shared_ptr<const GroupSample> sample_;
  std::unordered_map<uint64_t, LineSet> sets_; ///< by group
  bool follows_ = false;                       ///< the current group is in a cluster
  uint64_t group_ = 0;
  unsigned halvings_ = 0;
  std::unordered_set<uint64_t> lines_; ///< of the current group
  std::vector<uint64_t> recent_;       ///< lines that the current group has touched, by hash
};

} // namespace aiwc::metrics
