/// Tiling and grouping (Chen, Jiang, Agrawal: "Exploiting recent SIMD architectural advances for
/// irregular applications", CGO 2016): which non-zeros a SIMD instruction can process at once, if
/// each updates its row and its column.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>

namespace aiwc::sparse {

/// The share of the lanes that have a non-zero. Within square tiles of `tile` rows, the non-zeros
/// in the order of the rows and, in a row, of the columns each join the first group that has fewer
/// than `lanes` and none of the same row or column, or begin a group. A group is an instruction.
/// 1 for a matrix without non-zeros. `tile` and `lanes` are at least 1.
double laneUtilisation(const Matrix &matrix, uint32_t tile, uint32_t lanes = 16);

/// The mean of laneUtilisation with 16 lanes for tiles of 128, 512 and 2048.
double meanLaneUtilisation(const Matrix &matrix);

} // namespace aiwc::sparse
