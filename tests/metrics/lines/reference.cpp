#include "metrics/brute_force_common.h"

#include <algorithm>

namespace aiwc::test {

using namespace trace;
using profile::LineRow;

void lines::reference(const Traced &traced, BruteForce &result) {
  const Program &program = traced.program;
  const Execution &execution = traced.execution;
  forEachInstruction(program, execution, [&](const Operation &operation) {
    LineRow &row = rowOf(result, operation.line);
    ++row.instructions;
    if (operation.isPseudo)
      ++row.pseudoInstructions;
    row.fpOps += operation.fpAdd;
    row.fpOps += operation.fpMul;
    row.fpOps += operation.fpDiv;
    row.fpOps += operation.fpSpecial;
    if (operation.accidentalDouble)
      row.accidentalDoubles +=
          std::max<uint64_t>(operation.lanes, operation.fpAdd + operation.fpMul + operation.fpDiv +
                                                  operation.fpSpecial);
    if (operation.accidentalConversion)
      row.accidentalConversions += operation.width;
    if (operation.repeated)
      row.repeatedOps += operation.fpDiv + operation.fpSpecial;
    if (operation.constantPower)
      row.constantPowers += operation.fpSpecial;
    if (operation.dividesByConstant)
      row.divisionsByConstants += operation.width;
    if (operation.wideIndexProduct)
      ++row.wideIndexProducts;
    if (operation.wideIndexDivision)
      ++row.wideIndexDivisions;
  });
  for (const GroupTrace &group : execution.groups)
    for (const Interval &interval : group.intervals)
      for (const Stretch &stretch : interval.stretches) {
        for (const Step &step : stretch.steps)
          for (const Access &access : step.accesses)
            if (access.addressSpace() != AddressSpace::kPrivate)
              rowOf(result, program.operationsOf(program.block(step.block))[access.opOffset].line)
                  .bytes += access.size;
        for (const Access &access : stretch.groupAccesses)
          if (access.addressSpace() != AddressSpace::kPrivate)
            rowOf(result, 0).bytes += access.size;
      }
}

} // namespace aiwc::test
