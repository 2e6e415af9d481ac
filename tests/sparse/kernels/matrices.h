#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace aiwc::test {

/// A pattern, from its positions in any order.
sparse::Matrix patternOf(uint32_t rows, uint32_t columns,
                         const std::vector<std::pair<uint32_t, uint32_t>> &positions);

/// A dense matrix without values.
sparse::Matrix densePattern(uint32_t rows, uint32_t columns);

/// What grouping finds hard: some rows and columns are full, some are empty, the others have few
/// non-zeros anywhere and a piece of the diagonal. With values.
sparse::Matrix irregularMatrix(uint32_t rows, uint32_t columns, uint64_t seed);

} // namespace aiwc::test
