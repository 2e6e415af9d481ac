#pragma once

#include "profile/reuse.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// Accesses by reuse distance, in the bins of the profile, per source line. An exact distance costs
/// one array access. Memory: 512 bytes per source line, and 8 more for each bin of the larger
/// distances that a source line has met, so at most some 5 KiB, whatever is executed.
class DistanceCounts {
public:
  explicit DistanceCounts(size_t sources) : near_(sources * kNear), far_(sources) {}

  void add(size_t source, uint64_t distance) {
    if (distance < kNear) [[likely]]
      ++near_[source * kNear + distance];
    else
      addFar(source, distance);
  }
  /// Adds what `other`, of as many source lines, has counted.
  void merge(const DistanceCounts &other);
  /// Of one source line, and of all together: lowest distance of a bin -> accesses.
  profile::Histogram histogram(size_t source) const { return histogram(source, source + 1); }
  profile::Histogram histogram() const { return histogram(0, far_.size()); }

private:
  static constexpr size_t kNear = profile::kExactReuseDistances;

  void addFar(size_t source, uint64_t distance);
  profile::Histogram histogram(size_t begin, size_t end) const;

  std::vector<uint64_t> near_;             ///< per source line, kNear distances
  std::vector<std::vector<uint64_t>> far_; ///< per source line, by bin beyond those
};

} // namespace aiwc::metrics
