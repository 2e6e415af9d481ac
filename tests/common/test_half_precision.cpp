#include "common/half_precision.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace {

using aiwc::fromHalf;
using aiwc::HalfRounding;
using aiwc::toHalf;

constexpr uint16_t kInfinity = 0x7c00;

/// All halves that are numbers or +infinity, in order of their size.
std::vector<double> sizes() {
  std::vector<double> result;
  for (unsigned bits = 0; bits <= kInfinity; ++bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const double fraction = bits & 1023;
    result.push_back(exponent == 31  ? INFINITY
                     : exponent == 0 ? std::ldexp(fraction, -24)
                                     : std::ldexp(1024 + fraction, exponent - 25));
  }
  return result;
}

} // namespace

TEST_CASE("Every half is a double and comes back in every rounding mode") {
  const std::vector<double> values = sizes();
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const double value = fromHalf(half);
    if ((bits & 0x7fff) > kInfinity) {
      REQUIRE(std::isnan(value));
      REQUIRE(toHalf(value) == (bits | 0x200)); // quiet
      continue;
    }
    REQUIRE(std::fabs(value) == values[bits & 0x7fff]);
    REQUIRE(std::signbit(value) == (bits >= 0x8000));
    for (const HalfRounding rounding :
         {HalfRounding::kToEven, HalfRounding::kToZero, HalfRounding::kUp, HalfRounding::kDown})
      REQUIRE(toHalf(value, rounding) == bits);
  }
}

TEST_CASE("Between two halves, the nearest, and in the middle the even one") {
  const std::vector<double> values = sizes();
  for (uint16_t below = 0; below < kInfinity; ++below) {
    const auto above = static_cast<uint16_t>(below + 1);
    // Beyond the last number, the next one would be 2^16.
    const double next = above == kInfinity ? 65536 : values[above];
    const double middle = (values[below] + next) / 2; // exact
    const double smaller = std::nextafter(middle, 0), larger = std::nextafter(middle, INFINITY);
    REQUIRE(toHalf(middle) == (below % 2 == 0 ? below : above));
    REQUIRE(toHalf(smaller) == below);
    REQUIRE(toHalf(larger) == above);
    for (const double value : {smaller, middle, larger}) {
      REQUIRE(toHalf(-value) == (toHalf(value) | 0x8000));
      REQUIRE(toHalf(value, HalfRounding::kToZero) == below);
      REQUIRE(toHalf(value, HalfRounding::kDown) == below);
      REQUIRE(toHalf(value, HalfRounding::kUp) == above);
      REQUIRE(toHalf(-value, HalfRounding::kToZero) == (below | 0x8000));
      REQUIRE(toHalf(-value, HalfRounding::kUp) == (below | 0x8000));
      REQUIRE(toHalf(-value, HalfRounding::kDown) == (above | 0x8000));
    }
  }
}

TEST_CASE("What is far beyond the halves") {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  for (const double tiny : {kLeast, 0x1p-1000, 0x1p-60, 0x1p-26}) {
    CHECK(toHalf(tiny) == 0);
    CHECK(toHalf(tiny, HalfRounding::kUp) == 1);
    CHECK(toHalf(-tiny) == 0x8000);
    CHECK(toHalf(-tiny, HalfRounding::kUp) == 0x8000);
    CHECK(toHalf(-tiny, HalfRounding::kDown) == 0x8001);
  }
  for (const double huge : {65536.0, 1e300}) {
    CHECK(toHalf(huge) == kInfinity);
    CHECK(toHalf(huge, HalfRounding::kUp) == kInfinity);
    CHECK(toHalf(huge, HalfRounding::kDown) == 0x7bff);
    CHECK(toHalf(-huge, HalfRounding::kToZero) == 0xfbff);
  }
}
