#include "metrics/brute_force_common.h"

#include <utility>

namespace aiwc::test {

using namespace trace;
using profile::Metric;

namespace {

/// One work-item: the instructions it executed, those between its barriers, and its
/// floating-point operations.
struct Life {
  uint64_t instructions = 0;
  uint64_t machineInstructions = 0; ///< of these, with machineSegments like segments
  std::vector<uint64_t> machineSegments = {0};
  uint64_t fpOps = 0;
  std::vector<uint64_t> segments = {0}; ///< the last of them ends where the work-item does
};

/// Minimum, median and maximum of `values`; none of them where there are no values.
void spread(const std::vector<uint64_t> &values, Metric min, Metric mid, Metric max,
            BruteForce &result) {
  result.values[min] = result.values[mid] = result.values[max] = std::monostate{};
  if (values.empty())
    return;
  result.values[min] = *std::min_element(values.begin(), values.end());
  result.values[mid] = real(median(values));
  result.values[max] = *std::max_element(values.begin(), values.end());
}

std::map<std::pair<size_t, uint32_t>, Life> livesOf(const Program &program,
                                                    const Execution &execution) {
  std::map<std::pair<size_t, uint32_t>, Life> lives;
  for (size_t group = 0; group < execution.groups.size(); ++group)
    for (const Interval &interval : execution.groups[group].intervals)
      for (const Stretch &stretch : interval.stretches) {
        if (stretch.item == Run::kWorkGroup)
          continue;
        Life &life = lives[{group, stretch.item}]; // began, even if it executes nothing
        for (const Step &step : stretch.steps)
          for (uint32_t i = 0; i < step.operations; ++i) {
            const Block &block = program.block(step.block);
            const Operation &operation = program.operationsOf(block)[i];
            ++life.instructions;
            const uint64_t ofMachine = operation.isPseudo ? 0 : 1;
            life.machineInstructions += ofMachine;
            life.fpOps += operation.fpAdd + operation.fpMul + operation.fpDiv + operation.fpSpecial;
            if (block.end == BlockEnd::kBarrier && i + 1 == block.opCount) {
              life.segments.push_back(0); // the barrier call itself is in no segment
              life.machineSegments.push_back(0);
            } else {
              ++life.segments.back();
              life.machineSegments.back() += ofMachine;
            }
          }
      }
  return lives;
}

void workItems(const Program &program, const Execution &execution, BruteForce &result) {
  std::vector<uint64_t> perThread, fpOps, segments, machinePerThread, machineSegments;
  std::map<size_t, uint64_t> perGroup;
  uint64_t barriers = 0, instructions = 0;
  for (const auto &[item, life] : livesOf(program, execution)) {
    perThread.push_back(life.instructions);
    fpOps.push_back(life.fpOps);
    segments.insert(segments.end(), life.segments.begin(), life.segments.end());
    machinePerThread.push_back(life.machineInstructions);
    machineSegments.insert(machineSegments.end(), life.machineSegments.begin(),
                           life.machineSegments.end());
    barriers += life.segments.size() - 1;
    instructions += life.instructions;
    perGroup[item.first] += life.instructions;
  }
  const uint64_t items = perThread.size();
  result.values["work_items"_metric] = items;
  result.values["work_groups"_metric] = uint64_t{execution.groups.size()};
  result.values["barriers_hit"_metric] = barriers;
  spread(segments, "itb_min"_metric, "itb_median"_metric, "itb_max"_metric, result);
  spread(perThread, "ipt_min"_metric, "ipt_median"_metric, "ipt_max"_metric, result);
  for (const Metric metric :
       {"machine_ipt_min"_metric, "machine_ipt_max"_metric, "machine_itb_median"_metric})
    result.values[metric] = std::monostate{};
  if (items > 0) {
    result.values["machine_ipt_min"_metric] = std::ranges::min(machinePerThread);
    result.values["machine_ipt_max"_metric] = std::ranges::max(machinePerThread);
    result.values["machine_itb_median"_metric] = real(median(machineSegments));
  }
  result.values["fp_ops_max_item"_metric] = std::monostate{};
  if (items > 0)
    result.values["fp_ops_max_item"_metric] = *std::max_element(fpOps.begin(), fpOps.end());
  result.values["work_group_instructions_max"_metric] = std::monostate{};
  if (items > 0)
    result.values["work_group_instructions_max"_metric] = std::ranges::max(countsOf(perGroup));
  result.values["load_imbalance"_metric] = std::monostate{};
  if (items > 0)
    result.values["load_imbalance"_metric] = *std::max_element(perThread.begin(), perThread.end()) -
                                             *std::min_element(perThread.begin(), perThread.end());
  result.values["granularity"_metric] = ratio(1, items);
  result.values["barriers_per_instruction"_metric] = ratio(barriers + items, instructions);
  result.histograms.instructionsToBarrier = histogramOf(segments);
  result.histograms.instructionsPerThread = histogramOf(perThread);
}

} // namespace

void parallelism::reference(const Traced &traced, BruteForce &result) {
  result.values["work_group_size"_metric] = traced.workGroupSize;
  workItems(traced.program, traced.execution, result);
}

} // namespace aiwc::test
