/// The parallelism metrics of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using profile::Histogram;
using profile::KernelProfile;
using profile::Metric;
using trace::BlockEnd;
using trace::BlockId;
using trace::Program;

namespace {

/// Block 0 has one instruction and repeats itself; block 1 returns.
Program loopProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// Block 0: 4 instructions and a barrier. Block 1: one that leads to either. Block 2: a return.
Program barrierLoopProgram() {
  ProgramBuilder builder;
  const auto add = builder.op("add");
  builder.function("kernel");
  builder.block({add, add, add, add, builder.op("call")}, BlockEnd::kBarrier);
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{0}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  return builder.build();
}

/// Work-items of one group that execute so many instructions each.
KernelProfile measureLengths(const std::vector<uint64_t> &lengths) {
  const Program program = loopProgram();
  HandTrace trace(program);
  trace.group(static_cast<uint32_t>(lengths.size()));
  for (uint32_t item = 0; item < lengths.size(); ++item)
    trace.item(item).block(0, {}, lengths[item] - 1).block(1);
  return measure(trace, lengths.size());
}

} // namespace

TEST_CASE("work-items and work-groups are those that executed", "[parallelism]") {
  const Program program = loopProgram();
  HandTrace trace(program);
  for (const uint32_t items : {4, 4, 3}) { // the last group is a remainder
    trace.group(items);
    for (uint32_t item = 0; item < items; ++item)
      trace.item(item).block(1);
  }
  const KernelProfile profile = measure(trace, 4);
  REQUIRE(profile.count("work_items"_metric) == 11);
  REQUIRE(profile.count("work_groups"_metric) == 3);
  REQUIRE(profile.count("work_group_size"_metric) == 4);
  REQUIRE(profile.real("granularity"_metric) == 1.0 / 11);
  // One instruction and the implicit barrier at its end, per work-item.
  REQUIRE(profile.real("barriers_per_instruction"_metric) == 1);
}

TEST_CASE("instructions per thread: minimum, median, maximum, imbalance", "[parallelism]") {
  const KernelProfile odd = measureLengths({10, 1, 4});
  REQUIRE(odd.count("ipt_min"_metric) == 1);
  REQUIRE(odd.real("ipt_median"_metric) == 4);
  REQUIRE(odd.count("ipt_max"_metric) == 10);
  REQUIRE(odd.count("load_imbalance"_metric) == 9);
  REQUIRE(odd.histograms.instructionsPerThread == Histogram{{1, 1}, {4, 1}, {10, 1}});
}

TEST_CASE("the median of an even number of values is the mean of the middle two", "[parallelism]") {
  REQUIRE(measureLengths({10, 1, 2, 5}).real("ipt_median"_metric) == 3.5);
  REQUIRE(measureLengths({2000, 1}).real("ipt_median"_metric) == 1000.5);
  REQUIRE(measureLengths({7, 7, 7, 9}).real("ipt_median"_metric) == 7);
  REQUIRE(measureLengths({7, 7, 9, 9}).real("ipt_median"_metric) == 8);
  // Without barriers, a work-item is one segment.
  REQUIRE(measureLengths({10, 1, 2, 5}).real("itb_median"_metric) == 3.5);
}

TEST_CASE("the busiest work-item's floating-point operations, across barriers and groups",
          "[parallelism]") {
  ProgramBuilder builder;
  builder.function("kernel"); // 3 operations and a barrier, 8 operations of a vector, none
  builder.block({builder.op("call", {.fpAdd = 1, .fpMul = 1, .fpBits = 32}),
                 builder.op("fdiv", {.fpDiv = 1, .fpBits = 64}), builder.op("call")},
                BlockEnd::kBarrier);
  builder.block({builder.op("call", {.fpSpecial = 8, .fpBits = 32}), builder.op("br")},
                BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).item(1).block(0).barrier();
  trace.item(0).blocks({1, 1, 1, 2}).item(1).blocks({1, 2});
  CHECK(measure(trace, 2).count("fp_ops_max_item"_metric) == 3 + 3 * 8);
  trace.group(1).item(0).block(1, {}, 4).block(2);
  CHECK(measure(trace, 2).count("fp_ops_max_item"_metric) == 4 * 8);
  // Of a work-item that is given up, what it did counts: the vector operation, not its branch.
  trace.group(1).item(0).block(1, {}, 4).abort(1, 1);
  CHECK(measure(trace, 2).count("fp_ops_max_item"_metric) == 5 * 8);
}

TEST_CASE("without floating point the busiest work-item does 0, without work-items nobody does",
          "[parallelism]") {
  CHECK(measureLengths({10, 1, 4})["fp_ops_max_item"_metric] == profile::Value{uint64_t{0}});
  const Program program = loopProgram();
  HandTrace nobody(program);
  nobody.group(4);
  CHECK(measure(nobody, 4)["fp_ops_max_item"_metric] == profile::Value{});
}

TEST_CASE("equal work-items are balanced", "[parallelism]") {
  REQUIRE(measureLengths({6, 6, 6, 6, 6}).count("load_imbalance"_metric) == 0);
}

