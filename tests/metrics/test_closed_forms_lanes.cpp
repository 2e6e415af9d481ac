/// What lanes do together, in traces whose values follow from the definitions with pen and paper.
#include "hand_trace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using trace::Access;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::BlockId;
using trace::MemoryKind;
using trace::Program;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;
constexpr auto kLocal = AddressSpace::kLocal;

enum : uint32_t { kHead, kBody, kOther, kTail };

/// head: 2 instructions; body: 3, of which one is an fmuladd; other: 1; tail: 1.
Program branchingProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("icmp"), builder.op("br")}, BlockEnd::kBranch,
                {BlockId{kBody}, BlockId{kOther}});
  builder.block({builder.op("load", {.memory = MemoryKind::kLoad, .space = kGlobal}),
                 builder.op("call", {.fpAdd = 1, .fpMul = 1, .fpBits = 32}), builder.op("br")},
                BlockEnd::kBranch, {BlockId{kBody}, BlockId{kTail}});
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{kTail}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// lane_utilization_{8, 16, 32, 64}
std::vector<double> utilization(const KernelProfile &profile,
                                const profile::MetricVector &metrics = "lane_utilization"_metrics) {
  std::vector<double> values;
  for (const profile::Metric metric : metrics)
    values.push_back(profile.real(metric));
  return values;
}

/// A kernel that loads, one with an atomic, and one that loads between barriers.
Program loadingProgram(MemoryKind kind = MemoryKind::kLoad) {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", {.memory = kind, .space = kGlobal}), builder.op("br")},
                BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("call")}, BlockEnd::kBarrier);
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{0}});
  return builder.build();
}

/// One group whose work-items load once, from byte `offset(work-item)` of a buffer.
KernelProfile loadOnce(uint32_t items, const std::function<uint64_t(uint64_t)> &offset,
                       uint32_t size = 4) {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(items);
  for (uint32_t item = 0; item < items; ++item)
    trace.item(item).block(0, {read(kGlobal, 1, offset(item), size)});
  return measure(trace, items);
}

/// coalescing_{16, 32, 64}
std::vector<double> coalescing(const KernelProfile &profile) {
  return {profile.real("coalescing_16"_metric), profile.real("coalescing_32"_metric),
          profile.real("coalescing_64"_metric)};
}

double psl(const KernelProfile &profile, size_t skipped) {
  return profile.real("parallel_spatial_locality"_metrics.of(skipped));
}

} // namespace

TEST_CASE("lanes that all do the same are used fully", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  for (int group = 0; group < 3; ++group) {
    trace.group(128);
    for (uint32_t item = 0; item < 128; ++item)
      trace.item(item).blocks({kHead, kBody, kBody, kTail});
  }
  const KernelProfile profile = measure(trace, 128);
  REQUIRE(utilization(profile) == std::vector<double>{1, 1, 1, 1});
  REQUIRE(utilization(profile, "lane_utilization_fp"_metrics) == std::vector<double>{1, 1, 1, 1});
}

TEST_CASE("divergent halves wait for each other's side of the branch", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  trace.group(64);
  for (uint32_t item = 0; item < 64; ++item)
    trace.item(item).blocks({kHead, item % 2 ? kBody : kOther, kTail});
  const KernelProfile profile = measure(trace, 64);
  // Of 2 + 3 + 1 + 1 instructions, all lanes do 3 and half of them each of the others.
  for (const double value : utilization(profile))
    REQUIRE(value == Approx((3 + 4 / 2.0) / 7));
  for (const double value : utilization(profile, "lane_utilization_fp"_metrics))
    REQUIRE(value == 0.5);
}

TEST_CASE("halves that are whole lane groups wait for nobody", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  trace.group(64);
  for (uint32_t item = 0; item < 64; ++item)
    trace.item(item).blocks({kHead, item < 32 ? kBody : kOther, kTail});
  REQUIRE(utilization(measure(trace, 64)) == std::vector<double>{1, 1, 1, (3 + 4 / 2.0) / 7});
}

TEST_CASE("lanes that return early are idle from then on", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  trace.group(16);
  for (uint32_t item = 0; item < 16; ++item)
    trace.item(item).blocks(item < 4 ? std::vector<uint32_t>{kHead, kBody, kTail}
                                     : std::vector<uint32_t>{kTail});
  const KernelProfile profile = measure(trace, 16);
  REQUIRE(profile.real("lane_utilization"_metrics[0]) == (4 * 5 + 16 * 1) / (8.0 * 5 + 16 * 1));
  REQUIRE(profile.real("lane_utilization"_metrics[1]) == (4 * 5 + 16 * 1) / (16.0 * 6));
  REQUIRE(profile.real("lane_utilization_fp"_metrics[0]) == 0.5);
  REQUIRE(profile.real("lane_utilization_fp"_metrics[1]) == 0.25);
}

