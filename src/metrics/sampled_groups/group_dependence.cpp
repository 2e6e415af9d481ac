#include "metrics/sampled_groups/group_dependence.h"

#include <algorithm>
#include <vector>

namespace aiwc::metrics {

bool dependsOnOtherGroups(const trace::Program &program) {
  std::vector<bool> isUsed(program.valueCount);
  for (const trace::Operand &operand : program.operands)
    if (operand.value != trace::ValueId::kNone)
      isUsed[index(operand.value)] = true;
  return std::ranges::any_of(program.operations, [&](const trace::Operation &operation) {
    return operation.memory == trace::MemoryKind::kAtomic &&
           operation.space != trace::AddressSpace::kLocal &&
           operation.space != trace::AddressSpace::kPrivate &&
           operation.result != trace::ValueId::kNone && isUsed[index(operation.result)];
  });
}

} // namespace aiwc::metrics
