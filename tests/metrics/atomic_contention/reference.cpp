#include "metrics/brute_force_common.h"

#include <tuple>

namespace aiwc::test {

using namespace trace;

void atomic_contention::reference(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  std::map<std::tuple<AddressSpace, size_t, uint64_t>, uint64_t> atomics, lines;
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
            ++lines[{local ? AddressSpace::kLocal : AddressSpace::kGlobal, local ? group : 0,
                     local ? access.address : access.address / 128}];
          }
  for (const auto &[metric, of] : {std::pair("atomic_contention_max"_metric, &atomics),
                                   std::pair("atomic_line_contention_max"_metric, &lines)}) {
    result.values[metric] = std::monostate{};
    if (const Counts counts = countsOf(*of); !counts.empty())
      result.values[metric] = *std::max_element(counts.begin(), counts.end());
  }
}

} // namespace aiwc::test
