#pragma once

#include "trace/chunk.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace aiwc::metrics {

/// How many lines of global and constant memory one of the sampled work-groups touches alone, and
/// how many several do. The former stand for lines of the groups that were not sampled, the latter
/// for themselves (docs/metrics.md, "Sampled work-groups").
///
/// Memory: some 40 bytes per distinct line. Cost: a hash look-up where a line was not among those
/// that the group touched last.
class LineSharing {
public:
  struct Lines {
    uint64_t all = 0;
    uint64_t ofOneGroup = 0;
  };

  explicit LineSharing(uint32_t lineBytes);

  void beginGroup(uint64_t rank);
  void consume(const trace::Chunk &chunk);
  /// Adds what `other` has seen of other groups.
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
