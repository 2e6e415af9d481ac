#include "eod/kmeans/kmeans_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace aiwc::eod;
using kmeans::Iteration;
using kmeans::Points;
using kmeans::Shape;

namespace {

/// Four points on a line at 0, 1, 9 and 11, two clusters, centres at first on 0 and 1.
const Shape kLine{.points = 4, .features = 1, .clusters = 2};
const Points kOnLine{0, 1, 9, 11};

/// The clustering of kOnLine, by hand: the means of {0} and {1, 9, 11} are 0 and 7, then those of
/// {0, 1} and {9, 11} are 0.5 and 10, and nothing moves any more.
std::vector<Iteration> byHand() {
  return {{{0, 1}, {0, 1, 1, 1}}, {{0, 7}, {0, 0, 1, 1}}, {{0.5f, 10}, {0, 0, 1, 1}}};
}

} // namespace

TEST_CASE("a clustering done by hand passes") {
  const Verdict verdict = kmeans::checkIterations(kLine, kOnLine, byHand());
  CHECK(verdict.passed);
  // 0.5^2 + 0.5^2 + 1 + 1
  CHECK_THAT(verdict.finding, Catch::Contains("sum of squared distances 2.5"));
  CHECK_THAT(verdict.finding, Catch::Contains("0 ties"));
}

TEST_CASE("a point at the farther centre fails, in any iteration") {
  for (size_t iteration = 0; iteration < 3; ++iteration)
    for (size_t point = 0; point < 4; ++point) {
      std::vector<Iteration> wrong = byHand();
      wrong.resize(iteration + 1);
      wrong[iteration].membership[point] ^= 1;
      CHECK_FALSE(kmeans::checkIterations(kLine, kOnLine, wrong).passed);
    }
}

TEST_CASE("centres that are not the means fail") {
  std::vector<Iteration> wrong = byHand();
  wrong[1].centres[1] = 6.5f;
  CHECK_FALSE(kmeans::checkIterations(kLine, kOnLine, wrong).passed);
}

TEST_CASE("a membership that names no cluster fails") {
  for (int32_t membership : {-1, 2}) {
    std::vector<Iteration> wrong = byHand();
    wrong[0].membership[2] = membership;
    CHECK_FALSE(kmeans::checkIterations(kLine, kOnLine, wrong).passed);
  }
}

TEST_CASE("a tie may go either way and is counted") {
  const Shape shape{.points = 1, .features = 1, .clusters = 2};
  for (int32_t choice : {0, 1}) {
    const Verdict verdict = kmeans::checkIterations(shape, {5}, {{{4, 6}, {choice}}});
    CHECK(verdict.passed);
    CHECK_THAT(verdict.finding, Catch::Contains("1 ties"));
  }
}

TEST_CASE("centres move to the means; an empty cluster's stays") {
  const Shape shape{.points = 3, .features = 2, .clusters = 2};
  const Points points{1, 10, 2, 20, 6, 60};
  CHECK(kmeans::movedCentres(shape, points, {1, 1, 1}, {7, 8, 0, 0}) == Points{7, 8, 3, 30});
}

TEST_CASE("initial centres are as many different points") {
  const Shape shape{.points = 6, .features = 1, .clusters = 6};
  const Points points{0, 1, 2, 3, 4, 5};
  const Points centres = kmeans::initialCentres(shape, points, 9);
  CHECK(std::set<float>(centres.begin(), centres.end()).size() == 6);
}

TEST_CASE("generated points depend on the seed alone") {
  const Shape shape{.points = 100};
  CHECK(kmeans::clusteredPoints(shape, 1) == kmeans::clusteredPoints(shape, 1));
  CHECK(kmeans::clusteredPoints(shape, 1) != kmeans::clusteredPoints(shape, 2));
  CHECK(kmeans::clusteredPoints(shape, 1).size() == 100 * 30);
}

TEST_CASE("a transpose is exact or wrong") {
  const Shape shape{.points = 3, .features = 2, .clusters = 1};
  const Points points{1, 2, 3, 4, 5, 6};
  CHECK(kmeans::checkTransposed(shape, points, {1, 3, 5, 2, 4, 6}).passed);
  CHECK_FALSE(kmeans::checkTransposed(shape, points, points).passed);
  CHECK_FALSE(kmeans::checkTransposed(shape, points, {1, 3, 5, 2, 4, 6.0001f}).passed);
}

TEST_CASE("--list of kmeans: features, centres and membership, and the points beside them") {
  const test::Outcome outcome = test::run("kmeans", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 256}, {"small", 2048}, {"medium", 65600}, {"large", 131072}};
  for (const auto &[size, points] : sizes) {
    const double features = points * 30 * 4 / 1024;
    const double footprint = features + points * 4 / 1024 + 5 * 30 * 4 / 1024.0;
    CHECK(test::listed(outcome.out, size, 2) == Approx(footprint).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(footprint + features).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("at most 10 iterations"));
}

TEST_CASE("kmeans refuses what has no clusters or does not fit") {
  test::checkRefused("kmeans", {{"--points 4", "expected at least 5"},
                                {"--clusters 0", "expected 1 or more"},
                                {"--features 0", "expected 1 or more"},
                                {"--iterations 0", "expected 1 or more"},
                                {"--points 4294967295", "expected at most"},
                                {"--clusters 20000 --points 30000", "constant memory"}});
}
