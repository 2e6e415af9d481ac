#include "metrics/coalescing/lane_patterns.h"

namespace aiwc::metrics {
namespace {

constexpr uint64_t kSegmentMask = (uint64_t{1} << kSegmentBits) - 1;

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

/// The turns in which 32 banks of four bytes give lanes these pieces, which are sorted by address:
/// a bank gives all lanes one word in each.
Segments bankTurnsOf(std::span<const Piece> sorted) {
  constexpr uint64_t kBankBytes = 4, kBanks = 32;
  std::array<uint64_t, kBanks> ofBank{};
  uint64_t words = 0, nextWord = 0;
  for (const Piece &piece : sorted)
    for (uint64_t word = std::max(piece.address / kBankBytes, nextWord);
         word * kBankBytes < piece.end(); ++word) {
      ++ofBank[word % kBanks];
      ++words;
      nextWord = word + 1;
    }
  return {(words + kBanks - 1) / kBanks, std::ranges::max(ofBank)};
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

/// Whether lanes 0, 1, ... each have one piece, all of the same size.
bool onePieceInEachLane(const Together &together) {
  const size_t n = together.pieces.size();
  if (n > kWidestLaneGroup || together.lanes() != n)
    return false;
  for (size_t l = 0; l < together.begin.size(); ++l)
    if (together.begin[l] != std::min(n, l * kVectorLanes))
      return false;
  return std::ranges::all_of(together.pieces, [&](const Piece &piece) {
    return piece.size == together.pieces.front().size;
  });
}

} // namespace

const LanePattern &LanePatterns::of(Together &together) {
  if (!onePieceInEachLane(together))
    return latest_ = classifyAnew(together);
  std::ranges::transform(together.pieces, addresses_.begin(), &Piece::address);
  return of(std::span(addresses_).first(together.pieces.size()), together.pieces.front().size);
}

const LanePattern &LanePatterns::ofSpaced(uint64_t first, uint64_t stride, size_t lanes,
                                          uint64_t size) {
  if (spaced_.empty()) [[unlikely]]
    spaced_.resize(kSpaced);
  const Key key = {lanes, first & kSegmentMask, size};
  Spaced &known = spaced_[((key.hash() ^ stride * 0xBF58476D1CE4E5B9U) >> 40) % kSpaced];
  if (known.key != key || known.stride != stride) {
    for (size_t l = 0; l < lanes; ++l)
      addresses_[l] = first + l * stride;
    known = {key, stride, classifyAnew(std::span(addresses_).first(lanes), size)};
  }
  return known.pattern;
}

const LanePattern &LanePatterns::of(std::span<const uint64_t> addresses, uint64_t size) {
  const size_t n = addresses.size();
  const uint64_t first = addresses[0];
  const uint64_t stride = n > 1 ? addresses[1] - first : 0;
  uint64_t deviation = 0;
  for (size_t l = 1; l < n; ++l)
    deviation |= (addresses[l] - addresses[l - 1]) ^ stride;
  if (deviation == 0)
    return ofSpaced(first, stride, n, size);
  const Key key = {n, first & kSegmentMask, size};
  Distances distances{};
  uint64_t hash = key.hash();
  for (size_t l = 0; l < n; ++l)
    distances[l] = addresses[l] - first;
  for (size_t l = 1; l < n; l = 2 * l + 1) // some lanes; the comparison decides
    hash = (hash ^ distances[l]) * 0xBF58476D1CE4E5B9U;
  hash ^= fibonacciHash(distances[n - 1]);
  if (scattered_.empty()) [[unlikely]]
    scattered_.resize(kScattered);
  Scattered &known = scattered_[(hash >> 40) % kScattered];
  if (known.key != key || known.distances != distances)
    known = {key, distances, classifyAnew(addresses, size)};
  return known.pattern;
}

/// Does not use the caches.
LanePattern LanePatterns::classifyAnew(std::span<const uint64_t> addresses, uint64_t size) {
  const size_t n = addresses.size();
  together_.storage.resize(n);
  for (size_t l = 0; l < n; ++l)
    together_.storage[l] = {addresses[l], size};
  together_.pieces = together_.storage;
  for (size_t l = 0; l < together_.begin.size(); ++l)
    together_.setBegin(l, std::min(n, l * kVectorLanes), std::min(n, l * kVectorLanes));
  return classifyAnew(together_);
}

/// Does not use the caches. Sorts the pieces.
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
      if (lanes * kVectorLanes == kBankLanes)
        result.bankTurns.add(bankTurnsOf(pieces));
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