TEST_CASE("lanes that no work-item fills are idle", "[lanes]") {
  const Program program = branchingProgram();
  for (const uint32_t items : {1u, 5u, 8u, 20u}) {
    HandTrace trace(program);
    trace.group(items);
    for (uint32_t item = 0; item < items; ++item)
      trace.item(item).blocks({kHead, kTail});
    const KernelProfile profile = measure(trace, items);
    for (size_t i = 0; i < 4; ++i) {
      const uint32_t width = 8u << i;
      const uint32_t offered = (items + width - 1) / width * width;
      REQUIRE(profile.real("lane_utilization"_metrics[i]) == Approx(1.0 * items / offered));
    }
    REQUIRE(std::isnan(profile.real("lane_utilization_fp"_metrics[0]))); // no such operation
  }
}

TEST_CASE("a loop whose trip count is the work-item's number", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  trace.group(64);
  for (uint32_t item = 0; item < 64; ++item)
    trace.item(item).block(kBody, {}, item);
  const KernelProfile profile = measure(trace, 64);
  for (size_t i = 0; i < 4; ++i) {
    const uint32_t width = 8u << i;
    double offered = 0; // the last lane of every lane group is the busiest
    for (uint32_t last = width - 1; last < 64; last += width)
      offered += width * last;
    REQUIRE(profile.real("lane_utilization"_metrics[i]) == Approx(64 * 63 / 2 / offered));
    REQUIRE(profile.real("lane_utilization_fp"_metrics[i]) == Approx(64 * 63 / 2 / offered));
  }
}

TEST_CASE("what was executed of a block that was given up counts", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  trace.group(2);
  trace.item(0).blocks({kBody, kBody});
  trace.item(1).block(kBody).block(kBody).abort(kBody, 2);
  const KernelProfile profile = measure(trace, 2);
  REQUIRE(profile.real("lane_utilization"_metrics[0]) == (6 + 8) / (8.0 * 8));
  REQUIRE(profile.real("lane_utilization_fp"_metrics[0]) == (4 + 6) / (8.0 * 6));
}

TEST_CASE("lanes side by side need the segments that they touch", "[coalescing]") {
  for (const uint32_t items : {1u, 7u, 16u, 64u, 256u})
    REQUIRE(coalescing(loadOnce(items, [](uint64_t i) { return 4 * i; })) ==
            std::vector<double>{1, 1, 1});
  // In any order
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 4 * (i ^ 5); })) ==
          std::vector<double>{1, 1, 1});
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 4 * (63 - i); })) ==
          std::vector<double>{1, 1, 1});
}

TEST_CASE("a misaligned row of lanes touches a segment more", "[coalescing]") {
  // 16 lanes: 64 bytes, every second time across a boundary; 32 and 64: 2 for 1 and 3 for 2.
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 4 * i + 4; })) ==
          std::vector<double>{4.0 / 6, 2.0 / 4, 2.0 / 3});
}

TEST_CASE("lanes a segment apart touch one each", "[coalescing]") {
  REQUIRE(coalescing(loadOnce(64, [](uint64_t i) { return 128 * i; })) ==
          std::vector<double>{1.0 / 16, 1.0 / 32, 2.0 / 64});
}

TEST_CASE("lanes that read the same need it once", "[coalescing]") {
  REQUIRE(coalescing(loadOnce(64, [](uint64_t) { return 8; })) == std::vector<double>{1, 1, 1});
  // 100 bytes each, a byte apart: bytes 0 to 114, and 16 to 130: 1 + 1 segments for 1 + 2; all
  // together 131 bytes in 2 segments
  REQUIRE(coalescing(loadOnce(
              32, [](uint64_t i) { return i; }, 100)) == std::vector<double>{2.0 / 3, 1, 1});
}

TEST_CASE("only the same execution of the same instruction is one lanes make together",
          "[coalescing]") {
  const Program program = loadingProgram();
  const auto row = [](uint32_t item, uint64_t k) {
    return read(kGlobal, 1, (k * 16 + item) * 128, 4);
  };
  HandTrace trace(program);
  trace.group(16);
  for (uint32_t item = 0; item < 16; ++item) { // the work-item's k-th load: its own segment
    trace.item(item);
    for (uint64_t k = 0; k <= item; ++k)
      trace.block(0, {row(item, k)});
    trace.block(1);
  }
  trace.barrier();
  for (uint32_t item = 0; item < 16; ++item) // all the same, if it were not for the barrier
    trace.item(item).block(2).block(0, {row(0, 0)});
  const KernelProfile profile = measure(trace, 16);
  // 16 loads in lockstep, of 16, 15, ... 1 lanes, then one that is perfect
  REQUIRE(profile.real("coalescing_16"_metric) == (16.0 + 1) / (16 * 17 / 2 + 1));
  REQUIRE(profile.real("coalescing_measured"_metric) == 1);
}

