#pragma once

#include "trace/chunk.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Finds runs that repeat the previous run (`trace::Run::repeats`). Most work-items execute the
/// same blocks as their neighbour, at other addresses. Analyses that depend only on control flow
/// can skip the blocks of such runs; analyses of memory can skip accesses at equal addresses, for
/// example to a tile that a group shares. Cost: one comparison per block and access, up to the
/// first difference.
class Repeats {
public:
  /// Returns the chunk's runs with `repeats` and `atSameAddresses` set. Valid until the next call.
  std::span<const trace::Run> mark(const trace::Chunk &chunk);

private:
  std::vector<trace::Run> runs_;
};

/// Whether the run after the one at `position` in `runs` repeats it.
inline bool isRepeated(std::span<const trace::Run> runs, size_t position) {
  return position + 1 < runs.size() && runs[position + 1].repeats;
}

/// Splits `runs` into spans, each of a run that repeats none and the runs after it that repeat it,
/// and calls visit(span) for each.
template <typename Visit> void forEachDistinct(std::span<const trace::Run> runs, Visit visit) {
  for (size_t first = 0, end = 0; first < runs.size(); first = end) {
    end = first + 1;
    while (end < runs.size() && runs[end].repeats)
      ++end;
    visit(runs.subspan(first, end - first));
  }
}

} // namespace aiwc::metrics
