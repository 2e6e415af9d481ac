/// Tiling and grouping of a sparse matrix, so that a SIMD unit can add to what its non-zeros point
/// at without conflicts: Chen, Jiang, Agrawal, Exploiting recent SIMD architectural advances for
/// irregular applications, CGO 2016.
#pragma once

#include "workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::irregular {

/// Lanes of a group: what AVX-512 has for float.
inline constexpr uint32_t kLanes = 16;
/// An idle lane.
inline constexpr uint32_t kIdle = 0xFFFFFFFF;

/// What two non-zeros of one group, and two tiles of one round, do not share.
enum class Conflict {
  kRowOrColumn, ///< neither the row nor the column
  kNode, ///< nor is the row of one the column of another: rows and columns are the same nodes
};

/// The matrix is cut into square tiles. A tile's non-zeros are in groups of at most `kLanes`
/// without conflicts, and tiles are in rounds without conflicts; the tiles of a round can run at
/// once, the groups of a tile run in turn. Every non-zero is in one group, except for those on the
/// diagonal if the conflict is kNode: there an edge would add to one node what it takes away.
struct Tiling {
  Indices roundBegins{0}; ///< rounds + 1: the tiles of round r are [r] up to [r + 1]
  Indices groupBegins{0}; ///< tiles + 1: the groups of tile t
  /// @name For lane l of group g at `kLanes` g + l, `kIdle` without a non-zero
  /// @{
  Indices rows, columns;
  Indices nonZeros; ///< index in the matrix
  /// @}
};

/// Tiles of `edge` rows and columns, edge > 0, those at the border cut off. Both the rounds and the
/// groups are filled by first fit, in the order of the matrix. Tiles without non-zeros are left
/// out. Throws eod::UsageError if more than `kMostBlocks` tiles lie side by side. Takes some 10 ns
/// per non-zero; more where many groups have a free lane but share a row or column.
Tiling tile(const Matrix &matrix, uint32_t edge, Conflict conflict);
inline constexpr uint32_t kMostBlocks = 16384;

Lanes lanesOf(const Tiling &tiling);

/// Adds a launch per round, with a work-group of `kLanes` work-items per tile. The arguments are
/// `arguments`, the number of the first tile, then `more`.
void addRounds(Workload &workload, const Tiling &tiling, const std::string &function,
               const std::vector<Argument> &arguments, const std::vector<float> &more);

} // namespace aiwc::irregular
