/// The statistics of predict/accuracy.h against their definitions and closed forms.
#include "predict/accuracy.h"
#include "support/random.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

using namespace aiwc::predict;
using aiwc::test::Random;
using Values = std::vector<double>;

TEST_CASE("ranks begin at 1, and equal values share the mean of theirs") {
  CHECK(ranksOf(Values{30, 10, 20}) == Values{3, 1, 2});
  CHECK(ranksOf(Values{5, 7, 5, 9, 5}) == Values{2, 4, 2, 5, 2}); // 1, 2 and 3
  CHECK(ranksOf(Values{4, 4}) == Values{1.5, 1.5});
  CHECK(ranksOf(Values{}).empty());
}

TEST_CASE("rank correlation: same order 1, reversed -1, constant none") {
  const Values a = {1, 2, 3, 4, 5};
  CHECK(*spearman(a, Values{10, 100, 1e3, 1e4, 1e9}) == Approx(1)); // by order alone
  CHECK(*spearman(a, Values{5, 4, 3, 2, 1}) == Approx(-1));
  CHECK_FALSE(spearman(a, Values{7, 7, 7, 7, 7}));
  CHECK_FALSE(spearman(Values{1}, Values{1}));
}

TEST_CASE("a rank correlation with ties, worked out by hand") {
  // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4 about their mean 2.5: products 1.5^2 + 0 + 0 + 1.5^2 = 4.5,
  // squares 4.5 and 5.
  const Values tied = {1, 5, 5, 9};
  const Values plain = {1, 2, 3, 4};
  CHECK(*spearman(tied, plain) == Approx(4.5 / std::sqrt(4.5 * 5)));
}

TEST_CASE("without ties Spearman's is 1 - 6 sum d^2 / (n (n^2 - 1))") {
  Random random(1);
  for (size_t n = 2; n < 40; ++n) {
    Values a(n);
    std::iota(a.begin(), a.end(), 1.0);
    Values b = a;
    random.shuffle(b);
    double squares = 0;
    for (size_t i = 0; i < n; ++i)
      squares += (a[i] - b[i]) * (a[i] - b[i]);
    const auto count = static_cast<double>(n);
    CHECK(*spearman(a, b) == Approx(1 - 6 * squares / (count * (count * count - 1))).margin(1e-12));
    CHECK(*spearman(a, b) == Approx(*spearman(b, a)).margin(1e-12));
  }
}

TEST_CASE("errors are factors, up or down alike") {
  const Values measured = {1, 10, 100};
  CHECK(deviationOf(measured, measured).error == Approx(1));
  CHECK(deviationOf(Values{3, 30, 300}, measured).error == Approx(3));
  CHECK(deviationOf(Values{3, 30, 300}, measured).bias == Approx(3));
  // Twice too high, twice too low, right: off by 2^(2/3), and not biased.
  const Deviation both = deviationOf(Values{2, 5, 100}, measured);
  CHECK(both.error == Approx(std::pow(2, 2.0 / 3)));
  CHECK(both.bias == Approx(1));
  CHECK(geometricMean(Values{2, 8}) == Approx(4));
}

TEST_CASE("the choice is the device predicted to be fastest, its regret what that costs") {
  const Values measured = {4, 2, 6};
  CHECK(choiceOf(Values{10, 9, 11}, measured).topOne == 1);
  CHECK(choiceOf(Values{10, 9, 11}, measured).regret == 1);
  CHECK(choiceOf(Values{10, 11, 9}, measured).topOne == 0);
  CHECK(choiceOf(Values{10, 11, 9}, measured).regret == Approx(3));
  CHECK(choiceOf(size_t{0}, measured).regret == Approx(2));
  // Two that are predicted alike: one is the fastest, the other three times as slow.
  const Choice equals = choiceOf(Values{7, 1, 1}, measured);
  CHECK(equals.topOne == Approx(0.5));
  CHECK(equals.regret == Approx(std::sqrt(3)));
  // Of two that are as fast either is right.
  CHECK(choiceOf(size_t{2}, Values{5, 3, 3}).topOne == 1);
}
