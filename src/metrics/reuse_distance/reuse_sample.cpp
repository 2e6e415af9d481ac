#include "metrics/reuse_distance/reuse_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace aiwc::metrics {

ReuseSample::ReuseSample(double rate)
    : rate_(rate), threshold_(rate < 1 ? static_cast<uint64_t>(std::ldexp(rate, 64))
                                       : std::numeric_limits<uint64_t>::max()) {}

void ReuseSample::merge(const ReuseSample &other) {
  for (size_t part = 0; part < kParts; ++part)
    accesses_[part] += other.accesses_[part];
}

ReuseCounts ReuseSample::scaled(const ReuseCounts &counts, uint64_t accesses) const {
  if (everything())
    return counts;
  const auto up = [this](uint64_t count) {
    return static_cast<uint64_t>(static_cast<long double>(count) / rate_);
  };
  ReuseCounts result{{}, up(counts.cold)};
  uint64_t sum = result.cold;
  for (const auto &[bin, count] : counts.distances) {
    result.distances.emplace_back(bin, up(count));
    sum += result.distances.back().second;
  }
  if (sum < accesses) {
    if (result.distances.empty() || result.distances.front().first != 0)
      result.distances.insert(result.distances.begin(), {0, 0});
    result.distances.front().second += accesses - sum;
  }
  uint64_t excess = sum - std::min(sum, accesses);
  for (auto &[bin, count] : result.distances) {
    const uint64_t taken = std::min(excess, count);
    count -= taken;
    excess -= taken;
  }
  result.cold -= excess;
  std::erase_if(result.distances, [](const auto &bin) { return bin.second == 0; });
  return result;
}

double ReuseSample::errorBound(uint64_t accesses) const {
  if (everything() || accesses == 0)
    return 0;
  const auto sum =
      static_cast<double>(std::accumulate(accesses_.begin(), accesses_.end(), uint64_t{0}));
  const double mean = sum / kParts;
  double squares = 0;
  for (const uint64_t part : accesses_)
    squares += (static_cast<double>(part) - mean) * (static_cast<double>(part) - mean);
  squares *= static_cast<double>(kParts) / (kParts - 1);
  const auto all = static_cast<double>(accesses);
  const double twoStandardErrors = 2 * std::sqrt((1 - rate_) * squares) / (rate_ * all);
  return std::min(1.0, std::max(twoStandardErrors, std::abs(sum / rate_ - all) / all));
}

} // namespace aiwc::metrics
