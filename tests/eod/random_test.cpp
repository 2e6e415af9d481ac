#include "eod/common/random.h"

#include <catch2/catch.hpp>
#include <cmath>

using aiwc::eod::Random;

TEST_CASE("the generator is SplitMix64: the published first outputs for seed 1234567") {
  Random random(1234567);
  CHECK(random.bits() == 6457827717110365317u);
  CHECK(random.bits() == 3203168211198807973u);
  CHECK(random.bits() == 9817491932198370423u);
}

TEST_CASE("uniform numbers are in [0, 1) with mean 1/2 and variance 1/12") {
  Random random(1);
  const int count = 100000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform();
    REQUIRE(x >= 0);
    REQUIRE(x < 1);
    sum += x;
    squares += x * x;
  }
  const double mean = sum / count;
  CHECK(mean == Approx(0.5).margin(0.005));
  CHECK(squares / count - mean * mean == Approx(1.0 / 12).margin(0.002));
}

TEST_CASE("normal numbers have mean 0 and variance 1") {
  Random random(2);
  const int count = 100000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  CHECK(sum / count == Approx(0).margin(0.02));
  CHECK(squares / count == Approx(1).margin(0.03));
}

TEST_CASE("below(n) reaches every number under n and no other") {
  Random random(3);
  int seen[7] = {};
  for (int i = 0; i < 7000; ++i) {
    const uint32_t x = random.below(7);
    REQUIRE(x < 7);
    ++seen[x];
  }
  for (int count : seen)
    CHECK(std::abs(count - 1000) < 200);
}
