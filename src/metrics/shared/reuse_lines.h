#pragma once

#include "trace/chunk.h"

#include <algorithm>
#include <cstdint>

namespace aiwc::metrics {

/// Whether reuse is measured for an access: one of a byte or more of global or constant memory.
inline bool measuresReuse(const trace::Access &access) {
  const trace::AddressSpace space = access.addressSpace();
  return (space == trace::AddressSpace::kGlobal || space == trace::AddressSpace::kConstant) &&
         access.size > 0;
}

/// Calls visit(line) for each line of 2^`lineShift` bytes of global or constant memory that an
/// access touches; reuse is measured for these lines. The number of a line has at most 59 bits; the
/// address space is stored above them.
template <typename Visit>
void forEachReuseLine(const trace::Access &access, unsigned lineShift, Visit visit) {
  if (!measuresReuse(access))
    return;
  const auto lineOf = [&](uint64_t address) {
    return uint64_t{access.space} << 60 | address >> lineShift;
  };
  const uint64_t last = lineOf(std::max(access.address, access.address + (access.size - 1)));
  for (uint64_t line = lineOf(access.address); line <= last; ++line)
    visit(line);
}

} // namespace aiwc::metrics
