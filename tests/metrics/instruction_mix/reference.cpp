#include "metrics/brute_force_common.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace aiwc::test {

using namespace trace;

namespace {

void opcodes(const Program &program, const Execution &execution, BruteForce &result) {
  std::map<std::string, uint64_t> counts;
  uint64_t instructions = 0;
  uint64_t ofMachine = 0;
  forEachInstruction(program, execution, [&](const Operation &operation) {
    ++counts[program.opcodeNames[index(operation.opcode)]];
    ++instructions;
    if (!operation.isPseudo)
      ++ofMachine;
  });
  result.values["total_instruction_count"_metric] = instructions;
  result.values["machine_instruction_count"_metric] = ofMachine;
  result.values["opcode_90"_metric] = cover90(countsOf(counts));
  result.histograms.opcodes = counts;
}

void work(const Program &program, const Execution &execution, BruteForce &result) {
  uint64_t add = 0, mul = 0, div = 0, special = 0, intOps = 0, uniformDivisions = 0,
           conversions = 0, wideIntOps = 0, joined = 0, products = 0, wideProducts = 0;
  std::map<int, uint64_t> byBits, specialByBits, divisionsByBits;
  std::map<MatrixType, uint64_t> byMatrix;
  forEachInstruction(program, execution, [&](const Operation &operation) {
    add += operation.fpAdd;
    mul += operation.fpMul;
    div += operation.fpDiv;
    divisionsByBits[operation.fpBits] += operation.fpDiv;
    special += operation.fpSpecial;
    specialByBits[operation.fpBits] += operation.specialInstructions;
    intOps += operation.intOps;
    if (operation.wideInteger)
      wideIntOps += operation.intOps;
    products += operation.isProduct ? operation.width : 0;
    wideProducts += operation.isWideProduct ? operation.width : 0;
    if (operation.accessesSharedMemory() && operation.joinedTo != Operation::kAlone)
      ++joined;
    if (operation.dividesByConstant)
      uniformDivisions += operation.width;
    if (operation.convertsWidth)
      conversions += operation.width;
    byMatrix[operation.matrixType] += operation.matrixOps;
    byBits[operation.fpBits] +=
        operation.fpAdd + operation.fpMul + operation.fpDiv + operation.fpSpecial;
  });
  result.values["fp_add"_metric] = add;
  result.values["fp_mul"_metric] = mul;
  result.values["fp_div"_metric] = div;
  result.values["fp_div_f64"_metric] = divisionsByBits[64];
  result.values["fp_special"_metric] = special;
  result.values["fp_special_instructions"_metric] =
      specialByBits[0] + specialByBits[16] + specialByBits[32] + specialByBits[64];
  result.values["fp_special_instructions_f64"_metric] = specialByBits[64];
  result.values["fp_ops"_metric] = add + mul + div + special;
  result.values["fp_ops_f16"_metric] = byBits[16];
  result.values["fp_ops_f32"_metric] = byBits[32];
  result.values["fp_ops_f64"_metric] = byBits[64];
  result.values["int_ops"_metric] = intOps;
  result.values["int_ops_64"_metric] = wideIntOps;
  result.values["int_mul"_metric] = products;
  result.values["int_mul_64"_metric] = wideProducts;
  result.values["joined_accesses"_metric] = joined;
  result.values["int_div_uniform"_metric] = uniformDivisions;
  result.values["fp_conversions"_metric] = conversions;
  uint64_t inMatrices = 0;
  for (const auto &[type, operations] : byMatrix)
    inMatrices += operations;
  result.values["matrix_ops"_metric] = inMatrices;
  result.values["matrix_ops_f16"_metric] = byMatrix[MatrixType::k16Bits];
  result.values["matrix_ops_tf32"_metric] = byMatrix[MatrixType::kTf32];
  result.values["matrix_ops_i8"_metric] = byMatrix[MatrixType::kInt8];
  result.values["matrix_ops_f64"_metric] = byMatrix[MatrixType::kDouble];
  // AutoMatch, equation 1
  result.values["instruction_mix_factor"_metric] =
      add == 0 && mul == 0 ? profile::Value{1.0}
                           : ratio(static_cast<long double>(add + mul),
                                   2 * static_cast<long double>(std::max(add, mul)));
}

void simd(const Program &program, const Execution &execution, BruteForce &result) {
  std::vector<uint64_t> widths;
  forEachInstruction(program, execution,
                     [&](const Operation &operation) { widths.push_back(operation.width); });
  const uint64_t sum = std::accumulate(widths.begin(), widths.end(), uint64_t{0});
  result.values["simd_operand_sum"_metric] = sum;
  result.values["instructions_per_operand"_metric] = ratio(widths.size(), sum);
  result.values["simd_width_mean"_metric] = ratio(sum, widths.size());
  result.values["simd_width_max"_metric] = result.values["simd_width_sd"_metric] = std::monostate{};
  result.histograms.simdWidths = histogramOf(widths);
  if (widths.empty())
    return;
  result.values["simd_width_max"_metric] = *std::max_element(widths.begin(), widths.end());
  const long double mean = static_cast<long double>(sum) / widths.size();
  long double squares = 0;
  for (uint64_t width : widths)
    squares += (width - mean) * (width - mean);
  result.values["simd_width_sd"_metric] = real(std::sqrt(squares / widths.size()));
}

/// What the values that decide the address of a load, or the result of another operation, need.
struct Needs {
  explicit Needs(const Program &all) : program(all) {
    for (const Operation &operation : all.operations)
      if (operation.result != ValueId::kNone)
        definitions[operation.result] = &operation;
  }

