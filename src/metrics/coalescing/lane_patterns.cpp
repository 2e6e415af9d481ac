#include "metrics/coalescing/lane_patterns.h"

namespace aiwc::metrics {
namespace {

/// The segments that lanes need and touch if they access these pieces, which are sorted by address.
template <typename Pieces> Segments segmentsOf(const Pieces &sorted) {
  uint64_t bytes = 0, coveredEnd = 0, nextSegment = 0;
  Segments segments;
  for (const Piece &piece : sorted) {
    const uint64_t from = std::max(piece.address, coveredEnd);
    if (piece.end() <= from)
      continue;
    bytes += piece.end() - from;
    coveredEnd = piece.end();
    const uint64_t first = std::max(from >> kSegmentBits, nextSegment);
    nextSegment = ((coveredEnd - 1) >> kSegmentBits) + 1;
    segments.touched += nextSegment - first;
  }
  segments.needed = (bytes + (uint64_t{1} << kSegmentBits) - 1) >> kSegmentBits;
  return segments;
}

/// Adds the pieces of lanes that a CPU's compiler may join to a vector; `pieces` has one per lane
/// that takes part, by lane.
void addVector(std::span<const Piece> pieces, LanePattern &pattern) {
  if (pieces.size() < 2)
    return;
  bool uniform = true, consecutive = true;
  for (size_t i = 1; i < pieces.size(); ++i) {
    uniform &= pieces[i].address == pieces[0].address && pieces[i].size == pieces[0].size;
    consecutive &= pieces[i].address == pieces[i - 1].end() && pieces[i].size == pieces[0].size;
  }
  pattern.uniform += uniform ? pieces.size() : 0;
  pattern.consecutive += consecutive ? pieces.size() : 0;
}

} // namespace

const LanePattern &LanePatterns::of(Together &together) {
  Key key;
  if (!equallySpaced(together, key))
    return latest_ = classifyAnew(together);
  Known &known = known_[key.hash() % kKnown];
  if (known.key != key)
    known = {key, classifyAnew(together)};
  return known.pattern;
}

/// Whether all pieces have the same size and distance, and each lane has one piece.
bool LanePatterns::equallySpaced(const Together &together, Key &key) {
  const std::span<const Piece> pieces = together.pieces;
  const size_t n = pieces.size();
  if (together.lanes() != n)
    return false;
  for (size_t l = 0; l < together.begin.size(); ++l)
    if (together.begin[l] != std::min(n, l * kVectorLanes))
      return false;
  key = {n, n > 1 ? pieces[1].address - pieces[0].address : 0,
         pieces[0].address & ((uint64_t{1} << kSegmentBits) - 1), pieces[0].size};
  uint64_t deviation = 0;
  for (size_t i = 1; i < n; ++i)
    deviation |= ((pieces[i].address - pieces[i - 1].address) ^ key.stride) |
                 (pieces[i].size ^ pieces[0].size);
  return deviation == 0;
}

/// Does not use the cache. Sorts the pieces.
LanePattern LanePatterns::classifyAnew(Together &together) {
  LanePattern result;
  for (size_t l = 0; l < Together::kVectors; ++l)
    if (together.onePiecePerLane(l))
      addVector(together.ofLanes(l, l + 1), result);
  const bool sorted = std::is_sorted(together.pieces.begin(), together.pieces.end());
  size_t lanes = kNarrowestLaneGroup / kVectorLanes;
  for (uint32_t width = 0; width < kLaneGroupWidths; ++width, lanes *= 2)
    for (size_t l = 0; l + 1 < together.begin.size(); l += lanes) {
      const std::span<Piece> pieces = together.ofLanes(l, l + lanes);
      if (!sorted && width == 0)
        std::sort(pieces.begin(), pieces.end());
      else if (!sorted)
        merge(pieces, together.ofLanes(l, l + lanes / 2).size());
      result.segments[width].add(segmentsOf(pieces));
    }
  return result;
}

/// Merges two sorted halves.
void LanePatterns::merge(std::span<Piece> pieces, size_t middle) {
  if (middle == 0 || middle == pieces.size())
    return;
  merged_.resize(pieces.size());
  const auto half = pieces.begin() + static_cast<std::ptrdiff_t>(middle);
  std::merge(pieces.begin(), half, half, pieces.end(), merged_.begin());
  std::copy(merged_.begin(), merged_.end(), pieces.begin());
}

} // namespace aiwc::metrics
