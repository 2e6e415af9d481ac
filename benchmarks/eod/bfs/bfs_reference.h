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

/// The least and the most undirected edges that a graph of so many nodes can have. Scale-free: any
/// number up to that of all pairs. Road: what connects all crossings, up to the full grid.
struct EdgeRange {
  uint64_t least;
  uint64_t most;
};
EdgeRange edgeRange(uint32_t nodes, Kind kind);

/// An undirected graph without loops and repeated edges. Scale-free: every node is joined to
/// earlier ones, which are drawn in proportion to their degrees (Barabasi and Albert, Science
/// 1999), numbered at random; connected from a mean degree of 2 on. Road: nodes in rows of a
/// square, each joined to the left or the upper one, so that all are connected, and a random
/// choice of the other pairs of neighbours, numbered row by row.
Graph generate(const Shape &shape, uint64_t seed);

/// The graph whose adjacency matrix this is: an edge from the row to the column of every entry.
Graph graphOf(const CoordinateMatrix &matrix);

/// The levels by a serial search with a queue.
std::vector<uint32_t> search(const Graph &graph, uint32_t source);

/// Whether the levels are exactly those of search().
Verdict checkLevels(const Graph &graph, uint32_t source, const std::vector<uint32_t> &levels);

} // namespace aiwc::eod::bfs
