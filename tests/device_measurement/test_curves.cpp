#include "device_measurement/device_of_results.h"
#include "device_measurement/item.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace aiwc::device_measurement;
using aiwc::predict::Curve;
using aiwc::predict::TransferCurve;

namespace {

/// Two sizes in each doubling from 4 KiB to 256 MiB.
std::vector<double> sizes() {
  std::vector<double> result;
  for (int i = 0; i <= 32; ++i)
    result.push_back(std::round(4096 * std::exp2(i / 2.0)));
  return result;
}

/// Latencies of caches of 48 KiB and 2 MiB before a memory, with relative noise.
Curve staircase(double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> disturbed(1 - noise, 1 + noise);
  Curve curve;
  for (const double bytes : sizes()) {
    const double latency = bytes <= 48 * 1024 ? 2 : bytes <= 2 * 1024 * 1024 ? 7 : 60;
    curve.push_back({bytes, latency * disturbed(random), 0});
  }
  return curve;
}

Curve transferOf(const std::vector<double> &sizes, double (*micros)(double)) {
  Curve points;
  for (const double bytes : sizes)
    points.push_back({bytes, micros(bytes), 0});
  return points;
}

std::vector<double> powers(int from, int to) {
  std::vector<double> result;
  for (int i = from; i <= to; ++i)
    result.push_back(std::exp2(i));
  return result;
}

} // namespace

TEST_CASE("the levels of a staircase are its stairs") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const std::vector<Level> levels = levelsOf(staircase(0.06, seed));
    INFO("seed " << seed);
    REQUIRE(levels.size() == 3);
    CHECK(levels[0].bytes ==
          Approx(32768 * std::sqrt(2.0)).epsilon(0.01)); // 46 KiB: the last below 48
    CHECK(levels[1].bytes == 2 * 1024 * 1024);
    CHECK(levels[2].bytes == 256 * 1024 * 1024);
    CHECK(levels[0].value == Approx(2).epsilon(0.06));
    CHECK(levels[1].value == Approx(7).epsilon(0.06));
    CHECK(levels[2].value == Approx(60).epsilon(0.06));
  }
}

TEST_CASE("sizes on the way from one stair to the next are no level") {
  const Curve curve = {{1, 2, 0},  {2, 2, 0},   {4, 2, 0},   {8, 4, 0},
                       {16, 8, 0}, {32, 16, 0}, {64, 16, 0}, {128, 16, 0}};
  const std::vector<Level> levels = levelsOf(curve);
  REQUIRE(levels.size() == 2);
  CHECK(levels[0].bytes == 4);
  CHECK(levels[1].value == 16);
}

TEST_CASE("a level curve has one level") {
  const std::vector<Level> levels = levelsOf({{1, 5, 0}, {2, 5, 0}, {4, 5, 0}});
  REQUIRE(levels.size() == 1);
  CHECK(levels[0].bytes == 4);
  CHECK(levelsOf({{1, 5, 0}}).size() == 1);
}

TEST_CASE("levels do not depend on the unit of sizes and values") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Curve curve = staircase(0.3, seed);
    Curve scaled = curve;
    for (auto &point : scaled) {
      point.bytes *= 1024;
      point.value *= 0.5;
    }
    const auto levels = levelsOf(curve);
    const auto others = levelsOf(scaled);
    REQUIRE(levels.size() == others.size());
    for (size_t i = 0; i < levels.size(); ++i) {
      CHECK(others[i].bytes == levels[i].bytes * 1024);
      CHECK(others[i].value == levels[i].value * 0.5);
    }
  }
}

TEST_CASE("a transfer of latency plus bytes over bandwidth is fitted exactly, by one piece") {
  // 12 us and 4 GB/s, 4000 bytes in a microsecond.
  const TransferCurve curve =
      fitTransfer(transferOf(powers(6, 26), [](double bytes) { return 12 + bytes / 4000; }));
  REQUIRE(curve.pieces.size() == 1);
  CHECK(curve.pieces[0].fromBytes == 0);
  CHECK(curve.pieces[0].latencyMicros == Approx(12).epsilon(1e-6));
  CHECK(curve.pieces[0].gbPerS == Approx(4).epsilon(1e-6));
  CHECK(curve.error < 1e-6);
  CHECK(curve.points.size() == 21);
  CHECK(curve.microsAt(8000) == Approx(14));
}

