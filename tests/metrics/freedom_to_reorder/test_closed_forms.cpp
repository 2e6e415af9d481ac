/// Freedom to reorder of traces whose values follow from the definition with pen and paper.
#include "metrics/hand_trace.h"

#include <catch2/catch.hpp>

using namespace aiwc;
using namespace aiwc::test;
using trace::AddressSpace;
using trace::BlockEnd;
using trace::MemoryKind;
using trace::Operation;
using trace::Program;

namespace {

const Operation kLoad{.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal};
const Operation kStore{.memory = MemoryKind::kStore, .space = AddressSpace::kLocal};
const Operation kSpill{.memory = MemoryKind::kStore, .space = AddressSpace::kPrivate};

} // namespace

TEST_CASE("freedom to reorder is the mean gap between memory instructions", "[compute]") {
  ProgramBuilder builder;
  const Operation load = builder.op("load", kLoad), store = builder.op("store", kStore),
                  add = builder.op("add");
  // Gaps of 3 and 1; what precedes the first and follows the last is in no gap.
  REQUIRE(measureOnce(builder, {add, add, load, add, add, add, store, add, load, add, add, add})
              .real("freedom_to_reorder"_metric) == 2);
}

TEST_CASE("memory instructions back to back leave no freedom", "[compute]") {
  ProgramBuilder builder;
  const Operation load = builder.op("load", kLoad);
  REQUIRE(measureOnce(builder, {load, load, load}).real("freedom_to_reorder"_metric) == 0);
}

TEST_CASE("private memory is no memory instruction", "[compute]") {
  ProgramBuilder builder;
  const Operation load = builder.op("load", kLoad), spill = builder.op("store", kSpill);
  REQUIRE(measureOnce(builder, {load, spill, spill, load}).real("freedom_to_reorder"_metric) == 2);
}

TEST_CASE("a single memory instruction per work-item leaves freedom undefined", "[compute]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", kLoad), builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).item(1).block(0).group(1).item(0).block(0);
  REQUIRE(measure(trace)["freedom_to_reorder"_metric] == profile::Value{});
}

TEST_CASE("gaps reach across barriers and calls, not across work-items", "[compute]") {
  ProgramBuilder builder;
  const Operation add = builder.op("add"), load = builder.op("load", kLoad);
  builder.function("kernel");
  builder.block({load, builder.op("call")}, BlockEnd::kBarrier);
  builder.block({add, builder.op("call")}, BlockEnd::kCall, {}, trace::FunctionId{1});
  builder.block({add, builder.op("ret")}, BlockEnd::kReturn);
  builder.function("callee");
  builder.block({add, load, builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).item(1).block(0).barrier();
  trace.item(0).blocks({1, 3, 2}).item(1).blocks({1, 3, 2});
  // load, barrier, add, call, add, load: four in between, in each of the two work-items.
  REQUIRE(measure(trace).real("freedom_to_reorder"_metric) == 4);
}
