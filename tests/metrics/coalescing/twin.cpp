#include "metrics/brute_force_common.h"

namespace aiwc::test {

using namespace trace;

void coalescing::twin(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  if (mayBeSampled(execution))
    return;
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
    result.values[kVectorMetric<"coalescing">.of(width)] = ratio(needed, touched);
    if (i == 0)
      result.values["coalescing_measured"_metric] = ratio(touched > 0, touched > 0);
  }
}

} // namespace aiwc::test
