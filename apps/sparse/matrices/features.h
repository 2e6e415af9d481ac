/// What is known of a sparse matrix from its pattern.
#pragma once

#include "profile/kernel_profile.h"
#include "sparse/matrix.h"

#include <cstdint>
#include <optional>

namespace aiwc::sparse {

/// How a count is spread over the rows, or over the columns.
struct Spread {
  uint64_t min = 0, max = 0;
  double mean = 0;
  double sd = 0;      ///< of the population
  double gini = 0;    ///< 0: all are equal; near 1: one has everything
  uint64_t empty = 0; ///< rows or columns with no non-zero
};

/// Spread of counts that add up to less than 2^64.
Spread spreadOf(std::vector<uint64_t> counts);

/// Reuse of the cache lines of the vector that a row-wise product gathers, x in y = A x: its
/// elements are read in the order of the rows and, within a row, of the columns, and nothing else
/// is.
struct GatherReuse {
  uint64_t elementBytes = 4, lineBytes = 64;
  uint64_t coldAccesses = 0;    ///< distinct lines
  profile::Histogram distances; ///< by bins of profile/reuse.h: distinct other lines in between

  /// Accesses that miss in a fully associative LRU cache of `cacheBytes`, over all accesses.
  double missRatio(uint64_t cacheBytes) const;
};
GatherReuse gatherReuse(const Matrix &matrix, uint64_t elementBytes = 4);

struct Features {
  uint32_t rows = 0, columns = 0;
  uint64_t nonZeros = 0;
  double density = 0; ///< non-zeros / (rows * columns)
  /// Of the non-zeros off the diagonal, the share whose mirror image is one as well. None: the
  /// matrix is not square, or has no such non-zero.
  std::optional<double> patternSymmetry;
  Spread rowDegrees, columnDegrees; ///< non-zeros per row, per column
  uint64_t bandwidth = 0;           ///< largest |row - column|
  double meanDistance = 0;          ///< mean |row - column|
  /// The envelope (George and Liu 1981): the sum over the rows of the distance from the first
  /// non-zero to the diagonal, where that is to its left.
  uint64_t profile = 0;
  double diagonalShare = 0; ///< non-zeros on the diagonal / non-zeros
  /// Non-zeros over the positions of the aligned 4 x 4 blocks that have one: 1 where such blocks
  /// are full, 1/16 where every non-zero is on its own.
  double blockDensity = 0;
  /// Non-zeros whose column has one in the row before as well / non-zeros.
  double rowOverlap = 0;
  GatherReuse gather;
};

/// Takes two passes over the non-zeros and, on a second thread, one access of an LRU stack for
/// each; takes memory for another copy of the pattern.
Features featuresOf(const Matrix &matrix);

} // namespace aiwc::sparse
