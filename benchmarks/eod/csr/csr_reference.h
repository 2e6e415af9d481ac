#pragma once

#include "eod/common/application.h"
#include "eod/formats/matrix_market.h"

#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::eod::csr {

/// Compressed sparse rows: the entries of row r are rowBegin[r] up to rowBegin[r + 1], by columns.
struct Matrix {
  uint32_t rows = 0;
  uint32_t columns = 0;
  std::vector<uint32_t> rowBegin;
  std::vector<uint32_t> column;
  std::vector<float> value;
};

/// The distribution of the entries' positions.
enum class Structure {
  kUniform,  ///< every position is equally likely
  kBanded,   ///< around the diagonal, which is full, half of the positions of the band
  kPowerLaw, ///< few long rows, many short ones; few popular columns, many rare ones
};

struct Shape {
  uint32_t order = 0;
  double density = 0.5; ///< per cent of the positions that have an entry
  Structure structure = Structure::kUniform;
};

/// The number of entries of a generated matrix.
uint64_t entries(const Shape &shape);

/// A square matrix with exactly entries(shape) of them, values in [-1, 1). The density is at most
/// kMostDense. Power law: the length of the k-th longest row, and the popularity of the k-th most
/// popular column, fall off as 1 / sqrt(k), which makes the number of rows of length d fall off as
/// d^-3, the exponent of growing networks (Barabasi and Albert, Science 1999). Which row and which
/// column come k-th is drawn at random.
Matrix generate(const Shape &shape, uint64_t seed);
inline constexpr double kMostDense = 50;

/// Reads the matrix of a file. Throws UsageError, beginning with `path`, if it has no entry, or has
/// a row whose product with numbers in [-1, 1] may exceed the range of single precision.
void checkUsable(const CoordinateMatrix &matrix, const std::string &path);
Matrix compress(const CoordinateMatrix &matrix);

/// Numbers in [-1, 1).
std::vector<float> vectorOf(uint32_t size, uint64_t seed);

/// Whether y = A x, row by row, against double precision: a sum of k products has an error of at
/// most gamma_k |A| |x|, gamma_k = k u / (1 - k u), u = 2^-24, in whatever order it is summed
/// (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1), and at most 2^-126 per
/// product where a device flushes what is smaller than that.
Verdict checkProduct(const Matrix &matrix, const std::vector<float> &x,
                     const std::vector<float> &y);

} // namespace aiwc::eod::csr
