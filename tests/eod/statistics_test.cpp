#include "eod/runner/statistics.h"
#include "eod/statistics/quantile.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::eod;
using namespace aiwc::statistics;

TEST_CASE("1 to 5: mean 3, variance 10 / 4, interval 3 +- t(4; 0.975) s / sqrt(5)") {
  const Statistics s = statisticsOf({5, 1, 4, 2, 3});
  const double deviation = std::sqrt(2.5);
  CHECK(s.count == 5);
  CHECK(s.median == 3);
  CHECK(s.mean == 3);
  CHECK(*s.standardDeviation == Approx(deviation));
  CHECK(*s.variation == Approx(deviation / 3));
  const double half = 2.776445 * deviation / std::sqrt(5.0); // t from a printed table
  CHECK(s.confidence->low == Approx(3 - half).epsilon(1e-6));
  CHECK(s.confidence->high == Approx(3 + half).epsilon(1e-6));
}

TEST_CASE("quantiles lie between values") {
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({1, 2}, 0.5) == 1.5);
  CHECK(quantile({5, 1}, 0.9) == Approx(4.6));
  CHECK(quantile({7}, 0.9) == 7);
  CHECK(std::isinf(quantile({1, INFINITY, INFINITY}, 0.9)));
}

TEST_CASE("the median of an even number of values is the mean of the middle two") {
  CHECK(median({9, 1, 2, 4}) == 3);
  CHECK(median({7}) == 7);
  CHECK(median({7, 8}) == 7.5);
}

TEST_CASE("one value has no spread, and a mean of zero no coefficient of variation") {
  const Statistics one = statisticsOf({4});
  CHECK(one.mean == 4);
  CHECK_FALSE(one.standardDeviation);
  CHECK_FALSE(one.confidence);
  CHECK_FALSE(one.variation);
  CHECK_FALSE(statisticsOf({0, 0}).variation);
}

TEST_CASE("a series is neither faster nor slower than itself; twice the times are twice as slow") {
  const std::vector<double> a{10, 11, 9, 10.5, 9.5, 10.2, 9.8};
  std::vector<double> twice = a;
  for (double &value : twice)
    value *= 2;
  const auto self = compare(a, a);
  CHECK(self->medians == 1);
  CHECK(self->confidence->low <= 1);
  CHECK(self->confidence->high >= 1);
  const auto slower = compare(a, twice);
  CHECK(slower->medians == 2);
  CHECK(slower->confidence->low > 1.5);
  CHECK(slower->confidence->high < 2.5);
}

TEST_CASE("values without spread have a ratio without spread") {
  const auto ratio = compare(std::vector<double>(5, 4.0), std::vector<double>(9, 5.0));
  CHECK(ratio->medians == 1.25);
  CHECK(ratio->confidence->low == 1.25);
  CHECK(ratio->confidence->high == 1.25);
}

TEST_CASE("the interval of a ratio of medians covers the truth 95 times in 100") {
  // Medians of 15 values spread evenly around 1, shifted by a pseudorandom walk through [0, 1).
  int covered = 0;
  const int trials = 200;
  double state = 0.1234;
  const auto draw = [&] {
    state = std::fmod(state * 997 + 0.61803398875, 1.0);
    return 0.5 + state;
  };
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> a;
    std::vector<double> b;
    for (int i = 0; i < 15; ++i) {
      a.push_back(draw());
      b.push_back(draw());
    }
    const auto ratio = compare(a, b);
    covered += ratio->confidence->low <= 1 && ratio->confidence->high >= 1;
  }
  CHECK(covered >= trials * 88 / 100);
}

TEST_CASE("too few values have no interval; a median of zero has no ratio") {
  CHECK_FALSE(compare({1, 2, 3, 4}, {1, 2, 3, 4, 5})->confidence);
  CHECK_FALSE(compare({0, 0, 0}, {1, 1, 1}));
}