  std::vector<const Operation *> of(const Operation &operation) const {
    std::vector<const Operation *> needed;
    for (const Operand &operand : program.operandsOf(operation))
      if (operand.value != ValueId::kNone && operand.value != operation.stored &&
          definitions.contains(operand.value))
        needed.push_back(definitions.at(operand.value));
    return needed;
  }

  bool needsItself(const Operation &operation) const {
    std::set<const Operation *> seen;
    std::vector<const Operation *> open = of(operation);
    while (!open.empty()) {
      const Operation *const next = open.back();
      open.pop_back();
      if (next == &operation)
        return true;
      if (seen.insert(next).second)
        for (const Operation *const further : of(*next))
          open.push_back(further);
    }
    return false;
  }

  /// The most loads of which each needs the one before, ending with this operation of the block.
  uint64_t rounds(const Block &block, const Operation &operation) const {
    const std::span operations = program.operationsOf(block);
    uint64_t most = 0;
    for (const Operation *const before : of(operation))
      if (before >= operations.data() && before < &operation)
        most = std::max(most, rounds(block, *before));
    return most + (isLoad(operation) ? 1 : 0);
  }

  static bool isLoad(const Operation &operation) {
    return operation.accessesSharedMemory() && operation.memory == MemoryKind::kLoad &&
           operation.joinedTo == Operation::kAlone;
  }

  const Program &program;
  std::map<ValueId, const Operation *> definitions;
};

void chains(const Program &program, const Execution &execution, BruteForce &result) {
  const Needs needs(program);
  uint64_t chained = 0;
  uint64_t rounds = 0;
  const auto visit = [&](const Step &step) {
    const Block &block = program.block(step.block);
    if (step.operations != block.opCount)
      return;
    uint64_t most = 0;
    for (const Operation &operation : program.operationsOf(block)) {
      chained += Needs::isLoad(operation) && needs.needsItself(operation) ? 1 : 0;
      most = std::max(most, needs.rounds(block, operation));
    }
    rounds += most;
  };
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches)
        std::ranges::for_each(stretch.steps, visit);
  result.values["chained_loads"_metric] = chained;
  result.values["load_rounds"_metric] = rounds;
}

} // namespace

void instruction_mix::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  const Execution &execution = traced.execution;
  opcodes(program, execution, result);
  work(program, execution, result);
  simd(program, execution, result);
  chains(program, execution, result);
}

} // namespace aiwc::test
