#include "metrics/brute_force_common.h"

namespace aiwc::test {

using namespace trace;

namespace {

/// The bytes that a lane accesses in one execution of an instruction, in one address space.
using LaneBytes = std::set<uint64_t>;

bool copyWrites(const Program &program, BlockId block, const Access &access) {
  return access.write &&
         program.operationsOf(program.block(block))[access.opOffset].memory == MemoryKind::kCopy;
}

bool hasNoGap(const LaneBytes &bytes) {
  return *bytes.rbegin() - *bytes.begin() == bytes.size() - 1;
}

void vectorAccesses(const Program &program, const Execution &execution, BruteForce &result) {
  constexpr uint32_t kLanes = 8;
  uint64_t all = 0, uniform = 0, consecutive = 0;
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals) {
      // (lane group, address space, block, operation, whether a copy writes, k) -> by lane
      using Key = std::tuple<uint32_t, AddressSpace, BlockId, uint32_t, bool, uint64_t>;
      std::map<Key, std::map<uint32_t, LaneBytes>> together;
      std::map<std::pair<uint32_t, BlockId>, uint64_t> executions;
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps) {
          const uint64_t k = executions[{stretch.item, step.block}]++;
          if (stretch.item == Run::kWorkGroup)
            continue;
          for (const Access &access : step.accesses) {
            if (access.addressSpace() == AddressSpace::kPrivate || access.size == 0)
              continue;
            LaneBytes &bytes =
                together[{stretch.item / kLanes, access.addressSpace(), step.block,
                          program.accessOf(program.block(step.block), access.opOffset),
                          copyWrites(program, step.block, access), k}][stretch.item];
            for (uint32_t byte = 0; byte < access.size; ++byte)
              bytes.insert(access.address + byte);
          }
        }
      for (const auto &[key, lanes] : together) {
        all += lanes.size();
        bool same = lanes.size() > 1, following = lanes.size() > 1;
        const LaneBytes &first = lanes.begin()->second;
        const LaneBytes *before = nullptr;
        for (const auto &[lane, bytes] : lanes) {
          same &= hasNoGap(bytes) && bytes == first;
          following &= hasNoGap(bytes) && bytes.size() == first.size() &&
                       (before == nullptr || *bytes.begin() == *before->rbegin() + 1);
          before = &bytes;
        }
        uniform += same ? lanes.size() : 0;
        consecutive += following ? lanes.size() : 0;
      }
    }
  result.values["uniform_accesses"_metric] = ratio(uniform, all);
  result.values["consecutive_accesses"_metric] = ratio(consecutive, all);
}

void bankTurns(const Program &program, const Execution &execution, BruteForce &result) {
  constexpr uint32_t kLanes = 32, kBanks = 32, kBankBytes = 4;
  uint64_t needed = 0, taken = 0;
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals) {
      // (lane group, block, operation, whether a copy writes, k) -> words
      std::map<std::tuple<uint32_t, BlockId, uint32_t, bool, uint64_t>, std::set<uint64_t>> words;
      std::map<std::pair<uint32_t, BlockId>, uint64_t> executions;
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps) {
          const uint64_t k = executions[{stretch.item, step.block}]++;
          if (stretch.item == Run::kWorkGroup)
            continue;
          for (const Access &access : step.accesses)
            for (uint32_t byte = 0; byte < access.size; ++byte)
              if (access.addressSpace() == AddressSpace::kLocal)
                words[{stretch.item / kLanes, step.block,
                       program.accessOf(program.block(step.block), access.opOffset),
                       copyWrites(program, step.block, access), k}]
                    .insert((access.address + byte) / kBankBytes);
        }
      for (const auto &[together, all] : words) {
        std::map<uint64_t, uint64_t> ofBank;
        uint64_t most = 0;
        for (const uint64_t word : all)
          most = std::max(most, ++ofBank[word % kBanks]);
        needed += (all.size() + kBanks - 1) / kBanks;
        taken += most;
      }
    }
  result.values["bank_efficiency"_metric] = ratio(needed, taken);
}

} // namespace

void coalescing::reference(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  if (mayBeSampled(execution))
    return;
  const Program &program = traced.program;
  vectorAccesses(program, execution, result);
  bankTurns(program, execution, result);
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t width = 16u << i;
    uint64_t needed = 0, touched = 0;
    for (const GroupTrace &group : execution.groups)
      for (const Interval &interval : group.intervals) {
        // (lane group, block, operation, whether a copy writes, k) -> bytes
        std::map<std::tuple<uint32_t, BlockId, uint32_t, bool, uint64_t>, std::vector<uint64_t>>
            bytes;
        std::map<std::pair<uint32_t, BlockId>, uint64_t> executions;
        for (const Stretch &stretch : interval.stretches)
          for (const Step &step : stretch.steps) {
            const uint64_t k = executions[{stretch.item, step.block}]++;
            for (const Access &access : step.accesses)
              for (uint32_t byte = 0; byte < access.size; ++byte)
                if (access.addressSpace() == AddressSpace::kGlobal)
                  bytes[{stretch.item / width, step.block,
                         program.accessOf(program.block(step.block), access.opOffset),
                         copyWrites(program, step.block, access), k}]
                      .push_back(access.address + byte);
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
    result.values[kVectorMetric<"coalescing">.of(width)] = ratio(needed, touched);
    if (i == 0)
      result.values["coalescing_measured"_metric] = ratio(touched > 0, touched > 0);
  }
}

} // namespace aiwc::test
