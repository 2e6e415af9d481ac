#pragma once

#include "trace/chunk.h"

#include <cstddef>

namespace aiwc::metrics {

/// Calls visit(access) for each atomic operation of a chunk. A read-modify-write, which is recorded
/// as a read and a write, is one.
template <typename Visit> void forEachAtomic(const trace::Chunk &chunk, Visit visit) {
  const auto isSecondHalf = [](const trace::Access &first, const trace::Access &second) {
    return second.write && first.atomic && !first.write && first.address == second.address &&
           first.space == second.space && first.opOffset == second.opOffset;
  };
  for (size_t i = 0; i < chunk.accesses.size(); ++i) {
    const trace::Access &access = chunk.accesses[i];
    if (access.atomic && (i == 0 || !isSecondHalf(chunk.accesses[i - 1], access)))
      visit(access);
  }
}

/// Devices carry out atomics of global memory in the order of lines of so many bytes.
inline constexpr unsigned kAtomicLineBits = 7;

/// Whether a program has atomic operations at all, which most have not.
inline bool hasAtomics(const trace::Program &program) {
  for (const trace::Operation &operation : program.operations)
    if (operation.memory == trace::MemoryKind::kAtomic)
      return true;
  return false;
}

} // namespace aiwc::metrics
