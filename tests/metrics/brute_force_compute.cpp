#include "brute_force_common.h"

#include <string>
#include <utility>

namespace aiwc::test {

using namespace trace;

namespace {

void opcodes(const Program &program, const Execution &execution, BruteForce &result) {
  std::map<std::string, uint64_t> counts;
  uint64_t instructions = 0;
  forEachInstruction(program, execution, [&](const Operation &operation) {
    ++counts[program.opcodeNames[index(operation.opcode)]];
    ++instructions;
  });
  result.values["total_instruction_count"_metric] = instructions;
  result.values["opcode_90"_metric] = cover90(countsOf(counts));
  result.histograms.opcodes = counts;
}

void work(const Program &program, const Execution &execution, BruteForce &result) {
  uint64_t add = 0, mul = 0, div = 0, special = 0, intOps = 0;
  std::map<int, uint64_t> byBits;
  forEachInstruction(program, execution, [&](const Operation &operation) {
    add += operation.fpAdd;
    mul += operation.fpMul;
    div += operation.fpDiv;
    special += operation.fpSpecial;
    intOps += operation.intOps;
    byBits[operation.fpBits] +=
        operation.fpAdd + operation.fpMul + operation.fpDiv + operation.fpSpecial;
  });
  result.values["fp_add"_metric] = add;
  result.values["fp_mul"_metric] = mul;
  result.values["fp_div"_metric] = div;
  result.values["fp_special"_metric] = special;
  result.values["fp_ops"_metric] = add + mul + div + special;
  result.values["fp_ops_f16"_metric] = byBits[16];
  result.values["fp_ops_f32"_metric] = byBits[32];
  result.values["fp_ops_f64"_metric] = byBits[64];
  result.values["int_ops"_metric] = intOps;
  // AutoMatch, equation 1
  result.values["instruction_mix_factor"_metric] =
      add == 0 && mul == 0 ? profile::Value{1.0}
                           : ratio(static_cast<long double>(add + mul),
                                   2 * static_cast<long double>(std::max(add, mul)));
}

/// The work-items' instructions, each work-item's in the order in which it executed them.
using Lives = std::map<std::pair<size_t, uint32_t>, std::vector<const Operation *>>;

Lives livesOf(const Program &program, const Execution &execution) {
  Lives lives;
  for (size_t group = 0; group < execution.groups.size(); ++group)
    for (const Interval &interval : execution.groups[group].intervals)
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps)
          for (uint32_t i = 0; i < step.operations; ++i)
            lives[{group, stretch.item}].push_back(
                &program.operationsOf(program.block(step.block))[i]);
  return lives;
}

void freedomToReorder(const Program &program, const Execution &execution, BruteForce &result) {
  uint64_t between = 0, pairs = 0;
  for (const auto &[item, life] : livesOf(program, execution)) {
    std::vector<size_t> memoryInstructions; // their positions in the work-item's life
    for (size_t i = 0; i < life.size(); ++i)
      if (life[i]->memory != MemoryKind::kNone && life[i]->space != AddressSpace::kPrivate)
        memoryInstructions.push_back(i);
    for (size_t k = 1; k < memoryInstructions.size(); ++k) {
      between += memoryInstructions[k] - memoryInstructions[k - 1] - 1;
      ++pairs;
    }
  }
  result.values["freedom_to_reorder"_metric] = ratio(between, pairs);
}

} // namespace

void bruteForceCompute(const Program &program, const Execution &execution, BruteForce &result) {
  opcodes(program, execution, result);
  work(program, execution, result);
  freedomToReorder(program, execution, result);
}

} // namespace aiwc::test
