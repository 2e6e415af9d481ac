#pragma once

#include "profile/reuse.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aiwc::metrics {

/// Counts accesses by reuse distance (in the bins of the profile) and source line. A distance with
/// its own bin costs one array access. Memory: 512 bytes per source line, plus 8 for each used bin
/// of larger distances; at most about 5 KiB per source line.
class DistanceCounts {
public:
  explicit DistanceCounts(size_t sources) : near_(sources * kNear), far_(sources) {}

  void add(size_t source, uint64_t distance, uint64_t times = 1) {
    if (distance < kNear) [[likely]]
      near_[source * kNear + distance] += times;
    else
      addFar(source, distance, times);
  }
  /// Adds the counts of `other`, which must have the same number of source lines.
  void merge(const DistanceCounts &other);
  /// The histograms of one source line and of all together: lowest distance of a bin -> accesses.
  profile::Histogram histogram(size_t source) const { return histogram(source, source + 1); }
  profile::Histogram histogram() const { return histogram(0, far_.size()); }

private:
  static constexpr size_t kNear = profile::kExactReuseDistances;

  void addFar(size_t source, uint64_t distance, uint64_t times);
  profile::Histogram histogram(size_t begin, size_t end) const;

  std::vector<uint64_t> near_;             ///< per source line, kNear distances
  std::vector<std::vector<uint64_t>> far_; ///< per source line, by bin of larger distances
};

} // namespace aiwc::metrics
