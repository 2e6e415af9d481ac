#include "eod/bfs/bfs_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace aiwc::eod::bfs {
namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

/// The nodes of a road network lie in rows of this length, the last perhaps shorter.
uint32_t rowLength(uint32_t nodes) {
  return static_cast<uint32_t>(std::ceil(std::sqrt(nodes)));
}

Edges scaleFreeEdges(const Shape &shape, Random &random) {
  // Every node as often as it has neighbours: a draw from it is one in proportion to the degrees.
  std::vector<uint32_t> ends;
  Edges result;
  uint64_t left = edges(shape);
  ends.reserve(2 * left);
  result.reserve(left);
  std::vector<uint32_t> joinedTo(shape.nodes, 0); // the last node that was joined to this one
  for (uint32_t node = 1; node < shape.nodes; ++node) {
    const uint32_t nodesLeft = shape.nodes - node;
    const uint64_t even = (left + nodesLeft - 1) / nodesLeft;
    const auto joined = static_cast<uint32_t>(std::min<uint64_t>(even, node));
    const size_t earlier = ends.size();
    for (uint32_t i = 0; i < joined; ++i) {
      uint32_t other =
          earlier ? ends[random.below(static_cast<uint32_t>(earlier))] : random.below(node);
      while (joinedTo[other] == node)
        other = other + 1 == node ? 0 : other + 1;
      joinedTo[other] = node;
      ends.push_back(node);
      ends.push_back(other);
      result.emplace_back(node, other);
    }
    left -= joined;
  }

  std::vector<uint32_t> number(shape.nodes);
  std::iota(number.begin(), number.end(), 0);
  for (uint32_t i = shape.nodes; i > 1; --i)
    std::swap(number[i - 1], number[random.below(i)]);
  for (auto &[a, b] : result) {
    a = number[a];
    b = number[b];
  }
  return result;
}

Edges roadEdges(const Shape &shape, Random &random) {
  const uint32_t length = rowLength(shape.nodes);
  Edges result;
  Edges others;
  for (uint32_t node = 1; node < shape.nodes; ++node) {
    const bool hasLeft = node % length != 0;
    const bool hasUpper = node >= length;
    const bool left = hasLeft && (!hasUpper || random.below(2) == 0);
    result.emplace_back(node, left ? node - 1 : node - length);
    if (hasLeft && hasUpper)
      others.emplace_back(node, left ? node - length : node - 1);
  }
  uint64_t wanted = edges(shape) - result.size();
  for (size_t i = 0; i < others.size(); ++i)
    if (random.below(static_cast<uint32_t>(others.size() - i)) < wanted) {
      result.push_back(others[i]);
      --wanted;
    }
  return result;
}

} // namespace

uint64_t edges(const Shape &shape) {
  return static_cast<uint64_t>(shape.nodes * shape.degree / 2);
}

EdgeRange edgeRange(uint32_t nodes, Kind kind) {
  const uint64_t n = nodes;
  if (kind == Kind::kScaleFree)
    return {0, n * (n - 1) / 2};
  const uint64_t length = rowLength(nodes);
  const uint64_t rows = (n + length - 1) / length;
  return {n - 1, (n - rows) + (n - length)};
}

Graph generate(const Shape &shape, uint64_t seed) {
  Random random(seed);
  const Edges edges =
      shape.kind == Kind::kRoad ? roadEdges(shape, random) : scaleFreeEdges(shape, random);
  Graph graph{shape.nodes, std::vector<uint32_t>(size_t{shape.nodes} + 1), {}};
  for (const auto &[a, b] : edges) {
    ++graph.edgeBegin[size_t{a} + 1];
    ++graph.edgeBegin[size_t{b} + 1];
  }
  std::partial_sum(graph.edgeBegin.begin(), graph.edgeBegin.end(), graph.edgeBegin.begin());
  graph.target.resize(2 * edges.size());
  std::vector<uint32_t> next(graph.edgeBegin.begin(), graph.edgeBegin.end() - 1);
  for (const auto &[a, b] : edges) {
    graph.target[next[a]++] = b;
    graph.target[next[b]++] = a;
  }
  for (uint32_t node = 0; node < shape.nodes; ++node)
    std::sort(graph.target.begin() + graph.edgeBegin[node],
              graph.target.begin() + graph.edgeBegin[node + 1]);
  return graph;
}

Graph graphOf(const CoordinateMatrix &matrix) {
  Graph graph{matrix.rows, rowBegins(matrix), {}};
  graph.target.reserve(matrix.entries.size());
  for (const auto &entry : matrix.entries)
    graph.target.push_back(entry.column);
  return graph;
}

std::vector<uint32_t> search(const Graph &graph, uint32_t source) {
  std::vector<uint32_t> levels(graph.nodes, kUnreached);
  std::vector<uint32_t> queue{source};
  queue.reserve(graph.nodes);
  levels[source] = 0;
  for (size_t head = 0; head < queue.size(); ++head) {
    const uint32_t node = queue[head];
    for (uint32_t i = graph.edgeBegin[node]; i < graph.edgeBegin[node + 1]; ++i)
      if (const uint32_t other = graph.target[i]; levels[other] == kUnreached) {
        levels[other] = levels[node] + 1;
        queue.push_back(other);
      }
  }
  return levels;
}

Verdict checkLevels(const Graph &graph, uint32_t source, const std::vector<uint32_t> &levels) {
  const std::vector<uint32_t> expected = search(graph, source);
  if (levels.size() != expected.size())
    return {false, fmt::format("{} levels for {} nodes", levels.size(), expected.size())};
  uint32_t reached = 0;
  uint32_t deepest = 0;
  const auto text = [](uint32_t level) {
    return level == kUnreached ? "not reached" : fmt::format("at level {}", level);
  };
  for (uint32_t node = 0; node < graph.nodes; ++node) {
    if (levels[node] != expected[node])
      return {false, fmt::format("node {} is {}, by a serial search {}", node, text(levels[node]),
                                 text(expected[node]))};
    if (levels[node] != kUnreached) {
      ++reached;
      deepest = std::max(deepest, levels[node]);
    }
  }
  return {true, fmt::format("the levels of a serial search: {} of {} nodes reached, the last at "
                            "level {}",
                            reached, graph.nodes, deepest)};
}

} // namespace aiwc::eod::bfs
