#include "metrics/coalescing/segment_counter.h"

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

} // namespace

SegmentsPerWidth SegmentCounter::count(Together &together) {
  Key key;
  if (!equallySpaced(together, key))
    return countAnew(together);
  Known &known = known_[key.hash() % kKnown];
  if (known.key != key)
    known = {key, countAnew(together)};
  return known.segments;
}

/// Whether all pieces have the same size and distance, and each lane has one piece.
bool SegmentCounter::equallySpaced(const Together &together, Key &key) {
  const std::span<const Piece> pieces = together.pieces;
  const size_t n = pieces.size();
  for (size_t l = 0; l < together.begin.size(); ++l)
    if (together.begin[l] != std::min(n, l * kNarrowestLaneGroup))
      return false;
  key = {n, n > 1 ? pieces[1].address - pieces[0].address : 0,
         pieces[0].address & ((uint64_t{1} << kSegmentBits) - 1), pieces[0].size};
  uint64_t deviation = 0;
  for (size_t i = 1; i < n; ++i)
    deviation |= ((pieces[i].address - pieces[i - 1].address) ^ key.stride) |
                 (pieces[i].size ^ pieces[0].size);
  return deviation == 0;
}

/// Counts without the cache. Sorts the pieces.
SegmentsPerWidth SegmentCounter::countAnew(Together &together) {
  SegmentsPerWidth result;
  const bool sorted = std::is_sorted(together.pieces.begin(), together.pieces.end());
  size_t lanes = 1; // in units of 16
  for (uint32_t width = 0; width < kLaneGroupWidths; ++width, lanes *= 2)
    for (size_t l = 0; l + 1 < together.begin.size(); l += lanes) {
      const std::span<Piece> pieces = together.ofLanes(l, l + lanes);
      if (!sorted && lanes == 1)
        std::sort(pieces.begin(), pieces.end());
      else if (!sorted)
        merge(pieces, together.ofLanes(l, l + lanes / 2).size());
      result[width].add(segmentsOf(pieces));
    }
  return result;
}

/// Merges two sorted halves.
void SegmentCounter::merge(std::span<Piece> pieces, size_t middle) {
  if (middle == 0 || middle == pieces.size())
    return;
  merged_.resize(pieces.size());
  const auto half = pieces.begin() + static_cast<std::ptrdiff_t>(middle);
  std::merge(pieces.begin(), half, half, pieces.end(), merged_.begin());
  std::copy(merged_.begin(), merged_.end(), pieces.begin());
}

} // namespace aiwc::metrics
