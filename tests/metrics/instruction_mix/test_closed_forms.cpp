/// Opcodes, work and widths of traces whose values follow from the definitions with pen and paper.
#include "metrics/hand_trace.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>

using namespace aiwc;
using namespace aiwc::test;
using profile::Histogram;
using profile::KernelProfile;
using trace::BlockEnd;
using trace::BlockId;
using trace::Operation;
using trace::Program;

namespace {

/// A kernel of one block with so many instructions of each opcode.
KernelProfile measureOpcodes(const std::vector<std::pair<std::string, int>> &opcodes) {
  ProgramBuilder builder;
  std::vector<Operation> operations;
  for (const auto &[opcode, times] : opcodes)
    operations.insert(operations.end(), static_cast<size_t>(times), builder.op(opcode));
  return measureOnce(builder, operations);
}

/// So many scalar additions and multiplications.
KernelProfile measureMix(int additions, int multiplications) {
  ProgramBuilder builder;
  std::vector<Operation> operations(static_cast<size_t>(additions),
                                    builder.op("fadd", {.fpAdd = 1, .fpBits = 32}));
  operations.insert(operations.end(), static_cast<size_t>(multiplications),
                    builder.op("fmul", {.fpMul = 1, .fpBits = 32}));
  operations.push_back(builder.op("ret"));
  return measureOnce(builder, operations);
}

KernelProfile measureWidths(const std::vector<uint16_t> &widths) {
  ProgramBuilder builder;
  std::vector<trace::Operation> operations;
  for (const uint16_t width : widths)
    operations.push_back(builder.op("add", {.width = width, .lanes = width}));
  builder.function("kernel");
  builder.block(operations, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2).item(0).block(0).item(1).block(0);
  return measure(trace);
}

} // namespace

TEST_CASE("opcode_90 is the number of opcodes that cover 90 % of the instructions", "[compute]") {
  // 9 of 10 are exactly 90 %; of 8 + 1 + 1 it takes two to get there.
  REQUIRE(measureOpcodes({{"add", 9}, {"ret", 1}}).count("opcode_90"_metric) == 1);
  REQUIRE(measureOpcodes({{"add", 8}, {"mul", 1}, {"ret", 1}}).count("opcode_90"_metric) == 2);
  REQUIRE(measureOpcodes({{"ret", 1}, {"mul", 8}, {"add", 91}}).count("opcode_90"_metric) == 1);
  REQUIRE(measureOpcodes({{"ret", 1}}).count("opcode_90"_metric) == 1);
  // n opcodes equally often: 9 n / 10, rounded up.
  std::vector<std::pair<std::string, int>> opcodes;
  for (int n = 1; n <= 25; ++n) {
    opcodes.push_back({"opcode" + std::to_string(n), 7});
    REQUIRE(measureOpcodes(opcodes).count("opcode_90"_metric) ==
            static_cast<uint64_t>((9 * n + 9) / 10));
  }
}

TEST_CASE("instructions are counted per opcode and in all", "[compute]") {
  const KernelProfile profile = measureOpcodes({{"add", 5}, {"phi", 2}, {"ret", 1}});
  REQUIRE(profile.count("total_instruction_count"_metric) == 8);
  REQUIRE(profile.histograms.opcodes ==
          std::map<std::string, uint64_t>{{"add", 5}, {"phi", 2}, {"ret", 1}});
}

