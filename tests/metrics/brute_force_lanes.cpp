#include "brute_force_common.h"

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
    result.values["lane_utilization"_metrics.of(width)] = utilization(instructions, width);
    result.values["lane_utilization_fp"_metrics.of(width)] = utilization(fp, width);
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

void coalescing(const Execution &execution, BruteForce &result) {
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t width = 16u << i;
    uint64_t needed = 0, touched = 0;
    for (const GroupTrace &group : execution.groups)
      for (const Interval &interval : group.intervals) {
        // (lane group, block, operation, k) -> bytes
        std::map<std::tuple<uint32_t, BlockId, uint32_t, uint64_t>, std::vector<uint64_t>> bytes;
        std::map<std::pair<uint32_t, BlockId>, uint64_t> executions;
        for (const Stretch &stretch : interval.stretches)
          for (const Step &step : stretch.steps) {
            const uint64_t k = executions[{stretch.item, step.block}]++;
            for (const Access &access : step.accesses)
              for (uint32_t byte = 0; byte < access.size; ++byte)
                if (access.addressSpace() == AddressSpace::kGlobal)
                  bytes[{stretch.item / width, step.block, access.opOffset, k}].push_back(
                      access.address + byte);
          }
        for (const auto &[together, list] : bytes) {
          const std::set<uint64_t> distinct(list.begin(), list.end());
          std::set<uint64_t> segments;
          for (const uint64_t byte : distinct)
            segments.insert(byte / 128);
          needed += (distinct.size() + 127) / 128;
          touched += segments.size();
        }
      }
    result.values[following("coalescing_16"_metric, i)] = ratio(needed, touched);
    if (i == 0)
      result.values["coalescing_measured"_metric] = ratio(touched > 0, touched > 0);
  }
}

void parallelSpatialLocality(const Execution &execution, uint64_t workGroupSize,
                             BruteForce &result) {
  for (unsigned skipped = 0; skipped <= 10; ++skipped) {
    long double sum = 0;
    uint64_t accesses = 0;
    for (const GroupTrace &group : execution.groups)
      for (const Interval &interval : group.intervals) {
        // k -> address space and address without its lowest bits -> work-items
        std::map<uint64_t, std::map<std::pair<AddressSpace, uint64_t>, uint64_t>> columns;
        std::map<uint32_t, uint64_t> made;
        for (const Stretch &stretch : interval.stretches)
          for (const Step &step : stretch.steps)
            for (const Access &access : step.accesses)
              if (access.addressSpace() != AddressSpace::kPrivate)
                ++columns[made[stretch.item]++][{access.addressSpace(), access.address >> skipped}];
        for (const auto &[k, addresses] : columns) {
          const Counts counts = countsOf(addresses);
          const uint64_t participants = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
          sum += static_cast<long double>(participants) * entropy(counts);
          accesses += participants;
        }
      }
    const long double most = std::log2(static_cast<long double>(workGroupSize));
    result.values[following("parallel_spatial_locality_0"_metric, skipped)] =
        workGroupSize == 1 ? ratio(0, accesses) : ratio(sum, accesses * most);
    result.values["parallel_spatial_locality_measured"_metric] = ratio(accesses, accesses);
  }
}

void atomicContention(const Execution &execution, BruteForce &result) {
  std::map<std::tuple<AddressSpace, size_t, uint64_t>, uint64_t> atomics;
  for (size_t group = 0; group < execution.groups.size(); ++group)
    for (const Interval &interval : execution.groups[group].intervals)
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps)
          for (const Access &access : step.accesses) {
            // Every atomic of these traces reads; whether it writes, too, makes no second one.
            if (!access.atomic || access.write || access.addressSpace() == AddressSpace::kPrivate)
              continue;
            const bool local = access.addressSpace() == AddressSpace::kLocal;
            ++atomics[{access.addressSpace(), local ? group : 0, access.address}];
          }
  result.values["atomic_contention_max"_metric] = std::monostate{};
  if (const Counts counts = countsOf(atomics); !counts.empty())
    result.values["atomic_contention_max"_metric] = *std::max_element(counts.begin(), counts.end());
}

/// Whether a work-item makes more accesses in a barrier interval than have to be looked at.
bool mayBeSampled(const Execution &execution) {
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches) {
        size_t accesses = 0;
        for (const Step &step : stretch.steps)
          accesses += step.accesses.size();
        if (accesses > 1024)
          return true;
      }
  return false;
}

} // namespace

void bruteForceLanes(const Program &program, const Execution &execution, uint64_t workGroupSize,
                     BruteForce &result) {
  laneUtilization(program, execution, result);
  idleLanes(program, execution, result);
  atomicContention(execution, result);
  if (mayBeSampled(execution))
    return;
  coalescing(execution, result);
  parallelSpatialLocality(execution, workGroupSize, result);
}

} // namespace aiwc::test
