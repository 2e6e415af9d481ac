#include "train/made_up.h"
#include "train/scores.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::train;
using namespace aiwc::test;

namespace {

/// Two workloads of one application each, on three devices.
TrainingSet twoWorkloads() {
  TrainingSet set;
  set.devices = {{madeUpCpu("a"), "d"}, {madeUpCpu("b"), "d"}, {madeUpCpu("c"), "d"}};
  set.workloads = {{"d", "s", "first", "tiny", "k", {}, 0, 0, ""},
                   {"d", "s", "second", "tiny", "k", {}, 0, 0, ""}};
  set.times = {{0, 0, 10}, {0, 1, 20}, {0, 2, 40}, {1, 0, 8}, {1, 1, 4}, {1, 2, 2}};
  return set;
}

const std::vector<size_t> kAll = {0, 1, 2, 3, 4, 5};

std::vector<LeftOutPrediction> predictions(const std::vector<double> &micros,
                                           aiwc::predict::ErrorFactor errorFactor = {-0.5, 0.8}) {
  std::vector<LeftOutPrediction> result;
  for (const double value : micros)
    result.push_back({std::log(value), errorFactor, 0});
  return result;
}

} // namespace

TEST_CASE("the error is the mean of absolute logarithms, up and down alike") {
  const TrainingSet set = twoWorkloads();
  const auto predicted = predictions({20, 10, 40, 8, 4, 2}); // twice, half, right ...
  const ErrorScore score = errorOf(set, kAll, predicted);
  CHECK(score.times == 6);
  CHECK(score.lnError == Approx(2 * std::log(2) / 6));
  CHECK(score.factor == Approx(std::pow(2, 1.0 / 3)));
  CHECK(score.bias == Approx(1));
  CHECK(errorOf(set, std::vector<size_t>{0, 2}, predicted).bias == Approx(std::sqrt(2)));
  // Applications count the same: 2 ln 2 / 3 in the first, 0 in the second.
  CHECK(score.perApplication == Approx(std::log(2) / 3));
  // ln(10 / 20) = -0.69 is below -0.5, 0.69 within 0.8; the other application is right.
  CHECK(score.coverage == Approx((2.0 / 3 + 1) / 2));
}

TEST_CASE("a choice is judged by the time of the chosen device") {
  const TrainingSet set = twoWorkloads();
  const auto score = choiceOf(set, kAll, predictions({1, 2, 3, 1, 2, 3}), false);
  REQUIRE(score);
  CHECK(score->workloads == 2);
  CHECK(score->topOne == Approx(0.5));
  CHECK(score->withinFive == Approx(0.5));
  CHECK(score->regret == Approx(2)); // 1 and 8 / 2
  CHECK(score->worst == Approx(4));
  CHECK(score->spearman == Approx(0)); // 1 and -1
  CHECK(score->pairs == Approx(0.5));
}

TEST_CASE("a workload without a prediction on every device takes no part in choices") {
  const TrainingSet set = twoWorkloads();
  auto predicted = predictions({1, 2, 3, 1, 2, 3});
  predicted[4].lnMicros = std::nan("");
  const auto score = choiceOf(set, kAll, predicted, false);
  REQUIRE(score);
  CHECK(score->workloads == 1);
  CHECK(score->regret == Approx(1));
  CHECK(errorOf(set, kAll, predicted).times == 5);
}

TEST_CASE("pairs that are predicted to take the same time count half, measured ones not at all") {
  TrainingSet set = twoWorkloads();
  set.times[1].micros = 10; // as on the first device
  const std::vector<size_t> first = {0, 1, 2};
  CHECK(choiceOf(set, first, predictions({2, 1, 3, 1, 1, 1}), false)->pairs == Approx(1));
  CHECK(choiceOf(set, first, predictions({2, 1, 2, 1, 1, 1}), false)->pairs == Approx(0.75));
}

TEST_CASE("a pair is sure from a probability of 90 % on, by the distance of the times and their "
          "error factors") {
  const TrainingSet set = twoWorkloads();
  // Each ln of a time is off by a standard deviation of 0.1 and the ratio of two by 0.141: 90 % at
  // 0.181. The devices are 0.25, 0.15 and 0.4 apart.
  const double errorFactor = 0.1 * 1.2816;
  const std::vector<double> times = {1, std::exp(0.25), std::exp(0.4)};
  const auto score = [&](bool hasIntervals) {
    return choiceOf(set, kAll,
                    predictions({times[0], times[1], times[2], times[0], times[1], times[2]},
                                {-errorFactor, errorFactor}),
                    hasIntervals);
  };
  CHECK(score(true)->surePairs == Approx(2.0 / 3));
  CHECK(score(true)->surePairsRight == Approx(0.5)); // the second workload's are the other way
  CHECK(score(false)->surePairs == 0);
  // Errors that both devices have in common leave less to doubt: 0.15 is sure.
  auto correlated =
      predictions({times[0], times[1], times[2], 1, 1, 1}, {-errorFactor, errorFactor});
  for (LeftOutPrediction &one : correlated)
    one.errorCorrelation = 0.9;
  CHECK(choiceOf(set, std::vector<size_t>{0, 1, 2}, correlated, true)->surePairs == 1);
  // With a measured device, what counts is what is left of the correlation of their classes:
  // nothing if that with the measured device explains it.
  for (LeftOutPrediction &one : correlated) {
    one.classCorrelation = {0.9, 0.9};
    one.withMeasured = std::sqrt(0.9);
  }
  CHECK(choiceOf(set, std::vector<size_t>{0, 1, 2}, correlated, true)->surePairs ==
        Approx(2.0 / 3));
}

TEST_CASE("the best single device is the one of the least regret") {
  const TrainingSet set = twoWorkloads(); // 10, 20, 40 and 8, 4, 2
  // Regrets: a 1 and 4, b 2 and 2, c 4 and 1: all have the geometric mean 2; the first is named.
  REQUIRE(bestDevice(set, kAll));
  CHECK(bestDevice(set, kAll)->id == "a");
  TrainingSet other = twoWorkloads();
  other.times[4].micros = 2.5;
  const auto best = bestDevice(other, kAll);
  REQUIRE(best);
  CHECK(best->id == "b");
  CHECK(best->choice.regret == Approx(std::sqrt(2 * 1.25)));
  CHECK(best->choice.worst == Approx(2));
  CHECK(best->choice.topOne == 0);
  CHECK(best->choice.workloads == 2);
  // A device without a time of some workload cannot always be taken.
  CHECK(bestDevice(other, std::vector<size_t>{0, 1, 2, 3, 5})->id != "b");
  CHECK_FALSE(bestDevice(other, std::vector<size_t>{0, 3}));
}