TEST_CASE("a transfer with two laws has two pieces, where the law changes") {
  const TransferCurve curve = fitTransfer(transferOf(powers(6, 26), [](double bytes) {
    return bytes < 65536 ? 5 + bytes / 20000 : 30 + bytes / 6000;
  }));
  REQUIRE(curve.pieces.size() == 2);
  CHECK(curve.pieces[1].fromBytes == 65536);
  CHECK(curve.pieces[0].latencyMicros == Approx(5).epsilon(1e-6));
  CHECK(curve.pieces[0].gbPerS == Approx(20).epsilon(1e-6));
  CHECK(curve.pieces[1].latencyMicros == Approx(30).epsilon(1e-6));
  CHECK(curve.pieces[1].gbPerS == Approx(6).epsilon(1e-6));
  CHECK(curve.error < 1e-6);
}

TEST_CASE("noise makes no pieces, and moves a fit by no more than itself") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> disturbed(0.97, 1.03);
  for (int repetition = 0; repetition < 20; ++repetition) {
    Curve points = transferOf(powers(6, 26), [](double bytes) { return 12 + bytes / 4000; });
    for (auto &point : points)
      point.value *= disturbed(random);
    const TransferCurve curve = fitTransfer(points);
    CHECK(curve.pieces.size() == 1);
    CHECK(curve.pieces[0].latencyMicros == Approx(12).epsilon(0.03));
    CHECK(curve.pieces[0].gbPerS == Approx(4).epsilon(0.03));
    CHECK(curve.error < 0.03);
  }
}

TEST_CASE("latencies are never negative, bandwidths always positive") {
  // Faster than any latency plus a share of the bytes.
  const TransferCurve bent =
      fitTransfer(transferOf(powers(6, 12), [](double bytes) { return bytes * bytes / 1e4; }));
  for (const auto &piece : bent.pieces) {
    CHECK(piece.latencyMicros >= 0);
    CHECK(piece.gbPerS > 0);
  }
  // The same time for all sizes.
  const TransferCurve level = fitTransfer(transferOf(powers(6, 20), [](double) { return 7.0; }));
  REQUIRE(level.pieces.size() == 1);
  CHECK(level.pieces[0].latencyMicros == Approx(7).epsilon(1e-5));
  CHECK(std::isfinite(level.pieces[0].gbPerS));
  CHECK(fitTransfer({{100, 3, 0}}).microsAt(100) == Approx(3));
}

namespace {

/// The sizes 1 to 6, each of which measures as itself; `effort` has no time, so the item is late
/// after its first point.
Outcome late(const std::function<void(size_t size)> &before = [](size_t) {}) {
  return curveOver({1, 2, 3, 4, 5, 6}, {.quick = true, .seconds = 0}, "thing", [&](size_t size) {
    before(size);
    return aiwc::predict::CurvePoint{static_cast<double>(size), static_cast<double>(size), 0};
  });
}

std::vector<double> sizesOf(const Outcome &outcome) {
  std::vector<double> result;
  for (const aiwc::predict::CurvePoint &point : outcome.points)
    result.push_back(point.bytes);
  return result;
}

} // namespace

TEST_CASE("a curve that is late has three points and the one of the largest size") {
  const Outcome outcome = late();
  CHECK(sizesOf(outcome) == std::vector<double>{1, 2, 3, 6});
  CHECK(outcome.missing ==
        std::vector<std::string>{"thing from 4 to below 6 bytes: no time was left"});
}

TEST_CASE("a curve ends where a measurement has no room or takes too long") {
  const Outcome room = late([](size_t size) {
    if (size == 2)
      throw NoRoom("no room");
  });
  CHECK(sizesOf(room) == std::vector<double>{1});
  CHECK(room.missing == std::vector<std::string>{"thing from 2 bytes on: the device has no room"});
  const Outcome time = late([](size_t size) {
    if (size == 3)
      throw NoTime{};
  });
  CHECK(sizesOf(time) == std::vector<double>{1, 2});
  CHECK(time.missing == std::vector<std::string>{"thing from 3 bytes on: no time was left"});
}