TEST_CASE("a machine executes neither phis nor markers", "[compute]") {
  ProgramBuilder builder;
  Operation phi = builder.op("phi");
  phi.isPseudo = true;
  Operation marker = builder.op("call");
  marker.isPseudo = true;
  builder.function("kernel");
  // A loop of five instructions, of which a machine has three, and a return
  builder.block({phi, phi, builder.op("fmul", {.fpMul = 1, .fpBits = 32}), builder.op("icmp"),
                 builder.op("br")},
                BlockEnd::kBranch, {BlockId{0}, BlockId{1}});
  builder.block({marker, builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(2);
  for (uint32_t item = 0; item < 2; ++item)
    trace.item(item).block(0, {}, 10).block(1);
  const KernelProfile profile = measure(trace, 2);
  CHECK(profile.count("total_instruction_count"_metric) == 2 * (10 * 5 + 2));
  CHECK(profile.count("machine_instruction_count"_metric) == 2 * (10 * 3 + 1));
  CHECK(profile.histograms.opcodes.at("phi") == 2 * 10 * 2);
}

TEST_CASE("a block counts each time that a work-item executes it", "[compute]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("mul", {.intOps = 1}), builder.op("br")}, BlockEnd::kBranch,
                {BlockId{0}, BlockId{1}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  for (uint32_t group = 0; group < 3; ++group) {
    trace.group(2);
    for (uint32_t item = 0; item < 2; ++item)
      trace.item(item).block(0, {}, 100).block(1);
  }
  const KernelProfile profile = measure(trace);
  // 6 work-items, 100 iterations of 2 instructions and a return each.
  REQUIRE(profile.count("total_instruction_count"_metric) == 6 * (100 * 2 + 1));
  REQUIRE(profile.count("int_ops"_metric) == 600);
  REQUIRE(profile.count("opcode_90"_metric) == 2);
}

TEST_CASE("a called function's instructions are the kernel's", "[compute]") {
  ProgramBuilder builder;
  builder.function("kernel");
  builder.block({builder.op("call")}, BlockEnd::kCall, {}, trace::FunctionId{1});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  builder.function("callee");
  builder.block({builder.op("fadd", {.fpAdd = 1, .fpBits = 64}), builder.op("ret")},
                BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).blocks({0, 2, 1});
  const KernelProfile profile = measure(trace);
  REQUIRE(profile.count("total_instruction_count"_metric) == 4);
  REQUIRE(profile.count("fp_ops_f64"_metric) == 1);
}

TEST_CASE("casts between widths and divisions by uniform values count their lanes", "[compute]") {
  ProgramBuilder builder;
  Operation widen = builder.op("fpext", {.width = 4, .lanes = 4});
  widen.convertsWidth = true;
  Operation divide = builder.op("udiv", {.width = 2, .lanes = 2, .intOps = 2});
  divide.dividesByConstant = true;
  const KernelProfile profile = measureOnce(
      builder, {widen, widen, divide, builder.op("udiv", {.intOps = 1}), builder.op("ret")});
  REQUIRE(profile.count("fp_conversions"_metric) == 8);
  REQUIRE(profile.count("int_div_uniform"_metric) == 2);
  REQUIRE(profile.count("fp_ops"_metric) == 0);
  REQUIRE(profile.count("int_ops"_metric) == 3);
}

TEST_CASE("products of matrices count by the type of their factors, and nowhere else",
          "[compute]") {
  ProgramBuilder builder;
  const auto product = [&](trace::MatrixType type, uint16_t operations) {
    Operation call = builder.op("call", {.width = 8, .lanes = 8});
    call.matrixType = type;
    call.matrixOps = operations;
    return call;
  };
  const KernelProfile profile = measureOnce(
      builder, {product(trace::MatrixType::k16Bits, 256), product(trace::MatrixType::k16Bits, 1),
                product(trace::MatrixType::kTf32, 128), product(trace::MatrixType::kInt8, 64),
                product(trace::MatrixType::kDouble, 16), builder.op("ret")});
  REQUIRE(profile.count("matrix_ops_f16"_metric) == 257);
  REQUIRE(profile.count("matrix_ops_tf32"_metric) == 128);
  REQUIRE(profile.count("matrix_ops_i8"_metric) == 64);
  REQUIRE(profile.count("matrix_ops_f64"_metric) == 16);
  REQUIRE(profile.count("matrix_ops"_metric) == 257 + 128 + 64 + 16);
  REQUIRE(profile.count("fp_ops"_metric) == 0);
  REQUIRE(profile.count("int_ops"_metric) == 0);
  REQUIRE(profile.count("total_instruction_count"_metric) == 6);
}

TEST_CASE("integers of 64 bits and the further parts of a vector are told apart", "[compute]") {
  ProgramBuilder builder;
  Operation wide = builder.op("mul", {.width = 2, .lanes = 2, .intOps = 2});
  wide.wideInteger = wide.isProduct = wide.isWideProduct = true;
  Operation narrow = builder.op("mul", {.intOps = 1});
  narrow.isProduct = true;
  const auto load = [&](AddressSpace space, uint32_t joinedTo) {
    return builder.op("load", {.memory = MemoryKind::kLoad, .space = space, .joinedTo = joinedTo});
  };
  const KernelProfile profile = measureOnce(
      builder, {wide, narrow, builder.op("mul", {.intOps = 1}),
                load(AddressSpace::kGlobal, Operation::kAlone), load(AddressSpace::kGlobal, 3),
                load(AddressSpace::kGlobal, 3), builder.op("ret")});
  REQUIRE(profile.count("int_ops"_metric) == 4);
  REQUIRE(profile.count("int_ops_64"_metric) == 2);
  REQUIRE(profile.count("int_mul"_metric) == 3);
  REQUIRE(profile.count("int_mul_64"_metric) == 2);
  REQUIRE(profile.count("joined_accesses"_metric) == 2);
}

namespace {

/// A load whose address is a value.
Operation loadFrom(ProgramBuilder &builder, ValueId address, ValueId result) {
  return builder.reading(
      builder.op("load", {.memory = MemoryKind::kLoad, .space = AddressSpace::kGlobal}),
      {{address, BlockId::kNone}}, result);
}

/// A value that is constant before `loop`, and then `next`.
Operation carried(ProgramBuilder &builder, ValueId next, ValueId result) {
  return builder.reading(builder.op("phi"), {{ValueId::kNone, BlockId{0}}, {next, BlockId{1}}},
                         result);
}

Operation sum(ProgramBuilder &builder, const std::vector<Operand> &of, ValueId result) {
  return builder.reading(builder.op("add", {.intOps = 1}), of, result);
}

/// Of 100 iterations of a loop.
KernelProfile loop(ProgramBuilder &builder, std::vector<Operation> iteration) {
  builder.function("kernel");
  builder.block({builder.op("br")}, BlockEnd::kJump, {BlockId{1}});
  iteration.push_back(builder.op("br"));
  builder.block(iteration, BlockEnd::kBranch, {BlockId{1}, BlockId{2}});
  builder.block({builder.op("ret")}, BlockEnd::kReturn);
  const Program program = builder.build();
  HandTrace trace(program);
  trace.group(1).item(0).block(0).block(1, {}, 100).block(2);
  return measure(trace);
}

uint64_t chainedLoads(ProgramBuilder &builder, std::vector<Operation> iteration) {
  return loop(builder, std::move(iteration)).count("chained_loads"_metric);
}

} // namespace

TEST_CASE("a loop that follows a list has a chain, one that walks an array has none", "[compute]") {
  const auto walk = [](bool followsList) {
    ProgramBuilder builder;
    const ValueId place{0}, value{1}, next{2}, total{3}, nextTotal{4};
    return chainedLoads(
        builder, {carried(builder, next, place), carried(builder, nextTotal, total),
                  loadFrom(builder, place, value),
                  sum(builder, {{followsList ? value : place, BlockId::kNone}}, next),
                  sum(builder, {{value, BlockId::kNone}, {total, BlockId::kNone}}, nextTotal)});
  };
  REQUIRE(walk(true) == 100);
  REQUIRE(walk(false) == 0);
}

TEST_CASE("parts of a vector are one load of a chain, and compare-and-swap is none", "[compute]") {
  ProgramBuilder builder;
  const ValueId place{0}, first{1}, second{2}, next{3}, seen{4}, found{5};
  Operation further = loadFrom(builder, place, second);
  further.joinedTo = 2;
  // The memory is compared with what was seen there before, which is no address.
  const Operation swap = builder.reading(
      builder.op("cmpxchg", {.memory = MemoryKind::kAtomic, .space = AddressSpace::kGlobal}),
      {{seen, BlockId::kNone}}, found);
  REQUIRE(chainedLoads(builder,
                       {carried(builder, next, place), carried(builder, found, seen),
                        loadFrom(builder, place, first), further,
                        sum(builder, {{first, BlockId::kNone}, {second, BlockId::kNone}}, next),
                        swap}) == 100);
}

TEST_CASE("loads that do not need one another are a round, one at a loaded address is another",
          "[compute]") {
  ProgramBuilder builder;
  const ValueId left{0}, right{1}, both{2}, further{3}, carriedOn{4};
  // The last load needs the first two, and the first one nothing of this iteration.
  const KernelProfile profile =
      loop(builder, {carried(builder, further, carriedOn), loadFrom(builder, carriedOn, left),
                     loadFrom(builder, carriedOn, right),
                     sum(builder, {{left, BlockId::kNone}, {right, BlockId::kNone}}, both),
                     loadFrom(builder, both, further)});
  REQUIRE(profile.count("load_rounds"_metric) == 200);
  REQUIRE(profile.count("chained_loads"_metric) == 300);
}

TEST_CASE("a vector operation counts its lanes, an fma one addition and one multiplication",
          "[compute]") {
  ProgramBuilder builder;
  const KernelProfile profile = measureOnce(
      builder,
      {builder.op("fadd", {.width = 4, .lanes = 4, .fpAdd = 4, .fpBits = 32}),             // float4
       builder.op("fmul", {.width = 16, .lanes = 16, .fpMul = 16, .fpBits = 16}),          // half16
       builder.op("call", {.width = 2, .lanes = 2, .fpAdd = 2, .fpMul = 2, .fpBits = 64}), // fma
       builder.op("frem", {.fpDiv = 1, .fpBits = 64}),
       builder.op("fdiv", {.width = 2, .lanes = 2, .fpDiv = 2, .fpBits = 32}),
       builder.op("call", {.width = 8, // sqrt(float8)
                           .lanes = 8,
                           .fpSpecial = 8,
                           .specialInstructions = 32,
                           .fpBits = 32}),
       builder.op("call", {.fpSpecial = 1, .specialInstructions = 65, .fpBits = 64}), // log
       builder.op("fneg", {.width = 4, .lanes = 4}),
       builder.op("xor", {.width = 3, .lanes = 3, .intOps = 3}), builder.op("ret")});
  REQUIRE(profile.count("fp_add"_metric) == 4 + 2);
  REQUIRE(profile.count("fp_mul"_metric) == 16 + 2);
  REQUIRE(profile.count("fp_div"_metric) == 1 + 2);
  REQUIRE(profile.count("fp_div_f64"_metric) == 1);
  REQUIRE(profile.count("fp_special"_metric) == 8 + 1);
  REQUIRE(profile.count("fp_special_instructions"_metric) == 32 + 65);
  REQUIRE(profile.count("fp_special_instructions_f64"_metric) == 65);
  REQUIRE(profile.count("fp_ops"_metric) == 6 + 18 + 1 + 2 + 8 + 1);
  REQUIRE(profile.count("fp_ops_f16"_metric) == 16);
  REQUIRE(profile.count("fp_ops_f32"_metric) == 4 + 2 + 8);
  REQUIRE(profile.count("fp_ops_f64"_metric) == 4 + 1 + 1);
  REQUIRE(profile.count("int_ops"_metric) == 3);
}

TEST_CASE("the instruction mix factor is 1 where adds and muls balance, 1/2 where one is alone",
          "[compute]") {
  REQUIRE(measureMix(7, 7).real("instruction_mix_factor"_metric) == 1);
  REQUIRE(measureMix(7, 0).real("instruction_mix_factor"_metric) == 0.5);
  REQUIRE(measureMix(0, 3).real("instruction_mix_factor"_metric) == 0.5);
  REQUIRE(measureMix(3, 1).real("instruction_mix_factor"_metric) == 4.0 / 6.0);
  REQUIRE(measureMix(0, 0).real("instruction_mix_factor"_metric) == 1);
}

TEST_CASE("SIMD width: maximum, mean, population standard deviation, sum", "[parallelism]") {
  const KernelProfile profile = measureWidths({1, 4, 4, 16});
  REQUIRE(profile.count("simd_width_max"_metric) == 16);
  REQUIRE(profile.real("simd_width_mean"_metric) == 6.25);
  // E[w²] − E[w]² = (1 + 16 + 16 + 256) / 4 − 6.25²
  REQUIRE(profile.real("simd_width_sd"_metric) ==
          Approx(std::sqrt(72.25 - 39.0625)).epsilon(1e-14));
  REQUIRE(profile.count("simd_operand_sum"_metric) == 2 * 25); // by two work-items
  REQUIRE(profile.real("instructions_per_operand"_metric) == 8.0 / 50);
  REQUIRE(profile.histograms.simdWidths == Histogram{{1, 2}, {4, 4}, {16, 2}});
}

TEST_CASE("SIMD width of widths that are all alike has no deviation", "[parallelism]") {
  const KernelProfile scalar = measureWidths({1, 1, 1});
  REQUIRE(scalar.count("simd_width_max"_metric) == 1);
  REQUIRE(scalar.real("simd_width_mean"_metric) == 1);
  REQUIRE(scalar.real("simd_width_sd"_metric) == 0);
  REQUIRE(scalar.real("instructions_per_operand"_metric) == 1);
  const KernelProfile vectors = measureWidths({8, 8});
  REQUIRE(vectors.real("simd_width_sd"_metric) == 0);
  REQUIRE(vectors.real("instructions_per_operand"_metric) == 1.0 / 8);
}
