#include "embed/compact_histogram.h"
#include "profile/reuse.h"
#include "support/cases.h"
#include "support/plausible.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::embed;
using namespace aiwc::profile;
using namespace aiwc::test;

namespace {

struct Sums {
  uint64_t levels = 0, operations = 0;
};

Sums sumsOf(const Histogram &levels) {
  Sums sums;
  for (const auto &[width, count] : levels) {
    sums.levels += count;
    sums.operations += width * count;
  }
  return sums;
}

/// The sum over levels of w / min(w, n), from the definition.
long double steps(const Histogram &levels, long double n) {
  long double sum = 0;
  for (const auto &[width, count] : levels)
    sum += count * (width / std::min<long double>(width, n));
  return sum;
}

/// Lowest and highest relative difference over the given n.
void checkSteps(const Histogram &levels, const Histogram &compact,
                const std::vector<double> &cores) {
  for (const double n : cores) {
    const long double exact = steps(levels, n);
    const long double off = (exact - steps(compact, n)) / exact;
    INFO("n = " << n << ", off by " << static_cast<double>(off));
    REQUIRE(off >= -1e-12L); // never more steps, but for this sum's own rounding
    REQUIRE(off <= kLevelBound + 1e-12L);
  }
}

KernelProfile withDistances(const Histogram &distances, uint64_t cold) {
  KernelProfile profile;
  profile.reuse.lineBytes = 1;
  profile.reuse.coldAccesses = cold;
  profile.histograms.reuseDistances = distances;
  return profile;
}

void checkReuse(const KernelProfile &exact, const KernelProfile &compact, uint64_t lines,
                double bound) {
  const auto off = [](uint64_t a, uint64_t b) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
  };
  const auto misses = cacheMisses(exact, lines);
  const auto fast = fastAccesses(exact, lines);
  INFO(lines << " lines");
  REQUIRE(off(misses, cacheMisses(compact, lines)) <= bound * static_cast<double>(misses));
  REQUIRE(off(fast, fastAccesses(compact, lines)) <= bound * static_cast<double>(fast));
}

} // namespace

TEST_CASE("compact levels keep the sums, and w / min(w, n) within the bound for every n") {
  Random random(1);
  for (int round = 0; round < 150; ++round) {
    const Histogram levels = randomLevels(random, random.between(1, 400), 11);
    const Histogram compact = compactLevels(levels);
    CHECK(sumsOf(levels).levels == sumsOf(compact).levels);
    CHECK(sumsOf(levels).operations == sumsOf(compact).operations);
    CHECK(std::is_sorted(compact.begin(), compact.end()));
    std::vector<double> cores;
    for (uint64_t n = 1; n <= levels.back().first + 1; ++n)
      cores.push_back(static_cast<double>(n));
    for (int i = 0; i < 20; ++i) // a share of the work-groups asks for no whole n
      cores.push_back(static_cast<double>(1 + random.below(1'000'000)) / 977);
    checkSteps(levels, compact, cores);
  }
}

TEST_CASE("wide and many levels, too: at most 3 / sqrt(2 bound) + 3 groups") {
  Random random(2);
  size_t most = 0;
  for (int round = 0; round < 60; ++round) {
    const Histogram levels = randomLevels(random, random.between(100, 20'000), 24);
    const Histogram compact = compactLevels(levels);
    CHECK(sumsOf(levels).levels == sumsOf(compact).levels);
    CHECK(sumsOf(levels).operations == sumsOf(compact).operations);
    most = std::max(most, compact.size());
    std::vector<double> cores;
    for (int i = 0; i < 100; ++i)
      cores.push_back(static_cast<double>(levels[random.below(levels.size())].first));
    for (const auto &[width, count] : compact) // where the difference is largest
      cores.push_back(static_cast<double>(width));
    checkSteps(levels, compact, cores);
  }
  CHECK(most <= 2 * (3 / std::sqrt(2 * kLevelBound) + 3)); // two widths for a group
}

TEST_CASE("few widths are kept, and levels of one width stay so") {
  const Histogram few = {{1, 5}, {2, 1}, {1000, 3}};
  CHECK(compactLevels(few) == few);
  CHECK(compactLevels({}).empty());
  Histogram shrinking; // an elimination: 400 steps, each a little less wide
  for (uint64_t i = 1; i <= 400; ++i)
    shrinking.emplace_back(i * i, 2);
  const Histogram compact = compactLevels(shrinking);
  CHECK(compact.size() < 60);
  CHECK(sumsOf(compact).operations == 2 * 400 * 401 * 801 / 6);
}

TEST_CASE("reuse distances: every cache's misses and hits within the bound") {
  Random random(3);
  for (uint64_t round = 0; round < cases(150); ++round) {
    const auto bits = static_cast<unsigned>(random.between(1, 30));
    const KernelProfile exact =
        withDistances(randomDistances(random, bits, static_cast<unsigned>(random.between(1, 40))),
                      random.next() >> random.between(30, 63));
    for (const ReuseDetail detail :
         {ReuseDetail::kExact, ReuseDetail::kMerged, ReuseDetail::kRounded, ReuseDetail::kCoarse}) {
      const auto ranges =
          compactReuse(exact.histograms.reuseDistances, exact.reuse.coldAccesses, detail);
      const auto expanded = expandReuse(ranges);
      REQUIRE(expanded);
      if (detail == ReuseDetail::kExact)
        CHECK(*expanded == exact.histograms.reuseDistances);
      const KernelProfile compact = withDistances(*expanded, exact.reuse.coldAccesses);
      const bool rounded = detail >= ReuseDetail::kRounded;
      const double bound =
          detail == ReuseDetail::kExact ? 0 : kReuseBound + (rounded ? kRoundingBound : 0);
      for (uint64_t lines = detail == ReuseDetail::kCoarse ? 64 : 0; lines < 200; ++lines)
        checkReuse(exact, compact, lines, bound);
      for (int i = 0; i < 200; ++i)
        checkReuse(exact, compact, 64 + (random.next() >> random.between(32, 63)), bound);
      if (!rounded)
        CHECK(lineAccesses(exact) == lineAccesses(compact));
    }
  }
}

TEST_CASE("evenly spread distances become few ranges") {
  Histogram even;
  for (uint64_t lowest = 0; lowest < 1U << 20U; lowest = reuseBinEnd(lowest))
    even.emplace_back(lowest, 10 * (reuseBinEnd(lowest) - lowest));
  CHECK(compactReuse(even, 1U << 20U, ReuseDetail::kExact).size() == even.size());
  CHECK(compactReuse(even, 1U << 20U, ReuseDetail::kMerged).size() < even.size() / 2);
}

TEST_CASE("ranges that are no bins are refused") {
  CHECK_FALSE(expandReuse({{0, 64, 0}}));            // no accesses
  CHECK_FALSE(expandReuse({{64, 65, 1}}));           // half a bin
  CHECK_FALSE(expandReuse({{65, 72, 1}}));           // the other half
  CHECK_FALSE(expandReuse({{8, 16, 1}, {4, 5, 1}})); // backwards
  CHECK_FALSE(expandReuse({{8, 16, 1}, {15, 17, 1}}));
  CHECK_FALSE(expandReuse({{8, 8, 1}}));
  CHECK(*expandReuse({{8, 10, 5}}) == Histogram{{8, 2}, {9, 3}});
}
