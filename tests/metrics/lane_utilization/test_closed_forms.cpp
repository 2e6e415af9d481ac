/// SIMT efficiency of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using namespace aiwc;
using namespace aiwc::test;
using profile::KernelProfile;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::BlockId;
using trace::MemoryKind;
using trace::Program;

namespace {

constexpr auto kGlobal = AddressSpace::kGlobal;

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
std::vector<double>
utilization(const KernelProfile &profile,
            const profile::MetricVector &metrics = kVectorMetric<"lane_utilization">) {
  std::vector<double> values;
  for (const profile::Metric metric : metrics)
    values.push_back(profile.real(metric));
  return values;
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
  REQUIRE(utilization(profile, kVectorMetric<"lane_utilization_fp">) ==
          std::vector<double>{1, 1, 1, 1});
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
  for (const double value : utilization(profile, kVectorMetric<"lane_utilization_fp">))
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
  REQUIRE(profile.real(kVectorMetric<"lane_utilization">[0]) ==
          (4 * 5 + 16 * 1) / (8.0 * 5 + 16 * 1));
  REQUIRE(profile.real(kVectorMetric<"lane_utilization">[1]) == (4 * 5 + 16 * 1) / (16.0 * 6));
  REQUIRE(profile.real(kVectorMetric<"lane_utilization_fp">[0]) == 0.5);
  REQUIRE(profile.real(kVectorMetric<"lane_utilization_fp">[1]) == 0.25);
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
      REQUIRE(profile.real(kVectorMetric<"lane_utilization">[i]) == Approx(1.0 * items / offered));
    }
    REQUIRE(std::isnan(profile.real(kVectorMetric<"lane_utilization_fp">[0]))); // no such operation
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
    REQUIRE(profile.real(kVectorMetric<"lane_utilization">[i]) == Approx(64 * 63 / 2 / offered));
    REQUIRE(profile.real(kVectorMetric<"lane_utilization_fp">[i]) == Approx(64 * 63 / 2 / offered));
  }
}

TEST_CASE("what was executed of a block that was given up counts", "[lanes]") {
  const Program program = branchingProgram();
  HandTrace trace(program);
  trace.group(2);
  trace.item(0).blocks({kBody, kBody});
  trace.item(1).block(kBody).block(kBody).abort(kBody, 2);
  const KernelProfile profile = measure(trace, 2);
  REQUIRE(profile.real(kVectorMetric<"lane_utilization">[0]) == (6 + 8) / (8.0 * 8));
  REQUIRE(profile.real(kVectorMetric<"lane_utilization_fp">[0]) == (4 + 6) / (8.0 * 6));
}
