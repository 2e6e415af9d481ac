#pragma once

#include "eod/common/application.h"
#include "eod/formats/matrix_market.h"

#include <cstdint>
#include <vector>

namespace aiwc::eod::bfs {

/// The level of a node that the source does not reach.
inline constexpr uint32_t kUnreached = UINT32_MAX;

/// The neighbours of node v are target[edgeBegin[v]] up to target[edgeBegin[v + 1]]. An undirected
/// edge is in the lists of both of its nodes.
struct Graph {
  uint32_t nodes = 0;
  std::vector<uint32_t> edgeBegin;
  std::vector<uint32_t> target;
};

enum class Kind {
  kScaleFree, ///< few nodes of many neighbours, a diameter of few levels
  kRoad       ///< a plane network of crossings, a diameter of about 2 sqrt(nodes)
};

struct Shape {
  uint32_t nodes = 0;
  Kind kind = Kind::kScaleFree;
  double degree = 8; ///< mean number of neighbours
};

/// How many undirected edges a generated graph has.
uint64_t edges(const Shape &shape);

/// The smallest and largest number of undirected edges of a graph with this many nodes. Scale-free:
/// from 0 to the number of all pairs. Road: from the number that connects all crossings to that of
/// the full grid.
struct EdgeRange {
  uint64_t least;
  uint64_t most;
};
EdgeRange edgeRange(uint32_t nodes, Kind kind);

/// An undirected graph without loops or repeated edges. Scale-free: every node is joined to earlier
/// ones, drawn in proportion to their degrees (Barabasi and Albert, Science 1999); nodes are
/// numbered at random; the graph is connected from a mean degree of 2 on. Road: nodes in rows of a
/// square, numbered row by row; each is joined to its left or its upper neighbour, which connects
/// all of them, and the other edges are a random choice of the other pairs of neighbours.
Graph generate(const Shape &shape, uint64_t seed);

/// The graph with this adjacency matrix: an edge from the row to the column of every entry.
Graph graphOf(const CoordinateMatrix &matrix);

/// The levels, computed by a serial search with a queue.
std::vector<uint32_t> search(const Graph &graph, uint32_t source);

/// Whether the levels are exactly those of search().
Verdict checkLevels(const Graph &graph, uint32_t source, const std::vector<uint32_t> &levels);

} // namespace aiwc::eod::bfs
