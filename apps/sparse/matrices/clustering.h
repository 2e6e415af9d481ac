/// The clustering coefficient of a graph (Watts, Strogatz 1998): how likely two neighbours of a
/// node are neighbours of each other.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>

namespace aiwc::sparse {

struct Clustering {
  /// The mean over the nodes of (edges from a neighbour to another neighbour) / (k (k - 1)), 0 to
  /// 1, where k is the number of neighbours; 0 for a node with fewer than two. The neighbours of
  /// node i are the columns of row i without i itself; an edge has a direction, so that a symmetric
  /// matrix has both.
  double coefficient = 0;
  double error = 0;   ///< standard error; 0: all nodes were looked at
  uint64_t nodes = 0; ///< that were looked at; a node that was drawn again counts again
};

/// Of all nodes of a square matrix; nothing but zeros for others. Takes, for each non-zero (i, j),
/// the shorter of the rows i and j, times a logarithm.
Clustering clusteringCoefficient(const Matrix &matrix);

/// An estimate from random nodes and all their neighbours (Random Node Neighbor sampling; algorithm
/// 3 of the paper that sparse/sample.h names): of nodes that together have the `fraction` of the
/// edges, and of at least 100 nodes.
Clustering sampledClusteringCoefficient(const Matrix &matrix, double fraction = 0.01,
                                        uint64_t seed = 1);

} // namespace aiwc::sparse
