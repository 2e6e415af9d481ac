// Sequential code, run by a single work-item: loops, what they carry, synchronisation points; and
// where in the source the work is.

#include "kernels/reference.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;
using aiwc::profile::LineRow;
using aiwc::profile::LoopRow;
using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

namespace {

constexpr uint64_t n = 8;

KernelProfile example(const std::string &name) {
  const auto profiles =
      simulate(std::filesystem::path(AIWC_TEST_EXAMPLES) / "sequential" / (name + ".sim"));
  REQUIRE(profiles.size() == 1);
  return profiles[0];
}

LineRow lineOf(const KernelProfile &profile, uint64_t line) {
  for (const LineRow &row : profile.histograms.lines)
    if (row.line == line)
      return row;
  return {};
}

} // namespace

TEST_CASE("stencil: rows one after another, n - 1 synchronisation points") {
  const KernelProfile profile = example("stencil");
  CHECK(profile.count("sync_points"_metric) == n - 1);
  REQUIRE(profile.histograms.loops.size() == 2);
  CHECK(profile.histograms.loops[0] ==
        LoopRow{"stencil", 4, 1, 1, n - 1, n - 1, n - 1, true, Pairs{{6, 6}}});
  CHECK(profile.histograms.loops[1] ==
        LoopRow{"stencil", 5, 2, n - 1, (n - 1) * n, n, n, false, {}});

  const LineRow body = lineOf(profile, 6);
  CHECK(body.fpOps == (n - 1) * n);
  CHECK(body.bytes == (n - 1) * n * 2 * sizeof(float));
  CHECK(lineOf(profile, 5).branches == (n - 1) * (n + 1));
}

TEST_CASE("lu: a synchronisation point per step of the elimination") {
  const KernelProfile profile = example("lu");
  CHECK(profile.count("sync_points"_metric) == n);
  REQUIRE(profile.histograms.loops.size() == 3);
  CHECK(profile.histograms.loops[0] ==
        LoopRow{"lu", 4, 1, 1, n, n, n, true, Pairs{{9, 6}, {9, 9}}});
  // Below the diagonal, each row by itself.
  CHECK(profile.histograms.loops[1] ==
        LoopRow{"lu", 5, 2, n, n * (n - 1) / 2, 0, n - 1, false, {}});
  CHECK(profile.histograms.loops[2] ==
        LoopRow{"lu", 8, 3, n * (n - 1) / 2, (n - 1) * n * (2 * n - 1) / 6, 1, n - 1, false, {}});
}

TEST_CASE("spmv: rows are independent, the sum of a row is in a register") {
  const KernelProfile profile = example("spmv");
  CHECK(profile.count("sync_points"_metric) == 1);
  REQUIRE(profile.histograms.loops.size() == 2);
  CHECK(profile.histograms.loops[0] == LoopRow{"spmv", 4, 1, 1, n, n, n, false, {}});
  CHECK(profile.histograms.loops[1] == LoopRow{"spmv", 6, 2, n, 2 * n, 2, 2, false, {}});
}

TEST_CASE("an NDRange tells trip counts, and has one synchronisation point") {
  const KernelProfile &profile = referenceProfile("divergent");
  CHECK(profile.count("sync_points"_metric) == 1);
  REQUIRE(profile.histograms.loops.size() == 1);
  const LoopRow &loop = profile.histograms.loops[0];
  CHECK(loop.entries == 16); // a work-item each
  CHECK(loop.minTrips == 0);
  CHECK(loop.maxTrips == 7);
  CHECK_FALSE(loop.carriesDependence.has_value());
}

TEST_CASE("a loop in a called function is inside the loop that calls it, barriers or not") {
  const KernelProfile &profile = referenceProfile("loop_calls_rows");
  CHECK(profile.count("sync_points"_metric) == n - 1);
  CHECK(profile.count("barriers_hit"_metric) == n - 1);
  REQUIRE(profile.histograms.loops.size() == 2);
  CHECK(profile.histograms.loops[0] ==
        LoopRow{"loop_calls_rows", 9, 1, 1, n - 1, n - 1, n - 1, true, Pairs{{4, 4}}});
  CHECK(profile.histograms.loops[1] ==
        LoopRow{"next_row", 3, 1, n - 1, (n - 1) * n, n, n, false, {}});
  CHECK(profile.count("asap_fp_depth"_metric) == n - 1);
  CHECK(profile.histograms.asapFpLevels == aiwc::profile::Histogram{{n, n - 1}});
  CHECK(referenceResult("loop_calls_rows", "a") ==
        valuesFor(n * n, [](uint64_t i) { return i % n + 2 * (i / n); }));
}

TEST_CASE("a loop carries the dependence of a function that it calls") {
  const KernelProfile &profile = referenceProfile("loop_calls_chain");
  CHECK(profile.count("sync_points"_metric) == 1); // no loop inside
  REQUIRE(profile.histograms.loops.size() == 1);
  CHECK(profile.histograms.loops[0] ==
        LoopRow{"loop_calls_chain", 19, 1, 1, n - 1, n - 1, n - 1, true, Pairs{{15, 15}}});
  CHECK(profile.count("asap_fp_depth"_metric) == n - 1);
  CHECK(referenceResult("loop_calls_chain", "x") == valuesFor(n, [](uint64_t i) { return i + 3; }));
}

TEST_CASE("a barrier in a loop does not leave it") {
  const KernelProfile &profile = referenceProfile("barrier_loop");
  constexpr uint64_t items = 16, steps = 5;
  REQUIRE(profile.histograms.loops.size() == 1);
  CHECK(profile.histograms.loops[0] ==
        LoopRow{"barrier_loop", 5, 1, items, items * steps, steps, steps, std::nullopt, {}});
  // The neighbour's place: get_local_id trunc add urem zext gep. Then a load and a store a step,
  // the last store to global memory.
  CHECK(profile.count("asap_depth"_metric) == 6 + 2 * steps);
}
