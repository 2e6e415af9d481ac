#include "matrices.h"

#include "support/random.h"

namespace aiwc::test {

using sparse::Entry;
using sparse::Matrix;

Matrix patternOf(uint32_t rows, uint32_t columns,
                 const std::vector<std::pair<uint32_t, uint32_t>> &positions) {
  std::vector<Entry> entries;
  for (const auto &[row, column] : positions)
    entries.push_back({row, column, 1});
  return sparse::matrixOf(rows, columns, entries, false);
}

Matrix densePattern(uint32_t rows, uint32_t columns) {
  std::vector<std::pair<uint32_t, uint32_t>> positions;
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column)
      positions.emplace_back(row, column);
  return patternOf(rows, columns, positions);
}

Matrix irregularMatrix(uint32_t rows, uint32_t columns, uint64_t seed) {
  Random random(seed);
  const auto value = [&] {
    return static_cast<float>(random.between(1, 1000)) / (random.oneIn(2) ? 500.0F : -500.0F);
  };
  std::vector<Entry> entries;
  const auto fullColumn = static_cast<uint32_t>(random.below(columns));
  for (uint32_t row = 0; row < rows; ++row) {
    if (random.oneIn(5))
      continue; // an empty row
    const bool full = random.oneIn(20);
    for (uint32_t column = 0; column < columns; ++column)
      if (full || column == fullColumn || column == row || random.oneIn(columns / 4 + 1))
        entries.push_back({row, column, value()});
  }
  entries.push_back({rows - 1, 0, value()}); // never without any
  return sparse::matrixOf(rows, columns, entries, true);
}

} // namespace aiwc::test
