/// Long loops, for which analyses that compare k-th executions use only a sample of k.
#include "metrics/hand_trace.h"
#include "metrics/reference_comparison.h"
#include "metrics/shared/lockstep_sampling.h"
#include "support/random.h"

#include <catch2/catch.hpp>
#include <functional>

using namespace aiwc;
using namespace aiwc::test;
using metrics::LockstepSampling;
using profile::KernelProfile;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::BlockId;
using trace::MemoryKind;
using trace::Program;

namespace {

Program loadingProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal}),
                 builder.op("br")},
                BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// 16 work-items that load `times` times, the k-th time from byte offset(work-item, k).
KernelProfile longLoop(uint64_t times, const std::function<uint64_t(uint64_t, uint64_t)> &offset) {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(16);
  for (uint32_t item = 0; item < 16; ++item) {
    trace.item(item);
    for (uint64_t k = 0; k < times; ++k)
      trace.block(0, {read(AddressSpace::kGlobal, 1, offset(item, k))});
  }
  return analyse(program, trace.execution(), 16);
}

} // namespace

TEST_CASE("slots count up, and what they stand for adds up to all k", "[sampling]") {
  metrics::LockstepCounter counter;
  uint32_t next = 0;
  uint64_t stoodFor = 0;
  for (uint64_t k = 0; k < 1 << 20; ++k) {
    const uint32_t slot = counter.count();
    REQUIRE(counter.counted() == k + 1);
    if (slot == LockstepSampling::kNone)
      continue;
    REQUIRE(slot == next);
    REQUIRE(LockstepSampling::kOf(slot) == k);
    ++next;
    REQUIRE(counter.slots() == next);
    // k is in the stretch that this slot stands for.
    REQUIRE(k >= stoodFor);
    stoodFor += LockstepSampling::weightOf(slot);
    REQUIRE(k < stoodFor);
  }
  REQUIRE(stoodFor == 1 << 20);
  REQUIRE(next == 1024 + 10 * 256);
}

TEST_CASE("up to 1024 executions are all looked at", "[sampling]") {
  const auto offset = [](uint64_t item, uint64_t k) { return (item * 37 + k * k) % 4096 * 4; };
  REQUIRE(longLoop(1024, offset).real("coalescing_measured"_metric) == 1);
  REQUIRE(longLoop(1024, offset).real("parallel_spatial_locality_measured"_metric) == 1);
  REQUIRE(longLoop(1024 + 256, offset).real("coalescing_measured"_metric) == (1024 + 64) / 1280.0);
}

TEST_CASE("a loop that always does the same is exact however long", "[sampling]") {
  const KernelProfile profile = longLoop(50'000, [](uint64_t item, uint64_t) { return 32 * item; });
  REQUIRE(profile.real("coalescing_16"_metric) == 1.0 / 4);
  REQUIRE(profile.real("parallel_spatial_locality_0"_metric) == 1);
  REQUIRE(profile.real("parallel_spatial_locality_6"_metric) == 0.75);
  REQUIRE(profile.real("coalescing_measured"_metric) < 0.1);
  REQUIRE(profile.real("parallel_spatial_locality_measured"_metric) < 0.1);
}

TEST_CASE("a pattern that repeats every 32 executions is met everywhere", "[sampling]") {
  // 64 bytes, a float further each time: 15 times of 32 across a boundary
  const KernelProfile profile =
      longLoop(1 << 16, [](uint64_t item, uint64_t k) { return 4 * (item + k); });
  REQUIRE(profile.real("coalescing_16"_metric) == Approx(32.0 / 47).epsilon(0.02));
}

TEST_CASE("what changes late in a loop has its weight", "[sampling]") {
  // Every work-item reads the same at first, its own segment in the last quarter.
  const KernelProfile profile =
      longLoop(1 << 16, [](uint64_t item, uint64_t k) { return k < 3 << 14 ? 0 : item * 4096; });
  REQUIRE(profile.real("parallel_spatial_locality_10"_metric) == Approx(0.25).epsilon(0.01));
  REQUIRE(profile.real("coalescing_16"_metric) == Approx(1 / (0.75 + 0.25 * 16)).epsilon(0.01));
}
