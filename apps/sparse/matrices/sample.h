/// Takes a part of a sparse matrix on which programs behave as on the whole (Zhu, Jiang, Agrawal:
/// "A methodology for characterizing sparse datasets and its application to SIMD performance
/// prediction", PACT 2019).
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aiwc::sparse {

enum class Method : uint8_t {
  /// For uniform matrices: four squares of the same side, whose centres are at a quarter and at
  /// three quarters of the rows and of the columns (the paper's algorithm 1).
  kStrideAverage,
  /// For skewed matrices: squares at random places, smaller where the matrix is thin and larger
  /// where it is dense (the paper's algorithm 2).
  kRandomTile,
  /// Each non-zero with the same probability: what the other two are compared with.
  kRandomEdge,
};
std::string_view name(Method method); ///< "stride-average", "random-tile", "random-edge"
/// Throws Error if there is no such name.
Method methodOf(std::string_view name);

struct SampleOptions {
  Method method = Method::kStrideAverage;
  double fraction = 0.05; ///< of the non-zeros; more than 0, at most 1
  uint64_t seed = 1;      ///< of the two random methods
  /// Rows of a tile of random tiles, before it adapts; 0: `usualTile`.
  uint32_t tile = 0;
};

/// The tile with which about 8 tiles of an even matrix make up the fraction: enough that chance
/// evens out, and as large as that allows, since what is near a tile's border is seen without its
/// surroundings.
uint32_t usualTile(const Matrix &whole, double fraction);

struct Sample {
  /// The sampled non-zeros with their values. Rows and columns that no square or tile covers (or,
  /// of random edges, that have no sampled non-zero) are left out, the others keep their order. Of
  /// a square matrix, a row is left out if the column of this number is, and it stays square.
  Matrix matrix;
  std::vector<uint32_t> rows, columns; ///< by row and column of `matrix`: those of the whole
  double achieved = 0;                 ///< sampled non-zeros over all
};

/// Takes a sample. How the methods differ from the paper's pseudo-code:
///
/// - Stride average. The paper's side, sqrt(fraction / 4) of the matrix, has the fraction of the
///   non-zeros only if they are spread evenly; of a band, it has four times as many. So the side is
///   searched for whose squares come nearest to the fraction. Row and column numbers at the border
///   of a square belong to it, and a row is read to its end (the pseudo-code leaves it at the first
///   column behind the last square, which is the same where columns increase).
/// - Random tile. A row is searched for the columns of the tile (the pseudo-code leaves the row at
///   the first column outside of the tile, also where that is before it). The first row and column
///   are drawn from 1 - tile on, and what is outside of the matrix is left out, so that each
///   position is equally likely to be covered; density is that of the first and the last row
///   inside. A non-zero in several tiles is taken once. The last tile ends at the row in which the
///   fraction is reached. When more rows have been looked at than ten times those and the
///   non-zeros of the matrix, tiles are placed around non-zeros that are not yet taken, so that
///   the search ends.
/// - Random edge takes exactly the fraction, rounded.
///
/// Throws Error if the matrix has no non-zeros or the fraction is out of range.
Sample sample(const Matrix &whole, const SampleOptions &options);

/// The text of the comment `aiwc-sample: method=... fraction=... achieved=... seed=... rows=...
/// columns=... non_zeros=...` in the file of a sample; the last three are of the whole.
std::string sampleComment(const Matrix &whole, const SampleOptions &options, const Sample &taken);

} // namespace aiwc::sparse
