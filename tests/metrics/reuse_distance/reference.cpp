#include "metrics/brute_force_common.h"

#include <limits>
#include <list>
#include <set>
#include <utility>

namespace aiwc::test {

using namespace trace;

namespace {

constexpr uint64_t kLineBytes = 64; // the default

/// Lowest distance of the histogram's bin: exact below 64, then eight equal parts of [2^k,
/// 2^(k+1)).
uint64_t binOf(uint64_t distance) {
  if (distance < 64)
    return distance;
  uint64_t power = 64;
  while (2 * power <= distance)
    power *= 2;
  uint64_t bin = power;
  while (bin + power / 8 <= distance)
    bin += power / 8;
  return bin;
}

} // namespace

void reuse_distance::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  const Execution &execution = traced.execution;
  // The stack, most recent line first.
  std::list<std::pair<AddressSpace, uint64_t>> stack;
  std::map<uint64_t, uint64_t> distances;
  struct OfSourceLine {
    uint64_t cold = 0;
    uint64_t ofGroups = 0; ///< first accesses of a line in a group
    std::map<uint64_t, uint64_t> distances;
  };
  std::map<uint64_t, OfSourceLine> sourceLines;
  std::vector<GroupTrace> groups = execution.groups;
  std::stable_sort(groups.begin(), groups.end(), [](const GroupTrace &a, const GroupTrace &b) {
    return a.group.linearId < b.group.linearId;
  });
  result.coldAccesses = 0;
  std::set<std::pair<AddressSpace, uint64_t>> ofGroup;
  const auto access = [&](const Access &access, uint64_t sourceLine) {
    const AddressSpace space = access.addressSpace();
    if (space != AddressSpace::kGlobal && space != AddressSpace::kConstant)
      return;
    if (access.size == 0) // touches nothing
      return;
    for (uint64_t line = access.address / kLineBytes;
         line * kLineBytes < access.address + access.size; ++line) {
      if (ofGroup.emplace(space, line).second)
        ++sourceLines[sourceLine].ofGroups;
      const auto found = std::find(stack.begin(), stack.end(), std::pair{space, line});
      if (found == stack.end()) {
        ++result.coldAccesses;
        ++sourceLines[sourceLine].cold;
      } else {
        const uint64_t bin = binOf(static_cast<uint64_t>(std::distance(stack.begin(), found)));
        ++distances[bin];
        ++sourceLines[sourceLine].distances[bin];
        stack.erase(found);
      }
      stack.emplace_front(space, line);
    }
  };
  for (const GroupTrace &group : groups) {
    ofGroup.clear();
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches) {
        for (const Access &groupAccess : stretch.groupAccesses)
          access(groupAccess, 0);
        for (const Step &step : stretch.steps)
          for (const Access &stepAccess : step.accesses)
            access(stepAccess,
                   program.operationsOf(program.block(step.block))[stepAccess.opOffset].line);
      }
  }
  result.histograms.reuseDistances = {distances.begin(), distances.end()};
  for (const auto &[line, of] : sourceLines) {
    profile::LineRow &row = rowOf(result, line);
    row.coldAccesses = of.cold;
    row.groupLines = of.ofGroups;
    row.reuseDistances = {of.distances.begin(), of.distances.end()};
  }
}

} // namespace aiwc::test