TEST_CASE("coalescing is about work-items and global memory", "[coalescing]") {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(4);
  for (uint32_t item = 0; item < 4; ++item)
    trace.item(item).block(
        0, {read(kLocal, 1, 128 * item), read(AddressSpace::kConstant, 1, 128 * item)});
  trace.groupCopies({read(kGlobal, 1, 0), read(kGlobal, 1, 1000)});
  const KernelProfile profile = measure(trace, 4);
  for (const double value : coalescing(profile))
    REQUIRE(std::isnan(value));
  REQUIRE(std::isnan(profile.real("coalescing_measured"_metric)));
  REQUIRE(psl(profile, 0) == 1);
}

TEST_CASE("PSL of unit stride falls by a bit per skipped bit from the third on", "[psl]") {
  for (const int bits : {1, 4, 8}) {
    const KernelProfile profile = loadOnce(1u << bits, [](uint64_t i) { return 4 * i; });
    for (int skipped = 0; skipped <= 10; ++skipped)
      REQUIRE(psl(profile, static_cast<size_t>(skipped)) ==
              Approx(std::max(0.0, bits - std::max(0.0, skipped - 2.0)) / bits));
  }
}

TEST_CASE("PSL of work-items that read the same is 0, of far ones 1", "[psl]") {
  for (size_t skipped = 0; skipped <= 10; ++skipped) {
    REQUIRE(psl(loadOnce(64, [](uint64_t) { return 8; }), skipped) == 0);
    REQUIRE(psl(loadOnce(64, [](uint64_t i) { return 4096 * i; }), skipped) == 1);
    REQUIRE(psl(loadOnce(1, [](uint64_t) { return 8; }), skipped) == 0);
  }
}

TEST_CASE("PSL pairs the k-th accesses, whatever the instruction, until the barrier", "[psl]") {
  const Program program = loadingProgram();
  HandTrace trace(program);
  trace.group(2);
  trace.item(0).block(0, {read(kGlobal, 1, 0)}).block(0, {read(kGlobal, 1, 4096)}).block(1);
  trace.item(1).block(0, {read(kGlobal, 1, 0)}).block(1);
  trace.barrier();
  trace.item(0).block(2).block(0, {read(kGlobal, 1, 0)});
  trace.item(1).block(2).block(0, {read(kLocal, 1, 0)});
  // Two agree, one is alone, two differ in the address space: 2 of 5 participants have 1 bit each.
  REQUIRE(psl(measure(trace, 2), 0) == Approx(2.0 / 5));
}

TEST_CASE("atomics of all groups meet on global memory, of one group on local", "[atomics]") {
  const Program program = loadingProgram(MemoryKind::kAtomic);
  const auto increment = [](AddressSpace space, uint64_t offset) {
    std::vector<Access> accesses = {read(space, 1, offset), write(space, 1, offset)};
    accesses[0].atomic = accesses[1].atomic = 1;
    return accesses;
  };
  const auto contention = [&](AddressSpace space, uint64_t (*offset)(uint64_t)) {
    HandTrace trace(program);
    for (uint64_t group = 0; group < 3; ++group) {
      trace.group(4);
      for (uint32_t item = 0; item < 4; ++item)
        trace.item(item).block(0, increment(space, offset(4 * group + item)), 2);
    }
    return measure(trace, 4).count("atomic_contention_max"_metric);
  };
  const auto one = [](uint64_t) { return uint64_t{8}; };
  const auto halves = [](uint64_t item) { return 4 * (item % 2); };
  const auto own = [](uint64_t item) { return 4 * item; };
  REQUIRE(contention(kGlobal, one) == 24);
  REQUIRE(contention(kGlobal, halves) == 12);
  REQUIRE(contention(kGlobal, own) == 2);
  REQUIRE(contention(kLocal, one) == 8);
  REQUIRE(contention(kLocal, halves) == 4);
}

TEST_CASE("a compare-exchange that fails contends, too; a plain access does not", "[atomics]") {
  const Program program = loadingProgram(MemoryKind::kAtomic);
  Access failed = read(kGlobal, 1, 0);
  failed.atomic = 1;
  HandTrace trace(program);
  trace.group(1).item(0).block(0, {failed}, 3).block(0, {write(kGlobal, 1, 0)}, 5);
  REQUIRE(measure(trace).count("atomic_contention_max"_metric) == 3);
  HandTrace plain(program);
  plain.group(1).item(0).block(0, {read(kGlobal, 1, 0), write(kGlobal, 1, 0)}, 5);
  REQUIRE(measure(plain)["atomic_contention_max"_metric].index() == 0);
}
