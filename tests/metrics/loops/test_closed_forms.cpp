/// Loops whose trips, dependences and synchronisation points follow with pen and paper.
#include "metrics/loops/nest.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using profile::LoopRow;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::BlockId;
using trace::MemoryKind;
using trace::Program;
using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;

} // namespace

TEST_CASE("a[i][j] = a[i-1][j] + 2: the outer loop carries, n - 1 synchronisation points",
          "[loops]") {
  const uint64_t n = 9, m = 5;
  const KernelProfile profile = run(n - 1, m, [](uint64_t i, uint64_t j) {
    return Elements{i * m + j, (i + 1) * m + j};
  });
  CHECK(profile.count("sync_points"_metric) == n - 1);
  const std::vector<LoopRow> &loops = profile.histograms.loops;
  REQUIRE(loops.size() == 2);
  CHECK(loops[0] == LoopRow{"kernel", 1, 1, 1, n - 1, n - 1, n - 1, true, Pairs{{4, 3}}});
  CHECK(loops[1] == LoopRow{"kernel", 2, 2, n - 1, (n - 1) * m, m, m, false, {}});
}

TEST_CASE("a[i][j] = a[i][j-1]: the inner loop carries, and contains nothing parallel", "[loops]") {
  const KernelProfile profile = run(6, 5, [](uint64_t i, uint64_t j) {
    return Elements{i * 10 + j, i * 10 + j + 1};
  });
  CHECK(profile.count("sync_points"_metric) == 1);
  CHECK(profile.histograms.loops[0].carriesDependence == false);
  CHECK(profile.histograms.loops[1].carriesDependence == true);
}

TEST_CASE("what is written in the same iteration or after it is read is no dependence", "[loops]") {
  // Each element is read before it is overwritten: write after read.
  const KernelProfile backwards = run(4, 4, [](uint64_t i, uint64_t j) {
    return Elements{i * 4 + j + 1, i * 4 + j};
  });
  CHECK(backwards.histograms.loops[0].carriesDependence == false);
  CHECK(backwards.histograms.loops[1].carriesDependence == false);
  CHECK(backwards.count("sync_points"_metric) == 1);
}

TEST_CASE("private memory carries a value, and no dependence", "[loops]") {
  const auto accumulate = [](uint64_t, uint64_t) { return Elements{0, 0}; };
  const LoopRow ofPrivate = run(3, 3, accumulate, AddressSpace::kPrivate).histograms.loops[1];
  CHECK(ofPrivate.carriesDependence == false);
  CHECK(ofPrivate.carriesValue);
  const LoopRow ofLocal = run(3, 3, accumulate, AddressSpace::kLocal).histograms.loops[1];
  CHECK(ofLocal.carriesDependence == true);
  CHECK_FALSE(ofLocal.carriesValue);
}

TEST_CASE("a loop that is entered and not run has an entry without a trip", "[loops]") {
  const KernelProfile profile = run(3, 0, [](uint64_t, uint64_t) { return Elements{0, 0}; });
  CHECK(profile.histograms.loops[1] == LoopRow{"kernel", 2, 2, 3, 0, 0, 0, false, {}});
}

TEST_CASE("a loop that tests at its end makes as many trips as its body", "[loops]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  builder.block({builder.op("br", {.line = 7})}, BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).block(1, {}, 4).block(2).item(1).block(0).block(1).block(2);
  const KernelProfile profile = measure(trace, 2);
  REQUIRE(profile.histograms.loops.size() == 1);
  // An NDRange of two work-items: no dependence is looked for.
  CHECK(profile.histograms.loops[0] == LoopRow{"kernel", 7, 1, 2, 5, 1, 4, std::nullopt, {}});
  CHECK(profile.count("sync_points"_metric) == 1);
}

TEST_CASE("a loop in a function counts as inside the loop that calls it", "[loops]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  builder.block({builder.op("load", {.memory = MemoryKind::kLoad, .space = kGlobal, .line = 2}),
                 builder.op("store", {.memory = MemoryKind::kStore, .space = kGlobal, .line = 3}),
                 builder.op("call", {.line = 4})},
                BlockEnd::kCall, {}, trace::FunctionId{1});
  builder.block({builder.op("br", {.line = 1})}, BlockEnd::kBranch, {BlockId{1}, BlockId{3}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  builder.function("f");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{5}});
  builder.block({builder.op("br", {.line = 10})}, BlockEnd::kBranch, {BlockId{5}, BlockId{6}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).block(0);
  for (int i = 0; i < 3; ++i) {
    trace.block(1, {read(kGlobal, 1, 0), storeOf(kGlobal, 0)}).block(4).block(5, {}, 8);
    trace.block(6).block(2);
  }
  trace.block(3);
  const KernelProfile profile = measure(trace);
  CHECK(profile.count("sync_points"_metric) == 3);
  REQUIRE(profile.histograms.loops.size() == 2);
  CHECK(profile.histograms.loops[0].dependences == Pairs{{3, 2}});
  CHECK(profile.histograms.loops[1].trips == 24);
  CHECK(profile.histograms.loops[1].entries == 3);
}
