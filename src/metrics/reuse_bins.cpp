#include "metrics/reuse_bins.h"

#include "profile/reuse.h"

namespace aiwc::metrics {

void ReuseBins::merge(const ReuseBins &other) {
  for (size_t i = 0; i < kBins; ++i)
    counts_[i] += other.counts_[i];
}

profile::Histogram ReuseBins::histogram() const {
  static_assert(profile::kExactReuseDistances == uint64_t{1} << kExactBits);
  profile::Histogram result;
  uint64_t lowest = 0;
  for (const uint64_t count : counts_) {
    if (count > 0)
      result.emplace_back(lowest, count);
    lowest = profile::reuseBinEnd(lowest);
  }
  return result;
}

} // namespace aiwc::metrics
