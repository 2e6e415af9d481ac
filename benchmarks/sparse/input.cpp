#include "input.h"

#include "eod/common/random.h"

#include <algorithm>
#include <vector>

namespace aiwc::irregular {

sparse::Matrix generatedMatrix(uint32_t order) {
  constexpr uint32_t kFewest = 4, kMost = 11, kAnywhere = 8;
  const uint32_t reach = std::max(16U, order / 32);
  eod::Random random(1);
  sparse::Matrix matrix;
  matrix.rows = matrix.columns = order;
  std::vector<uint32_t> columns;
  for (uint32_t row = 0; row < order; ++row) {
    const uint32_t first = row > reach ? row - reach : 0;
    const uint32_t end = std::min(order, row + reach + 1);
    columns.assign(1, row);
    for (uint32_t draws = kFewest + random.below(kMost - kFewest + 1); draws > 0; --draws)
      columns.push_back(random.below(kAnywhere) == 0 ? random.below(order)
                                                     : first + random.below(end - first));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    matrix.columnOf.insert(matrix.columnOf.end(), columns.begin(), columns.end());
    matrix.rowBegins.push_back(matrix.columnOf.size());
  }
  matrix.values.resize(matrix.columnOf.size());
  for (float &value : matrix.values)
    value = random.uniform(-1, 1);
  return matrix;
}

} // namespace aiwc::irregular
