#include "extrapolate/pattern.h"

#include <algorithm>
#include <array>
#include <utility>

namespace aiwc::extrapolate {

std::string_view toString(Quantity quantity) {
  constexpr std::array<std::string_view, kQuantityCount> kNames{
      "rows",           "columns",      "non-zeros", "non-zeros off the diagonal",
      "non-empty rows", "used columns", "used nodes"};
  return kNames[static_cast<size_t>(quantity)];
}

Pattern::Pattern(sparse::Matrix matrix)
    : matrix_(std::move(matrix)), columnDegrees_(matrix_.columns) {
  const auto set = [this](Quantity quantity, uint64_t count) {
    counts_[static_cast<size_t>(quantity)] = count;
  };
  uint64_t diagonal = 0;
  uint64_t nonEmpty = 0;
  std::vector<uint8_t> used(std::max(matrix_.rows, matrix_.columns));
  minDegree_ = matrix_.rows > 0 ? UINT64_MAX : 0;
  for (uint32_t row = 0; row < matrix_.rows; ++row) {
    const uint64_t degree = matrix_.degree(row);
    maxDegree_ = std::max(maxDegree_, degree);
    minDegree_ = std::min(minDegree_, degree);
    nonEmpty += degree > 0 ? 1 : 0;
    for (const uint32_t column : matrix_.row(row)) {
      ++columnDegrees_[column];
      if (column == row) {
        ++diagonal;
        continue;
      }
      used[row] = used[column] = 1;
    }
  }
  if (matrix_.rows == matrix_.columns)
    for (uint32_t row = 0; row < matrix_.rows; ++row)
      maxTouches_ = std::max(maxTouches_, matrix_.degree(row) + columnDegrees_[row]);
  set(Quantity::kRows, matrix_.rows);
  set(Quantity::kColumns, matrix_.columns);
  set(Quantity::kNonZeros, matrix_.nonZeros());
  set(Quantity::kOffDiagonal, matrix_.nonZeros() - diagonal);
  set(Quantity::kNonEmptyRows, nonEmpty);
  set(Quantity::kUsedColumns,
      static_cast<uint64_t>(matrix_.columns - std::ranges::count(columnDegrees_, 0U)));
  set(Quantity::kUsedNodes, static_cast<uint64_t>(std::ranges::count(used, 1)));
}

} // namespace aiwc::extrapolate
