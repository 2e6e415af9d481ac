#pragma once

#include "trace/chunk.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// Counts the cache lines of global and constant memory that the sampled work-groups access, and
/// those of them that only one group accesses. Lines of one group are scaled to the groups that
/// were not sampled, shared lines are not (docs/metrics.md, "Sampled work-groups").
///
/// Memory: about 40 bytes per distinct line. Cost: a hash look-up for each access whose line is not
/// among those that the group accessed recently.
class LineSharing {
public:
  struct Lines {
    uint64_t all = 0;
    uint64_t ofOneGroup = 0;
  };

  explicit LineSharing(uint32_t lineBytes);

  void beginGroup(uint64_t rank);
  void consume(const trace::Chunk &chunk);
  /// Adds the lines of `other`, which has seen other groups.
  void merge(const LineSharing &other);
  Lines lines() const;

private:
  void touch(uint64_t line);

  static constexpr uint64_t kSeveral = UINT64_MAX;
  static constexpr unsigned kRecentBits = 10;

  unsigned lineShift_;
  uint64_t rank_ = 0;
  std::vector<uint64_t> recent_;                 ///< lines that the group has touched, by hash
  std::unordered_map<uint64_t, uint64_t> users_; ///< line -> rank of its group, or kSeveral
};

} // namespace aiwc::metrics
