#include "metrics/brute_force_common.h"

#include <utility>

namespace aiwc::test {

using namespace trace;

namespace {

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

} // namespace

void freedom_to_reorder::reference(const Traced &traced, BruteForce &result) {
  uint64_t between = 0, pairs = 0;
  for (const auto &[item, life] : livesOf(traced.program, traced.execution)) {
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

} // namespace aiwc::test
