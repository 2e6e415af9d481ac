#include "metrics/brute_force_common.h"

#include <array>
#include <tuple>
#include <utility>

namespace aiwc::test {

using namespace trace;
using profile::LineRow;

namespace {

/// (group, block, lane group, lane) -> what the lane did there.
using Lanes = std::map<std::tuple<size_t, BlockId, uint32_t>, std::map<uint32_t, uint64_t>>;

profile::Value utilization(const Lanes &lanes, uint64_t width) {
  uint64_t done = 0, offered = 0;
  for (const auto &[place, perLane] : lanes) {
    uint64_t most = 0;
    for (const auto &[lane, work] : perLane) {
      done += work;
      most = std::max(most, work);
    }
    offered += width * most;
  }
  return ratio(done, offered);
}

void laneUtilization(const Program &program, const Execution &execution, BruteForce &result) {
  for (size_t i = 0; i < 4; ++i) {
    const uint32_t width = 8u << i;
    Lanes instructions, fp;
    for (size_t group = 0; group < execution.groups.size(); ++group)
      for (const Interval &interval : execution.groups[group].intervals)
        for (const Stretch &stretch : interval.stretches)
          for (const Step &step : stretch.steps)
            for (uint32_t o = 0; o < step.operations; ++o) {
              const Operation &operation = program.operationsOf(program.block(step.block))[o];
              const std::tuple place{group, step.block, stretch.item / width};
              instructions[place][stretch.item] += 1;
              fp[place][stretch.item] +=
                  operation.fpAdd + operation.fpMul + operation.fpDiv + operation.fpSpecial;
            }
    result.values[kVectorMetric<"lane_utilization">.of(width)] = utilization(instructions, width);
    result.values[kVectorMetric<"lane_utilization_fp">.of(width)] = utilization(fp, width);
  }
}

/// Per instruction: w times its executions by the lane that executes it most often, less those by
/// all lanes, summed over lane groups.
void idleLanes(const Program &program, const Execution &execution, BruteForce &result) {
  const std::array<uint64_t LineRow::*, 4> columns = {&LineRow::idleLanes8, &LineRow::idleLanes16,
                                                      &LineRow::idleLanes32, &LineRow::idleLanes64};
  for (size_t i = 0; i < columns.size(); ++i) {
    const uint32_t width = 8u << i;
    // (group, block, offset in it, lane group) -> executions by each lane
    std::map<std::tuple<size_t, BlockId, uint32_t, uint32_t>, std::map<uint32_t, uint64_t>> lanes;
    for (size_t group = 0; group < execution.groups.size(); ++group)
      for (const Interval &interval : execution.groups[group].intervals)
        for (const Stretch &stretch : interval.stretches)
          for (const Step &step : stretch.steps)
            for (uint32_t o = 0; o < step.operations; ++o)
              ++lanes[{group, step.block, o, stretch.item / width}][stretch.item];
    for (const auto &[place, perLane] : lanes) {
      uint64_t most = 0, done = 0;
      for (const auto &[lane, executions] : perLane) {
        done += executions;
        most = std::max(most, executions);
      }
      const Operation &operation =
          program.operationsOf(program.block(std::get<1>(place)))[std::get<2>(place)];
      rowOf(result, operation.line).*columns[i] += width * most - done;
    }
  }
}

} // namespace

void lane_utilization::reference(const Traced &traced, BruteForce &result) {
  laneUtilization(traced.program, traced.execution, result);
  idleLanes(traced.program, traced.execution, result);
}

} // namespace aiwc::test
