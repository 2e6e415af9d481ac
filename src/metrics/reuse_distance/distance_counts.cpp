#include "metrics/reuse_distance/distance_counts.h"

#include <algorithm>
#include <bit>

namespace aiwc::metrics {
namespace {

constexpr unsigned kBinsPerPower = 8;
constexpr unsigned kFirstPower = std::bit_width(profile::kExactReuseDistances) - 1;

/// Index, from 0, of the bin of a distance that shares its bin with others.
size_t farBin(uint64_t distance) {
  const auto width = static_cast<unsigned>(std::bit_width(distance));
  const unsigned power = width > kFirstPower ? width - 1 : kFirstPower;
  return size_t{kBinsPerPower} * (power - kFirstPower) +
         (distance >> (power - 3) &
          (kBinsPerPower - 1)); // 2^3 bins: the three bits after the leading one
}

uint64_t lowestOf(size_t farBin) {
  return (kBinsPerPower + farBin % kBinsPerPower) << (farBin / kBinsPerPower + kFirstPower - 3);
}

/// Adds `counts` to `sums` element by element; their lengths may differ.
void addTo(std::vector<uint64_t> &sums, const std::vector<uint64_t> &counts) {
  sums.resize(std::max(sums.size(), counts.size()));
  for (size_t bin = 0; bin < counts.size(); ++bin)
    sums[bin] += counts[bin];
}

} // namespace

void DistanceCounts::addFar(size_t source, uint64_t distance, uint64_t times) {
  std::vector<uint64_t> &counts = far_[source];
  const size_t bin = farBin(distance);
  if (bin >= counts.size())
    counts.resize(bin + 1);
  counts[bin] += times;
}

void DistanceCounts::merge(const DistanceCounts &other) {
  addTo(near_, other.near_);
  for (size_t source = 0; source < far_.size(); ++source)
    addTo(far_[source], other.far_[source]);
}

profile::Histogram DistanceCounts::histogram(size_t begin, size_t end) const {
  std::vector<uint64_t> near(kNear);
  std::vector<uint64_t> far;
  for (size_t source = begin; source < end; ++source) {
    for (size_t distance = 0; distance < kNear; ++distance)
      near[distance] += near_[source * kNear + distance];
    addTo(far, far_[source]);
  }
  profile::Histogram histogram;
  for (size_t distance = 0; distance < kNear; ++distance)
    if (near[distance] > 0)
      histogram.emplace_back(distance, near[distance]);
  for (size_t bin = 0; bin < far.size(); ++bin)
    if (far[bin] > 0)
      histogram.emplace_back(lowestOf(bin), far[bin]);
  return histogram;
}

} // namespace aiwc::metrics
