/// What the work of a kernel on a sparse matrix follows from.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace aiwc::extrapolate {

/// Counts of a sparse matrix that the work of a kernel can be proportional to.
enum class Quantity : uint8_t {
  kRows,
  kColumns,
  kNonZeros,
  kOffDiagonal,  ///< non-zeros that are not on the diagonal
  kNonEmptyRows, ///< rows with a non-zero
  kUsedColumns,  ///< columns with a non-zero
  kUsedNodes,    ///< rows or columns with a non-zero off the diagonal
};
inline constexpr size_t kQuantityCount = static_cast<size_t>(Quantity::kUsedNodes) + 1;
/// "rows", "non-zeros", ...
std::string_view toString(Quantity quantity);

/// A matrix with what is counted of it once.
class Pattern {
public:
  explicit Pattern(sparse::Matrix matrix);

  const sparse::Matrix &matrix() const { return matrix_; }
  uint64_t operator[](Quantity quantity) const { return counts_[static_cast<size_t>(quantity)]; }
  uint64_t maxDegree() const { return maxDegree_; } ///< non-zeros of the longest row
  uint64_t minDegree() const { return minDegree_; }
  /// Non-zeros of a column.
  const std::vector<uint32_t> &columnDegrees() const { return columnDegrees_; }
  /// The most non-zeros of a row and its column together, of a square matrix.
  uint64_t maxTouches() const { return maxTouches_; }

private:
  sparse::Matrix matrix_;
  std::vector<uint32_t> columnDegrees_;
  uint64_t counts_[kQuantityCount]{};
  uint64_t minDegree_ = 0, maxDegree_ = 0, maxTouches_ = 0;
};

} // namespace aiwc::extrapolate
