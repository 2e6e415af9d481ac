#pragma once

#include "trace/chunk.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Finds the runs that are the run before them over again (`trace::Run::repeats`). Work-items
/// mostly do what their neighbour has just done, at other addresses; an analysis that depends on
/// control flow alone then need not look at their blocks, nor one of memory at accesses to the same
/// addresses, as those to a tile that a group shares. Cost: a comparison per block and access, up
/// to the first that differs.
class Repeats {
public:
  /// The chunk's runs, with `repeats` and `atSameAddresses` set. Valid until the next call.
  std::span<const trace::Run> mark(const trace::Chunk &chunk);

private:
  std::vector<trace::Run> runs_;
};

/// Whether the run behind the one at `position` in `runs` is that one over again.
inline bool isRepeated(std::span<const trace::Run> runs, size_t position) {
  return position + 1 < runs.size() && runs[position + 1].repeats;
}

/// Calls visit(alike) for each run that repeats none, with it and those behind it that repeat it.
template <typename Visit> void forEachDistinct(std::span<const trace::Run> runs, Visit visit) {
  for (size_t first = 0, end = 0; first < runs.size(); first = end) {
    end = first + 1;
    while (end < runs.size() && runs[end].repeats)
      ++end;
    visit(runs.subspan(first, end - first));
  }
}

} // namespace aiwc::metrics
