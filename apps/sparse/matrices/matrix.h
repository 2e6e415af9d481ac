/// A sparse matrix, and its files. The matrix is also a graph: a row is a node, a non-zero (i, j)
/// is an edge from node i to node j.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace aiwc::sparse {

/// A sparse matrix in compressed rows (CSR). The columns of a row increase strictly.
struct Matrix {
  uint32_t rows = 0;
  uint32_t columns = 0;
  std::vector<uint64_t> rowBegins{0}; ///< rows + 1: the non-zeros of row r are [r] up to [r + 1]
  std::vector<uint32_t> columnOf;     ///< one per non-zero
  std::vector<float> values;          ///< one per non-zero; empty: only the pattern is known

  uint64_t nonZeros() const { return columnOf.size(); }
  uint64_t degree(uint32_t row) const { return rowBegins[row + 1] - rowBegins[row]; }
  std::span<const uint32_t> row(uint32_t row) const {
    return std::span(columnOf).subspan(rowBegins[row], degree(row));
  }
  bool operator==(const Matrix &) const = default;
};

/// A non-zero of a matrix that is being put together.
struct Entry {
  uint32_t row = 0;
  uint32_t column = 0;
  float value = 1;
};

/// Which value a position has that several entries name.
enum class Repeated : uint8_t { kAddUp, kFirst };

/// The matrix of entries in any order. Without `withValues`, the matrix has no values. Every entry
/// must be inside of the matrix. Values of a position are added up in the order of the entries.
Matrix matrixOf(uint32_t rows, uint32_t columns, std::span<const Entry> entries, bool withValues,
                Repeated repeated = Repeated::kAddUp);

/// The most rows or columns: OpenCL kernels index them with 32-bit signed integers.
inline constexpr uint64_t kMostRows = 0x7FFFFFFF;

struct ReadOptions {
  bool values = false; ///< keep the values; else only the pattern
};

/// Reads a matrix from a file, from a pipe, or from standard input ("-"), which may be compressed
/// with gzip. Two formats, told apart by the first line:
///
/// - Matrix Market (Boisvert, Pozo, Remington, NISTIR 5935): `coordinate` of `real`, `integer`,
///   `pattern` or `complex` entries (of a complex matrix, only the pattern), `general`,
///   `symmetric`, `skew-symmetric` or `hermitian`; the half that such a file leaves out is added.
/// - An edge list: a line `u v` or `u v weight` per edge, counted from 0, after comments that begin
///   with `#` or `%`. The matrix is square; its order is the largest index plus 1.
///
/// Lines may end with CR LF. Throws Error `file:line: what is wrong: what was expected` at the
/// first line that is not as expected: an index out of range, an entry above the diagonal of a
/// symmetric matrix, more than `kMostRows` rows, a file that ends too early. `sample` receives the
/// text of the comment `%aiwc-sample: ...`; empty if there is none.
Matrix readMatrix(const std::string &file, const ReadOptions &options = {},
                  std::string *sample = nullptr);

/// The matrix as a Matrix Market file, `coordinate`, `general`, `real` or (without values)
/// `pattern`. `comment` is a line without its `%`; empty: none.
std::string matrixMarketText(const Matrix &matrix, const std::string &comment = "");

struct Sample {
  /// The sampled non-zeros with their values. Rows and columns that no square covers are left out,
  /// the others keep their order. Of a square matrix, the same rows and columns are left out.
  Matrix matrix;
  std::vector<uint32_t> rows, columns; ///< by row and column of `matrix`: those of the whole
  double achieved = 0;                 ///< sampled non-zeros over all
};

/// Takes all non-zeros in four squares of the same side, whose centres are at a quarter and at
/// three quarters of the rows and of the columns: the stride average (algorithm 1) of Zhu,
/// Jiang and Agrawal, "A methodology for characterizing sparse datasets and its application to
/// SIMD performance prediction", PACT 2019. Its side, sqrt(fraction / 4) of the matrix, has the
/// fraction of the non-zeros only if they are spread evenly; of a band, it has four times as
/// many. So the side is searched for whose squares come nearest to `fraction`. Rows and columns
/// at the border of a square belong to it.
///
/// Throws Error if the matrix has no non-zeros or the fraction is not more than 0 and at most 1.
Sample sample(const Matrix &whole, double fraction);

/// The text of the comment `aiwc-sample: method=stride-average fraction=... achieved=... rows=...
/// columns=... non_zeros=...` in the file of a sample; the last three are of the whole.
std::string sampleComment(const Matrix &whole, double fraction, const Sample &taken);

} // namespace aiwc::sparse
