/// Program::finalize derives the blocks' summaries and refuses what leads out of the tables.
#include "common/error.h"
#include "support/program_builder.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>

using namespace aiwc;
using namespace aiwc::test;
using namespace aiwc::trace;

namespace {

/// kernel: call of f behind a load, a branch back or on, a return. f: a return.
Program validProgram() {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal}),
                 builder.op("call")},
                BlockEnd::kCall, {}, FunctionId{1});
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{0}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  builder.function("f");
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  Program program = builder.build();
  program.operands.push_back({ValueId{0}, BlockId::kNone});
  program.operations[0].operandCount = 1;
  program.valueCount = 1;
  return program;
}

/// What finalize says of the valid program, changed.
std::string refusal(const std::function<void(Program &)> &change) {
  Program program = validProgram();
  change(program);
  try {
    program.finalize();
  } catch (const Error &error) {
    return error.what();
  }
  return "accepted";
}

} // namespace

TEST_CASE("a consistent program is accepted, once and again", "[program]") {
  REQUIRE(refusal([](Program &) {}) == "accepted");
  Program program = validProgram();
  program.finalize();
  program.finalize();
  REQUIRE(program.blocks[0].memoryOps == 1);
}

TEST_CASE("an index out of range is refused, and the message says which", "[program]") {
  using Catch::Contains;
  REQUIRE_THAT(refusal([](Program &p) { p.operands[0].value = ValueId{1}; }),
               Contains("an operand is no value of it"));
  REQUIRE_THAT(refusal([](Program &p) { p.operations[0].result = ValueId{1}; }),
               Contains("a result is no value of it"));
  REQUIRE_THAT(refusal([](Program &p) { p.functions[1].arguments = {ValueId{1}}; }),
               Contains("an argument is no value of it"));
  REQUIRE_THAT(refusal([](Program &p) { p.kernel = FunctionId{2}; }), Contains("kernel"));
  REQUIRE_THAT(refusal([](Program &p) { p.functions[1].entry = BlockId{4}; }), Contains("entry"));
  REQUIRE_THAT(refusal([](Program &p) { p.functions[0].entry = BlockId::kNone; }),
               Contains("entry"));
  REQUIRE_THAT(refusal([](Program &p) { p.successors[1] = BlockId{4}; }), Contains("successor"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[1].successorCount = 3; }), Contains("successors"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[1].firstSuccessor = UINT32_MAX; }),
               Contains("successors"));
  REQUIRE_THAT(refusal([](Program &p) { p.operations[1].opcode = OpcodeId{99}; }),
               Contains("opcode"));
  REQUIRE_THAT(refusal([](Program &p) { p.operations[0].operandCount = 2; }), Contains("operand"));
  REQUIRE_THAT(refusal([](Program &p) { p.operations[0].firstOperand = UINT32_MAX; }),
               Contains("operand"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[2].opCount = 0; }), Contains("operations"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[3].opCount = 2; }), Contains("operations"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[3].firstOp = OpId::kNone; }),
               Contains("operations"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[0].callee = FunctionId{2}; }), Contains("call"));
  REQUIRE_THAT(refusal([](Program &p) { p.blocks[0].callee = FunctionId::kNone; }),
               Contains("call"));
}

TEST_CASE("a part of a vector access follows a first part of its kind", "[program]") {
  const auto joined = [](uint32_t part, uint32_t first,
                         AddressSpace space = AddressSpace::kGlobal) {
    ProgramBuilder builder;
    std::vector<Operation> operations(
        4, builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal}));
    operations.push_back(
        builder.op("store", {.memory = MemoryKind::kStore, .space = AddressSpace::kGlobal}));
    operations[1].joinedTo = 0;
    operations[part].joinedTo = first;
    operations[part].space = space;
    builder.function("kernel");
    builder.block(operations, BlockEnd::kReturn);
    return builder.build();
  };
  const Program program = joined(3, 0);
  const Block &block = program.blocks[0];
  CHECK(program.accessOf(block, 0) == 0);
  CHECK(program.accessOf(block, 1) == 0);
  CHECK(program.accessOf(block, 2) == 2);
  CHECK(program.accessOf(block, 3) == 0);
  CHECK_THROWS_AS(joined(2, 3), Error);                       // which follows it
  CHECK_THROWS_AS(joined(2, 2), Error);                       // itself
  CHECK_THROWS_AS(joined(2, 1), Error);                       // a part itself
  CHECK_THROWS_AS(joined(4, 0), Error);                       // a store to a load
  CHECK_THROWS_AS(joined(3, 0, AddressSpace::kLocal), Error); // of other memory
}

TEST_CASE("every refusal is one line", "[program]") {
  const std::string message = refusal([](Program &p) { p.kernel = FunctionId::kNone; });
  REQUIRE(message != "accepted");
  REQUIRE(message.find('\n') == std::string::npos);
}

TEST_CASE("a block's summary: its operations on global, constant and local memory", "[program]") {
  ProgramBuilder builder;
  const auto memory = [&](MemoryKind kind, AddressSpace space) {
    return builder.op("call", {.memory = kind, .space = space});
  };
  const Operation none = builder.op("add");
  const Operation spill = memory(MemoryKind::kStore, AddressSpace::kPrivate);
  builder.function("kernel");
  builder.block({none, spill, none}, BlockEnd::kFallThrough);
  builder.block({none, memory(MemoryKind::kLoad, AddressSpace::kLocal), spill, none,
                 memory(MemoryKind::kAtomic, AddressSpace::kGlobal),
                 memory(MemoryKind::kImage, AddressSpace::kGlobal), none},
                BlockEnd::kFallThrough);
  builder.block({memory(MemoryKind::kCopy, AddressSpace::kConstant)}, BlockEnd::kReturn);
  const Program program = builder.build();
  REQUIRE(program.blocks[0].memoryOps == 0);
  REQUIRE(program.blocks[1].memoryOps == 3);
  REQUIRE(program.blocks[1].firstMemoryOp == 1);
  REQUIRE(program.blocks[1].lastMemoryOp == 5);
  REQUIRE(program.blocks[2].memoryOps == 1);
  REQUIRE(program.blocks[2].firstMemoryOp == 0);
  REQUIRE(program.blocks[2].lastMemoryOp == 0);
}

TEST_CASE("taken: a branch towards its first successor, a switch away from its default",
          "[program]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("switch")}, BlockEnd::kSwitch, {BlockId{0}, BlockId{1}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  REQUIRE(program.taken(program.blocks[0], BlockId{1}));
  REQUIRE_FALSE(program.taken(program.blocks[0], BlockId{2}));
  REQUIRE_FALSE(program.taken(program.blocks[1], BlockId{0}));
  REQUIRE(program.taken(program.blocks[1], BlockId{1}));
  REQUIRE(program.taken(program.blocks[1], BlockId{2}));
}
