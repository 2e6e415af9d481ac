#include "brute_force_common.h"

namespace aiwc::test {

using namespace trace;
using profile::LineRow;

void bruteForceLines(const Program &program, const Execution &execution, BruteForce &result) {
  // Branches, reuse and idle lanes are there already, from the metrics that they are part of.
  std::map<uint64_t, LineRow> rows;
  for (const LineRow &row : result.histograms.lines)
    rows[row.line] = row;
  forEachInstruction(program, execution, [&](const Operation &operation) {
    LineRow &row = rows[operation.line];
    ++row.instructions;
    row.fpOps += operation.fpAdd;
    row.fpOps += operation.fpMul;
    row.fpOps += operation.fpDiv;
    row.fpOps += operation.fpSpecial;
  });
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches) {
        for (const Step &step : stretch.steps)
          for (const Access &access : step.accesses)
            if (access.addressSpace() != AddressSpace::kPrivate)
              rows[program.operationsOf(program.block(step.block))[access.opOffset].line].bytes +=
                  access.size;
        for (const Access &access : stretch.groupAccesses)
          if (access.addressSpace() != AddressSpace::kPrivate)
            rows[0].bytes += access.size;
      }
  result.histograms.lines.clear();
  for (auto &[line, row] : rows) {
    row.line = line;
    result.histograms.lines.push_back(row);
  }
}

} // namespace aiwc::test
