/// The matrices that `--size` names.
#pragma once

#include "sparse/matrix.h"

#include <array>
#include <cstdint>
#include <string>

namespace aiwc::irregular {

struct Size {
  const char *name;
  uint32_t order;
};

/// The orders are such that what a kernel reads and writes, with any of the kernels, follows the
/// suite: tiny is below 32 KiB, small below 256 KiB, medium below 8 MiB, large above 32 MiB
/// (benchmarks/eod/README.md).
inline constexpr std::array<Size, 4> kSizes = {
    {{"tiny", 192}, {"small", 1536}, {"medium", 49152}, {"large", 786432}}};

/// A square matrix with an irregular band. Row i has the diagonal and 4 to 11 draws, one in eight
/// of which is a column anywhere and the others within order / 32 of the diagonal (at least 16);
/// columns that are drawn twice count once. Values are even in -1 to 1. The same in every run.
sparse::Matrix generatedMatrix(uint32_t order);

} // namespace aiwc::irregular
