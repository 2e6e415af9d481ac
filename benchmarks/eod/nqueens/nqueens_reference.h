#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::nqueens {

inline constexpr uint32_t kSmallestBoard = 2;
inline constexpr uint32_t kLargestBoard = 20;

/// The columns of the queens in the first rows; no queen attacks another.
using Prefix = std::vector<uint32_t>;

/// All placements in the first `depth` rows, in lexicographic order. 0 < depth < board.
std::vector<Prefix> allPrefixes(uint32_t board, uint32_t depth);

/// Placements that begin a solution whose list of columns is the lexicographically smallest among
/// its rotations and reflections. Some others are included that cannot be told apart yet: the first
/// queen is in the left half, and no queen is nearer to a corner, along an edge of the board, than
/// the first.
std::vector<Prefix> symmetricPrefixes(uint32_t board, uint32_t depth);

/// The number of each, without generating them.
struct PrefixCounts {
  uint64_t all = 0;
  uint64_t symmetric = 0;
};
PrefixCounts countPrefixes(uint32_t board, uint32_t depth);

/// Placements in the form of the kernels' input, four numbers each: the set of columns taken, the
/// sets of columns attacked in the next row along the diagonals to the left (towards higher bits)
/// and to the right, and the columns, five bits per row.
std::vector<uint32_t> packed(uint32_t board, const std::vector<Prefix> &prefixes);

/// The counts per placement, in the order above.
struct Counts {
  std::vector<uint64_t> all;       ///< solutions that continue each of allPrefixes()
  std::vector<uint64_t> symmetric; ///< solutions in the classes found from symmetricPrefixes()
  std::vector<uint64_t> classes;   ///< those classes
};

/// Whether both sums of solutions, and the sum of the classes, are the known numbers for the board
/// (sequences A000170 and A002562 of the On-Line Encyclopedia of Integer Sequences). Up to
/// kSerialBoard, also whether a serial search, which compares coordinates, gets the same count for
/// every placement.
inline constexpr uint32_t kSerialBoard = 12;
Verdict checkCounts(uint32_t board, uint32_t depth, const Counts &counts);

} // namespace aiwc::eod::nqueens
