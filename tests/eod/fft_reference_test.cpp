#include "eod/fft/fft_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

using namespace aiwc::eod;
using fft::Signal;
using fft::Spectrum;

namespace {

double farthest(const Spectrum &a, const Spectrum &b) {
  REQUIRE(a.size() == b.size());
  double distance = 0;
  for (size_t k = 0; k < a.size(); ++k)
    distance = std::max(distance, std::abs(a[k] - b[k]));
  return distance;
}

/// What a device gives at best.
Signal rounded(const Spectrum &spectrum) {
  Signal result;
  for (const auto &value : spectrum) {
    result.push_back(static_cast<float>(value.real()));
    result.push_back(static_cast<float>(value.imag()));
  }
  return result;
}

/// exp(2 pi i cycles j / n).
Signal wave(size_t n, double cycles) {
  Signal signal;
  for (size_t j = 0; j < n; ++j) {
    const double angle = 2 * std::numbers::pi * cycles * j / n;
    signal.push_back(static_cast<float>(std::cos(angle)));
    signal.push_back(static_cast<float>(std::sin(angle)));
  }
  return signal;
}

} // namespace

TEST_CASE("the transform of an impulse is flat, that of a constant an impulse") {
  const Signal impulse{1, 0, 0, 0, 0, 0, 0, 0};
  const Signal constant{1, 0, 1, 0, 1, 0, 1, 0};
  const Spectrum flat(4, 1);
  const Spectrum peak{4, 0, 0, 0};
  CHECK(farthest(fft::byDefinition(impulse), flat) < 1e-15);
  CHECK(farthest(fft::byHalves(impulse), flat) < 1e-15);
  CHECK(farthest(fft::byDefinition(constant), peak) < 1e-15);
  CHECK(farthest(fft::byHalves(constant), peak) < 1e-15);
}

TEST_CASE("the sign is that of exp(-2 pi i j k / n): an impulse at 1 gives 1, -i, -1, i") {
  const Spectrum expected{1, {0, -1}, -1, {0, 1}};
  const Signal impulse{0, 0, 1, 0, 0, 0, 0, 0};
  CHECK(farthest(fft::byDefinition(impulse), expected) < 1e-15);
  CHECK(farthest(fft::byHalves(impulse), expected) < 1e-15);
}

TEST_CASE("a wave of c cycles becomes n at index c") {
  for (size_t cycles : {0, 1, 5, 63}) {
    const Spectrum spectrum = fft::byHalves(wave(64, cycles));
    for (size_t k = 0; k < 64; ++k)
      CHECK(std::abs(spectrum[k] - (k == cycles ? 64.0 : 0.0)) < 1e-5);
  }
}

TEST_CASE("the two references agree") {
  for (uint32_t points : {1, 2, 4, 32, 1024}) {
    const Signal signal = fft::tones(points, points);
    CHECK(farthest(fft::byDefinition(signal), fft::byHalves(signal)) < 1e-10);
  }
}

TEST_CASE("a transform in single precision passes, by either reference") {
  for (uint32_t points : {2u, 64u, 2048u, 2 * fft::kByDefinition}) {
    const Signal signal = fft::tones(points, 3);
    const Verdict verdict = fft::check(signal, rounded(fft::byHalves(signal)));
    INFO(verdict.finding);
    CHECK(verdict.passed);
  }
}

TEST_CASE("one number that is wrong fails, wherever it is") {
  for (uint32_t points : {64u, 2 * fft::kByDefinition}) {
    const Signal signal = fft::tones(points, 3);
    const Signal right = rounded(fft::byHalves(signal));
    const double size = std::sqrt(points * 3.0); // of a typical number of the spectrum
    for (size_t i = 0; i < right.size(); i += right.size() / 16) {
      Signal wrong = right;
      wrong[i] += static_cast<float>(0.02 * size);
      CHECK_FALSE(fft::check(signal, wrong).passed);
      wrong[i] = std::numeric_limits<float>::quiet_NaN();
      CHECK_FALSE(fft::check(signal, wrong).passed);
    }
  }
}

TEST_CASE("a permutation, the conjugate, the signal itself and zeros fail") {
  const Signal signal = fft::tones(256, 3);
  const Signal right = rounded(fft::byHalves(signal));
  Signal swapped = right; // Parseval's theorem alone would not notice
  std::swap(swapped[10], swapped[12]);
  std::swap(swapped[11], swapped[13]);
  CHECK_FALSE(fft::check(signal, swapped).passed);
  Signal conjugate = right;
  for (size_t i = 1; i < conjugate.size(); i += 2)
    conjugate[i] = -conjugate[i];
  CHECK_FALSE(fft::check(signal, conjugate).passed);
  CHECK_FALSE(fft::check(signal, signal).passed);
  CHECK_FALSE(fft::check(signal, Signal(signal.size())).passed);
}

TEST_CASE("the signal depends on the seed alone and is made of tones") {
  const Signal signal = fft::tones(1024, 1);
  CHECK(signal == fft::tones(1024, 1));
  CHECK(signal != fft::tones(1024, 2));
  // Eight tones leave most of the spectrum to the noise: few numbers have most of the energy.
  const Spectrum spectrum = fft::byHalves(signal);
  double all = 0;
  std::vector<double> energies;
  for (const auto &value : spectrum) {
    energies.push_back(std::norm(value));
    all += energies.back();
  }
  std::sort(energies.rbegin(), energies.rend());
  double first = 0;
  for (size_t i = 0; i < 64; ++i)
    first += energies[i];
  CHECK(first > 0.8 * all);
}

TEST_CASE("--list of fft: two arrays of complex numbers, all four radices in every plan") {
  const test::Outcome outcome = test::run("fft", "--list");
  REQUIRE(outcome.status == 0);
  CHECK(test::listed(outcome.out, "tiny", 2) == 32.0);
  CHECK(test::listed(outcome.out, "small", 2) == 256.0);
  CHECK(test::listed(outcome.out, "medium", 2) == 8192.0);
  CHECK(test::listed(outcome.out, "large", 2) == 32768.0);
  for (const char *plan : {"radices 16,8,4,2,2 ", "radices 16,16,8,4,2 ",
                           "radices 16,16,16,8,4,2,2 ", "radices 16,16,16,8,8,4,2 "})
    CHECK_THAT(outcome.out, Catch::Contains(plan));
}

TEST_CASE("fft refuses what is no power of two and plans that do not make it") {
  test::checkRefused("fft", {{"--points 0", "expected a power of two from 2 to 16777216"},
                             {"--points 1", "expected a power of two"},
                             {"--points 2049", "expected a power of two"},
                             {"--points 33554432", "expected a power of two"},
                             {"--points 99999999999", "--points"},
                             {"--points 64 --size tiny", "excludes"},
                             {"--points 64 --plan 16,8", "product is 64"},
                             {"--points 64 --plan 32,2", "radix 32: expected 2, 4, 8 or 16"},
                             {"--points 64 --plan 0", "radix 0"},
                             {"--points 64 --plan 16,x", "--plan"},
                             {"--plan 16,16,16,16,16,16,16,16,16,16,16,16", "product is 2048"}});
}
