#include "device_measurement/statistics.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

using namespace aiwc::device_measurement;

namespace {

std::vector<double> upTo(size_t n) {
  std::vector<double> samples(n);
  std::iota(samples.begin(), samples.end(), 1.0);
  return samples;
}

/// The probability that a binomial variable of n trials and probability 1/2 is below k, by counting
/// with Pascal's triangle.
double below(size_t n, size_t k) {
  std::vector<double> row = {1};
  for (size_t i = 0; i < n; ++i) {
    std::vector<double> next(row.size() + 1, 0);
    for (size_t j = 0; j < row.size(); ++j) {
      next[j] += row[j] / 2;
      next[j + 1] += row[j] / 2;
    }
    row = next;
  }
  return std::accumulate(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(k), 0.0);
}

} // namespace

TEST_CASE("the interval of the median has the ranks of the binomial distribution") {
  for (size_t n = 6; n <= 200; ++n) {
    const Interval interval = medianInterval(upTo(n));
    const auto rank = static_cast<size_t>(interval.low); // the sample of rank k is k
    INFO(n << " samples");
    CHECK(interval.low + interval.high == Approx(static_cast<double>(n + 1)));
    CHECK(below(n, rank) <= 0.025);
    CHECK(below(n, rank + 1) > 0.025);
  }
}

TEST_CASE("with fewer than six samples, the interval is all of them") {
  for (size_t n = 1; n < 6; ++n) {
    CHECK(medianInterval(upTo(n)).low == 1);
    CHECK(medianInterval(upTo(n)).high == static_cast<double>(n));
  }
}

TEST_CASE("the interval holds the median of the distribution in 95 of 100 cases or more") {
  std::mt19937 random(3);
  std::exponential_distribution<double> distribution;
  constexpr int kCases = 4000;
  int held = 0;
  for (int i = 0; i < kCases; ++i) {
    std::vector<double> samples(25);
    for (double &sample : samples)
      sample = distribution(random);
    std::ranges::sort(samples);
    const Interval interval = medianInterval(samples);
    held += interval.low <= std::log(2.0) && std::log(2.0) <= interval.high;
  }
  CHECK(held > 0.94 * kCases);
  CHECK(held < 0.98 * kCases);
}

TEST_CASE("an estimate has the median, its relative spread and the least") {
  const Estimate estimate = estimateOf({3, 1, 2});
  CHECK(estimate.median == 2);
  CHECK(estimate.least == 1);
  CHECK(estimate.spread == Approx((3 - 1) / 2.0 / 2));
  CHECK(estimate.samples == 3);
  CHECK(estimateOf({1, 2, 3, 5}).median == Approx(2.5));
  CHECK(estimateOf({0, 0}).spread == 0);
}

TEST_CASE("samples are repeated until the spread is small enough") {
  Patience patience;
  patience.seconds = 1e6;
  int calls = 0;
  CHECK(repeated([&] { return ++calls, 7.0; }, patience).samples ==
        6); // of which an interval needs
  // Alternates between 1 and 2, so that the interval is never narrow.
  patience.mostSamples = 100;
  calls = 0;
  CHECK(repeated([&] { return ++calls % 2 == 0 ? 1.0 : 2.0; }, patience).samples == 100);
  // Falls to the same value again and again after a disturbance.
  calls = 0;
  const Estimate estimate = repeated([&] { return ++calls <= 3 ? 10.0 : 5.0; }, patience);
  CHECK(estimate.median == 5);
  CHECK(estimate.spread <= 0.03);
  CHECK(estimate.samples < 100);
}

TEST_CASE("without time, there are the least samples only") {
  Patience patience;
  patience.seconds = 0;
  patience.leastSamples = 4;
  int calls = 0;
  CHECK(repeated([&] { return static_cast<double>(++calls); }, patience).samples == 4);
}
