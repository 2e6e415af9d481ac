#include "metrics/brute_force_common.h"

#include <tuple>

namespace aiwc::test {

using namespace trace;

void atomic_contention::reference(const Traced &traced, BruteForce &result) {
  const Execution &execution = traced.execution;
  std::map<std::tuple<AddressSpace, size_t, uint64_t>, uint64_t> atomics, lines;
  for (size_t group = 0; group < execution.groups.size(); ++group)
    for (const Interval &interval : execution.groups[group].intervals) {
      // Of atomics that join lanes: by operation, address and 32 neighbours, those of each item.
      std::map<std::tuple<const Operation *, AddressSpace, uint64_t, uint32_t>,
               std::map<uint32_t, uint64_t>>
          joined;
      const auto lineOf = [&](AddressSpace space, uint64_t address) {
        const bool local = space == AddressSpace::kLocal;
        return std::tuple(local ? AddressSpace::kLocal : AddressSpace::kGlobal, local ? group : 0,
                          local ? address : address / 128);
      };
      for (const Stretch &stretch : interval.stretches)
        for (const Step &step : stretch.steps)
          for (const Access &access : step.accesses) {
            // Every atomic of these traces reads; whether it writes, too, makes no second one.
            if (!access.atomic || access.write || access.addressSpace() == AddressSpace::kPrivate)
              continue;
            const AddressSpace space = access.addressSpace();
            ++atomics[{space, space == AddressSpace::kLocal ? group : 0, access.address}];
            const Block &block = traced.program.blocks[index(step.block)];
            const Operation &operation = traced.program.operationsOf(block)[access.opOffset];
            if (operation.joinsLanes)
              ++joined[{&operation, space, access.address, stretch.item / 32}][stretch.item];
            else
              ++lines[lineOf(space, access.address)];
          }
      for (const auto &[of, byItem] : joined) {
        const Counts counts = countsOf(byItem);
        lines[lineOf(std::get<AddressSpace>(of), std::get<uint64_t>(of))] +=
            *std::max_element(counts.begin(), counts.end());
      }
    }
  for (const auto &[metric, of] : {std::pair("atomic_contention_max"_metric, &atomics),
                                   std::pair("atomic_line_contention_max"_metric, &lines)}) {
    result.values[metric] = std::monostate{};
    if (const Counts counts = countsOf(*of); !counts.empty())
      result.values[metric] = *std::max_element(counts.begin(), counts.end());
  }
}

} // namespace aiwc::test
