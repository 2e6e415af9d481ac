/// Takes a part of a sparse matrix on which programs behave as on the whole (Zhu, Jiang, Agrawal:
/// "A methodology for characterizing sparse datasets and its application to SIMD performance
/// prediction", PACT 2019).
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::sparse {

struct Sample {
  /// The sampled non-zeros with their values. Rows and columns that no square covers are left out,
  /// the others keep their order. Of a square matrix, the same rows and columns are left out.
  Matrix matrix;
  std::vector<uint32_t> rows, columns; ///< by row and column of `matrix`: those of the whole
  double achieved = 0;                 ///< sampled non-zeros over all
};

/// Takes all non-zeros in four squares of the same side, whose centres are at a quarter and at
/// three quarters of the rows and of the columns: the paper's stride average (algorithm 1). Its
/// side, sqrt(fraction / 4) of the matrix, has the fraction of the non-zeros only if they are
/// spread evenly; of a band, it has four times as many. So the side is searched for whose squares
/// come nearest to `fraction`. Rows and columns at the border of a square belong to it.
///
/// Throws Error if the matrix has no non-zeros or the fraction is not more than 0 and at most 1.
Sample sample(const Matrix &whole, double fraction);

/// The text of the comment `aiwc-sample: method=stride-average fraction=... achieved=... rows=...
/// columns=... non_zeros=...` in the file of a sample; the last three are of the whole.
std::string sampleComment(const Matrix &whole, double fraction, const Sample &taken);

} // namespace aiwc::sparse
