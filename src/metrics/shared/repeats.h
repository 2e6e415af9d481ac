#pragma once

#include "metrics/shared/marked_chunk.h"
#include "trace/chunk.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::metrics {

/// Finds runs that repeat the previous run (`trace::Run::repeats`), and what the accesses of
/// neighbouring work-items have in common. Most work-items execute the same blocks as their
/// neighbour, at other addresses, which are mostly as far from the neighbour's as those from the
/// one's before. Analyses that depend only on control flow can skip the blocks of such runs;
/// analyses of memory can process one access of many work-items at once. Cost: one comparison per
/// block, and two per access, up to the first difference.
class Repeats {
public:
  /// The result is valid until the next call.
  MarkedChunk mark(const trace::Chunk &chunk);

private:
  void compareWithNeighbour(const trace::Chunk &chunk, const trace::Run &before,
                            const trace::Run &run, size_t lane);
  void closeBlock(const trace::Chunk &chunk, size_t firstRun, size_t end);

  std::vector<trace::Run> runs_;
  std::vector<LaneBlock> blocks_;
  // Both are allocated for the whole chunk before the first is used, so that none of them moves.
  std::vector<Column> columns_;
  std::vector<uint64_t> addresses_;
  // Of the open block, by access
  std::vector<uint64_t> strides_; ///< between the first two lanes
  std::vector<uint64_t> breaks_;
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
