// Where in the source misses and idle lanes come from.

#include "kernels/reference.h"
#include "profile/reuse.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::cacheMisses;
using aiwc::profile::Histogram;
using aiwc::profile::KernelProfile;
using aiwc::profile::LineRow;

namespace {

constexpr uint64_t n = 64, w = 32, groups = n / w;
constexpr uint64_t kStream = 8, kTable = 9, kDivergent = 12, kOut = 13; // lines of the source

LineRow lineOf(const KernelProfile &profile, uint64_t line) {
  for (const LineRow &row : profile.histograms.lines)
    if (row.line == line)
      return row;
  return {};
}

/// Of one instruction that work-item l of a group executes l times, in groups of so many lanes: the
/// lanes wait for the last of their group.
uint64_t idleLanes(uint64_t lanes) {
  uint64_t idle = 0;
  for (uint64_t first = 0; first < w; first += lanes)
    for (uint64_t lane = first; lane < first + lanes; ++lane)
      idle += std::min(first + lanes, w) - 1 - (lane < w ? lane : 0);
  return groups * idle;
}

} // namespace

TEST_CASE("misses belong to the line that streams, not to the one that stays in the cache",
          "[lines]") {
  const KernelProfile &profile = referenceProfile("hot_lines");
  const LineRow stream = lineOf(profile, kStream);
  CHECK(stream.coldAccesses == 16 * n);
  CHECK(stream.reuseDistances.empty());
  // The table is one line. Between two reads of it lies a line of the stream; from one work-item to
  // the next, what the first one writes besides.
  const LineRow table = lineOf(profile, kTable);
  CHECK(table.coldAccesses == 1);
  CHECK(table.reuseDistances == Histogram{{1, 15 * n}, {2, n - 1}});
  // 16 work-items share a line of the result, with 16 lines and the table between them.
  const LineRow out = lineOf(profile, kOut);
  CHECK(out.coldAccesses == n / 16);
  CHECK(out.reuseDistances == Histogram{{17, n - n / 16}});

  CHECK(cacheMisses(profile, stream, 32 << 10) == 16 * n);
  CHECK(cacheMisses(profile, table, 32 << 10) == 1);
  CHECK(cacheMisses(profile, out, 32 << 10) == n / 16);
  CHECK(cacheMisses(profile, table, 2 * 64) == n); // two lines: without what is written
  CHECK(cacheMisses(profile, out, 17 * 64) == n);
  for (const uint64_t lines : {1, 2, 17, 18, 512}) {
    uint64_t sum = 0;
    for (const LineRow &row : profile.histograms.lines)
      sum += cacheMisses(profile, row, 64 * lines);
    CHECK(sum == cacheMisses(profile, 64 * lines));
  }
}

TEST_CASE("idle lanes belong to the line whose loop work-items leave one after another",
          "[lines]") {
  const KernelProfile &profile = referenceProfile("hot_lines");
  const LineRow divergent = lineOf(profile, kDivergent);
  const uint64_t executions = groups * w * (w - 1) / 2;
  REQUIRE(divergent.instructions % executions == 0);
  const uint64_t instructions = divergent.instructions / executions;
  CHECK(instructions > 0);
  CHECK(divergent.idleLanes8 == instructions * idleLanes(8));
  CHECK(divergent.idleLanes16 == instructions * idleLanes(16));
  CHECK(divergent.idleLanes32 == instructions * idleLanes(32));
  CHECK(divergent.idleLanes64 == instructions * idleLanes(64));
  const LineRow table = lineOf(profile, kTable);
  CHECK(table.idleLanes32 == 0);
  CHECK(table.idleLanes64 == table.instructions); // half of 64 lanes are behind the group's end
}

TEST_CASE("the lines of a kernel add up to its lane utilisation", "[lines]") {
  const std::array<uint64_t LineRow::*, 4> columns = {&LineRow::idleLanes8, &LineRow::idleLanes16,
                                                      &LineRow::idleLanes32, &LineRow::idleLanes64};
  for (const std::string &name : referenceKernels()) {
    INFO(name);
    const KernelProfile &profile = referenceProfile(name);
    for (size_t i = 0; i < columns.size(); ++i) {
      uint64_t done = 0, idle = 0;
      for (const LineRow &row : profile.histograms.lines) {
        done += row.instructions;
        idle += row.*columns[i];
      }
      const auto metric = kVectorMetric<"lane_utilization">[i];
      CHECK(profile.real(metric) == static_cast<double>(done) / static_cast<double>(done + idle));
    }
    for (const uint64_t lines : {1, 4, 64, 512}) {
      uint64_t sum = 0;
      for (const LineRow &row : profile.histograms.lines)
        sum += cacheMisses(profile, row, 64 * lines);
      CHECK(sum == cacheMisses(profile, 64 * lines));
    }
  }
}