TEST_CASE("barriers in a loop: hit once per iteration and work-item", "[parallelism]") {
  const Program program = barrierLoopProgram();
  HandTrace trace(program);
  trace.group(2);
  trace.item(0).block(0).item(1).block(0).barrier();
  trace.item(0).blocks({1, 0}).item(1).blocks({1, 0}).barrier();
  trace.item(0).blocks({1, 0}).item(1).blocks({1, 0}).barrier();
  trace.item(0).blocks({1, 2}).item(1).blocks({1, 2});
  const KernelProfile profile = measure(trace, 2);
  REQUIRE(profile.count("barriers_hit"_metric) == 6);
  // Per work-item: 4 to the first barrier, 1 + 4 to each of the next, 1 + 1 to the end. The three
  // barrier calls are in no segment, but they are instructions of the work-item.
  REQUIRE(profile.histograms.instructionsToBarrier == Histogram{{2, 2}, {4, 2}, {5, 4}});
  REQUIRE(profile.count("itb_min"_metric) == 2);
  REQUIRE(profile.real("itb_median"_metric) == 4.5);
  REQUIRE(profile.count("itb_max"_metric) == 5);
  REQUIRE(profile.count("ipt_min"_metric) == 4 + 5 + 5 + 2 + 3);
  REQUIRE(profile.count("total_instruction_count"_metric) == 38);
  // 6 barriers hit and 2 work-items ended.
  REQUIRE(profile.real("barriers_per_instruction"_metric) == 8.0 / 38);
}

TEST_CASE("machine instructions of work-items and segments lack phis", "[parallelism]") {
  ProgramBuilder builder;
  trace::Operation phi = builder.op("phi");
  phi.isPseudo = true;
  builder.function("kernel");
  builder.block({phi, phi, builder.op("add"), builder.op("call")}, BlockEnd::kBarrier);
  builder.block({phi, builder.op("add"), builder.op("br")}, BlockEnd::kBranch,
                {BlockId{1}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).item(1).block(0).barrier();
  trace.item(0).block(1, {}, 5).block(2).item(1).block(1, {}, 1).block(2);
  const KernelProfile profile = measure(trace, 2);
  CHECK(profile.count("machine_ipt_min"_metric) == 2 + 2 + 1);
  CHECK(profile.count("machine_ipt_max"_metric) == 2 + 5 * 2 + 1);
  CHECK(profile.count("ipt_max"_metric) == 4 + 5 * 3 + 1);
  // Segments: 1 and 1, without the barrier; 11 and 3.
  CHECK(profile.real("machine_itb_median"_metric) == 2);
  CHECK(profile.real("itb_median"_metric) == 3.5); // 3, 3, 16, 4
}

TEST_CASE("a barrier as the first instruction ends an empty segment", "[parallelism]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("call")}, BlockEnd::kBarrier);
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).block(0).barrier().item(0).block(1);
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.count("itb_min"_metric) == 0);
  REQUIRE(profile.real("itb_median"_metric) == 0.5);
  REQUIRE(profile.count("itb_max"_metric) == 1);
}

TEST_CASE("of a group that is given up, what was executed counts", "[parallelism]") {
  const Program program = barrierLoopProgram();
  HandTrace trace(program);
  trace.group(3);
  trace.item(0).block(0).item(1).block(0).item(2).block(0).barrier();
  trace.item(0).blocks({1, 2}).item(1).block(1).abort(0, 3);
  // Work-item 0 is done, 1 is in the middle of its second iteration, 2 waits at the barrier.
  const KernelProfile profile = measure(trace, 3);
  REQUIRE(profile.count("work_items"_metric) == 3);
  REQUIRE(profile.count("work_groups"_metric) == 1);
  REQUIRE(profile.count("barriers_hit"_metric) == 3);
  REQUIRE(profile.histograms.instructionsPerThread == Histogram{{5, 1}, {7, 1}, {9, 1}});
  REQUIRE(profile.histograms.instructionsToBarrier ==
          Histogram{{0, 1}, {2, 1}, {4, 4}}); // work-item 2 executed nothing behind the barrier
  REQUIRE(profile.histograms.opcodes ==
          std::map<std::string, uint64_t>{{"add", 15}, {"call", 3}, {"br", 2}, {"ret", 1}});
}

TEST_CASE("a group of which no work-item ran is a work-group without work-items", "[parallelism]") {
  const Program program = loopProgram();
  HandTrace trace(program);
  trace.group(4);
  const KernelProfile profile = measure(trace, 4);
  REQUIRE(profile.count("work_groups"_metric) == 1);
  REQUIRE(profile.count("work_items"_metric) == 0);
  REQUIRE(profile.count("total_instruction_count"_metric) == 0);
  for (const Metric metric : {"granularity"_metric, "itb_min"_metric, "itb_median"_metric,
                              "ipt_max"_metric, "load_imbalance"_metric, "simd_width_max"_metric,
                              "simd_width_mean"_metric, "barriers_per_instruction"_metric})
    REQUIRE(profile[metric] == profile::Value{});
}

TEST_CASE("the heaviest work-group is the one whose work-items execute most together",
          "[parallelism]") {
  const Program program = loopProgram();
  const auto heaviest = [&](const std::vector<std::vector<uint64_t>> &groups) {
    HandTrace trace(program);
    for (const std::vector<uint64_t> &lengths : groups) {
      trace.group(static_cast<uint32_t>(lengths.size()));
      for (uint32_t item = 0; item < lengths.size(); ++item)
        trace.item(item).block(0, {}, lengths[item] - 1).block(1);
    }
    return measure(trace, 4)["work_group_instructions_max"_metric];
  };
  CHECK(heaviest({{3, 3}, {5}, {1, 2, 1}}) == profile::Value{uint64_t{6}});
  CHECK(heaviest({{1, 1, 1, 1}, {5}}) == profile::Value{uint64_t{5}});
  CHECK(heaviest({{}}) == profile::Value{}); // no work-item began
}
