/// Orders of the nodes of a graph.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace aiwc::sparse {

/// The square matrix whose nodes have other numbers: node `i` becomes `newOf[i]`. `newOf` is a
/// permutation. Values stay with their non-zeros.
Matrix renumbered(const Matrix &matrix, std::span<const uint32_t> newOf);

/// The new number of each node in the reverse Cuthill-McKee order (Cuthill, McKee 1969; George
/// 1971), which makes the bandwidth small: breadth first from a node far from others, neighbours
/// by degree, numbered backwards. The pattern of `matrix` must be symmetric. Time is linear in the
/// non-zeros, times the logarithm of the degree.
std::vector<uint32_t> reverseCuthillMcKee(const Matrix &matrix);

} // namespace aiwc::sparse
