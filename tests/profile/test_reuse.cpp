#include "profile/reuse.h"
#include "views/summary.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <vector>

using namespace aiwc::profile;
using namespace aiwc::views;
using Catch::Matchers::Contains;

namespace {

KernelProfile withDistances(const Histogram &distances, uint64_t cold) {
  KernelProfile profile;
  profile.reuse.lineBytes = 64;
  profile.reuse.coldAccesses = cold;
  profile.histograms.reuseDistances = distances;
  return profile;
}

} // namespace

TEST_CASE("bins are exact below 64, then eight per power of two") {
  uint64_t bins = 0;
  for (uint64_t lowest = 0; lowest < (uint64_t{1} << 20); lowest = reuseBinEnd(lowest)) {
    ++bins;
    const uint64_t width = reuseBinEnd(lowest) - lowest;
    REQUIRE(width == (lowest < 128 ? (lowest < 64 ? 1u : 8u) : width));
    for (const uint64_t inside : {lowest, lowest + width / 2, lowest + width - 1})
      REQUIRE(reuseBin(inside) == lowest);
  }
  CHECK(bins == 64 + (20 - 6) * 8);
  for (unsigned bit = 6; bit < 63; ++bit)
    CHECK(reuseBin(uint64_t{1} << bit) == uint64_t{1} << bit);
  CHECK(reuseBinEnd(reuseBin(UINT64_MAX)) == UINT64_MAX);
}

TEST_CASE("a cache hits where fewer other lines came between than it holds") {
  const KernelProfile profile = withDistances({{0, 10}, {3, 5}, {128, 16}}, 4);
  CHECK(lineAccesses(profile) == 35);
  CHECK(cacheMisses(profile, 0) == 35);
  CHECK(cacheMisses(profile, 63) == 35); // not one line
  CHECK(cacheMisses(profile, 64) == 25);
  CHECK(cacheMisses(profile, 3 * 64) == 25); // three lines: the fourth has pushed the first out
  CHECK(cacheMisses(profile, 4 * 64) == 20);
  CHECK(cacheMisses(profile, 128 * 64) == 20);
  CHECK(cacheMisses(profile, 136 * 64) == 12); // half of the bin from 128 to 143
  CHECK(cacheMisses(profile, 144 * 64) == 4);  // the first accesses always miss
  CHECK(cacheMisses(profile, UINT64_MAX) == 4);
  CHECK(fastAccesses(profile, 4 * 64) == 15);
  CHECK(*hitRatio(profile, 4 * 64) == Approx(15.0 / 35));
  CHECK_FALSE(hitRatio(KernelProfile{}, 64));
}

TEST_CASE("accesses in succession touch as many lines as their misses say") {
  const CacheMisses stream(withDistances({}, 100));
  CHECK(stream.linesOf(30) == Approx(30));
  CHECK(stream.linesOf(100) == 100);
  CHECK(stream.linesOf(1000) == 100);
  // Ten times over ten lines: the first nine accesses touch nine.
  const CacheMisses loop(withDistances({{9, 90}}, 10));
  CHECK(loop.linesOf(0) == 0);
  CHECK(loop.linesOf(4.5) == Approx(4.5));
  CHECK(loop.linesOf(9) == Approx(9));
  CHECK(loop.linesOf(50) == Approx(10).epsilon(0.6));
  CHECK(loop.linesOf(100) == 10);
  CHECK(CacheMisses(withDistances({}, 0)).linesOf(5) == 0);
  CHECK(CacheMisses().linesOf(5) == 0);
}

TEST_CASE("random accesses of n lines touch n (1 - (1 - 1/n)^w) of them in w accesses") {
  constexpr uint64_t kLines = 32;
  std::vector<uint64_t> stack; // the last line accessed at the end
  std::map<uint64_t, uint64_t> distances;
  uint64_t cold = 0;
  uint64_t state = 1;
  for (int i = 0; i < 50'000; ++i) {
    state = state * 48271 % 2147483647; // a Lehmer generator: the same numbers everywhere
    const uint64_t line = state / 1000 % kLines;
    const auto found = std::ranges::find(stack, line);
    if (found == stack.end()) {
      ++cold;
    } else {
      ++distances[static_cast<uint64_t>(stack.end() - found) - 1];
      stack.erase(found);
    }
    stack.push_back(line);
  }
  const CacheMisses random(withDistances({distances.begin(), distances.end()}, cold));
  for (const double window : {1.0, 5.0, 20.0, 60.0})
    CHECK(random.linesOf(window) ==
          Approx(kLines * (1 - std::pow(1 - 1.0 / kLines, window))).epsilon(0.03));
}

TEST_CASE("knees are the sizes at which something begins to fit") {
  // 400 hit in 4 lines, 300 in 1024, 50 in 65536; 250 never.
  const KernelProfile profile = withDistances({{3, 400}, {960, 300}, {61440, 50}}, 250);
  const std::vector<Knee> knees = workingSetKnees(profile);
  REQUIRE(knees.size() == 2);
  CHECK(knees[0].cacheBytes == 4 * 64);
  CHECK(knees[0].missRatioBefore == 1);
  CHECK(knees[0].missRatio == Approx(0.6));
  CHECK(knees[1].cacheBytes == 1024 * 64);
  CHECK(knees[1].missRatioBefore == Approx(0.6));
  CHECK(knees[1].missRatio == Approx(0.3));
  CHECK(workingSetKnees(profile, 0.01).size() == 3);
  CHECK(workingSetKnees(KernelProfile{}).empty());
  // Two that lie closer than a factor of two are one: where both fit.
  CHECK(workingSetKnees(withDistances({{9, 30}, {14, 60}}, 10)).size() == 1);
  CHECK(workingSetKnees(withDistances({{9, 30}, {14, 60}}, 10))[0].cacheBytes == 15 * 64);
  // Nothing is reused, or nothing falls sharply.
  CHECK(workingSetKnees(withDistances({}, 10)).empty());
}

TEST_CASE("the summary tells hit ratios and working sets") {
  const KernelProfile profile = withDistances({{0, 50}, {3840, 25}}, 25);
  CHECK_THAT(toText(profile), Contains("0.5 / 0.75 / 0.75\n") &&
                                  Contains("64 B (1 -> 0.5), 256 KiB (0.5 -> 0.25)\n"));
  CHECK_THAT(toText(KernelProfile{}), !Contains("hit ratio"));
}

TEST_CASE("the misses of a source line are told as those of the whole") {
  KernelProfile profile;
  profile.reuse.lineBytes = 64;
  LineRow row;
  row.coldAccesses = 4;
  row.reuseDistances = {{0, 10}, {3, 5}, {128, 16}};
  CHECK(cacheMisses(profile, row, 0) == 35);
  CHECK(cacheMisses(profile, row, 4 * 64) == 20);
  CHECK(cacheMisses(profile, row, 136 * 64) == 12); // half of the bin from 128 to 143
  CHECK(cacheMisses(profile, row, UINT64_MAX) == 4);
  CHECK(cacheMisses(profile, LineRow{}, 64) == 0);
}
