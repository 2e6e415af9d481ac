#include "device_measurement/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::device_measurement {

namespace {

constexpr size_t kLeastForInterval = 6; // 2 * 2^-6 is 3.1 %

/// The largest k with P(X < k) <= 2.5 %, X binomial(n, 1/2); 0 if there is none.
size_t rankOfBound(size_t n) {
  constexpr double kTail = 0.025;
  double logarithm = -static_cast<double>(n) * std::log(2.0); // of P(X = k), from k = 0
  double sum = 0;
  for (size_t k = 0; k <= n; ++k) {
    sum += std::exp(logarithm);
    if (sum > kTail)
      return k;
    logarithm += std::log(static_cast<double>(n - k)) - std::log(static_cast<double>(k + 1));
  }
  return 0;
}

double medianOf(const std::vector<double> &sorted) {
  const size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

} // namespace

Interval medianInterval(const std::vector<double> &samples) {
  const size_t rank = std::max<size_t>(rankOfBound(samples.size()), 1);
  return {samples[rank - 1], samples[samples.size() - rank]};
}

Estimate estimateOf(std::vector<double> samples) {
  std::ranges::sort(samples);
  const Interval interval = medianInterval(samples);
  const double median = medianOf(samples);
  const double half = (interval.high - interval.low) / 2;
  return {median, median > 0 ? half / median : 0, samples.front(), samples.size()};
}

Estimate repeated(const std::function<double()> &sample, const Patience &patience) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(patience.seconds));
  std::vector<double> samples;
  while (samples.size() < patience.mostSamples) {
    samples.push_back(sample());
    if (samples.size() < patience.leastSamples)
      continue;
    if (Clock::now() >= end)
      break;
    // Sorting again and again is nothing beside the samples, if it is done at ever longer times.
    const bool looked = samples.size() < 64 || samples.size() % 16 == 0;
    if (samples.size() >= kLeastForInterval && looked &&
        estimateOf(samples).spread <= patience.spread)
      break;
  }
  return estimateOf(std::move(samples));
}

} // namespace aiwc::device_measurement
