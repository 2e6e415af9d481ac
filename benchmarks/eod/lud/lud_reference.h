#pragma once

#include "eod/common/application.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::lud {

/// A square matrix, row by row. `stride` numbers lie between the beginnings of two rows.
struct Matrix {
  uint32_t order = 0;
  uint32_t stride = 0;
  std::vector<float> values;
  float operator()(size_t row, size_t column) const { return values[row * stride + column]; }
  float &operator()(size_t row, size_t column) { return values[row * stride + column]; }
};

/// A dense matrix whose elements decrease with the distance from the diagonal, as interactions do.
/// It is strictly diagonally dominant by rows, so the decomposition exists and is stable without
/// pivoting. Between `order` and `stride` it continues as the identity, which does not change the
/// decomposition.
Matrix dominantMatrix(uint32_t order, uint32_t stride, uint64_t seed);

/// Whether L U = A, element by element, within the bound of Higham, Accuracy and Stability of
/// Numerical Algorithms, theorem 9.3: |A - L U| <= gamma_m |L| |U| with gamma_m = m u / (1 - m u),
/// u = 2^-24. Here m = 2 (order + 4), which also covers the division of OpenCL (2.5 ulp). All rows
/// up to order kAllRows, one random row of every 16 beyond.
inline constexpr uint32_t kAllRows = 2048;
Verdict checkProduct(const Matrix &factors, const Matrix &original, uint64_t seed);

/// Whether the factors are those of a serial decomposition in double precision, element by
/// element: |x - reference| <= kReferenceTolerance * max(1, |reference|).
inline constexpr double kReferenceTolerance = 1e-5;
Verdict checkReference(const Matrix &factors, const Matrix &original);

} // namespace aiwc::eod::lud
