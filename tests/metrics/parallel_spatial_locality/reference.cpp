#include "metrics/brute_force_common.h"

namespace aiwc::test {

using namespace trace;

void parallel_spatial_locality::reference(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  const uint64_t workGroupSize = traced.workGroupSize;
  if (mayBeSampled(execution))
    return;
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
    result.values[kVectorMetric<"parallel_spatial_locality">.of(skipped)] =
        workGroupSize == 1 ? ratio(0, accesses) : ratio(sum, accesses * most);
    result.values["parallel_spatial_locality_measured"_metric] = ratio(accesses, accesses);
  }
}

} // namespace aiwc::test
