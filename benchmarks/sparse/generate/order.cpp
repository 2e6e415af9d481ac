#include "generate/order.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace aiwc::sparse {

Matrix renumbered(const Matrix &matrix, std::span<const uint32_t> newOf) {
  Matrix result{.rows = matrix.rows,
                .columns = matrix.columns,
                .rowBegins = std::vector<uint64_t>(uint64_t{matrix.rows} + 1),
                .columnOf = std::vector<uint32_t>(matrix.columnOf.size()),
                .values = std::vector<float>(matrix.values.size())};
  for (uint32_t row = 0; row < matrix.rows; ++row)
    result.rowBegins[uint64_t{newOf[row]} + 1] = matrix.degree(row);
  std::inclusive_scan(result.rowBegins.begin(), result.rowBegins.end(), result.rowBegins.begin());
  std::vector<std::pair<uint32_t, uint64_t>> moved; // new column, index in `matrix`
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    moved.clear();
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i)
      moved.emplace_back(newOf[matrix.columnOf[i]], i);
    std::sort(moved.begin(), moved.end());
    uint64_t to = result.rowBegins[newOf[row]];
    for (const auto &[column, from] : moved) {
      result.columnOf[to] = column;
      if (!matrix.values.empty())
        result.values[to] = matrix.values[from];
      ++to;
    }
  }
  return result;
}

namespace {

/// Breadth-first searches of a graph, with neighbours by degree.
class Search {
public:
  explicit Search(const Matrix &graph) : graph_(graph), round_(graph.rows) {}

  /// Appends to `order` the nodes of the component of `start`. Returns where in `order` the nodes
  /// begin that are farthest from `start`, and how far these are.
  std::pair<size_t, uint32_t> from(uint32_t start, std::vector<uint32_t> &order) {
    ++current_;
    size_t layer = order.size();
    uint32_t depth = 0;
    order.push_back(start);
    round_[start] = current_;
    for (size_t at = layer, end = order.size();;) {
      for (; at < end; ++at) {
        const size_t first = order.size();
        for (const uint32_t next : graph_.row(order[at]))
          if (round_[next] != current_) {
            round_[next] = current_;
            order.push_back(next);
          }
        std::sort(order.begin() + static_cast<ptrdiff_t>(first), order.end(),
                  [&](uint32_t a, uint32_t b) {
                    return std::tuple(graph_.degree(a), a) < std::tuple(graph_.degree(b), b);
                  });
      }
      if (order.size() == end)
        return {layer, depth};
      layer = end;
      end = order.size();
      ++depth;
    }
  }

private:
  const Matrix &graph_;
  std::vector<uint32_t> round_; ///< the last search that came to each node
  uint32_t current_ = 0;
};

} // namespace

std::vector<uint32_t> reverseCuthillMcKee(const Matrix &matrix) {
  std::vector<uint32_t> order;
  order.reserve(matrix.rows);
  std::vector<bool> numbered(matrix.rows);
  Search search(matrix);
  for (uint32_t node = 0; node < matrix.rows; ++node) {
    if (numbered[node])
      continue;
    // Start where the graph is long: go to the farthest node of least degree while that helps.
    const size_t begin = order.size();
    auto [layer, depth] = search.from(node, order);
    for (;;) {
      const uint32_t far = *std::min_element(
          order.begin() + static_cast<ptrdiff_t>(layer), order.end(), [&](uint32_t a, uint32_t b) {
            return std::tuple(matrix.degree(a), a) < std::tuple(matrix.degree(b), b);
          });
      order.resize(begin);
      const auto [farLayer, farDepth] = search.from(far, order);
      if (farDepth <= depth)
        break;
      layer = farLayer;
      depth = farDepth;
    }
    for (size_t i = begin; i < order.size(); ++i)
      numbered[order[i]] = true;
  }
  std::vector<uint32_t> newOf(matrix.rows);
  for (uint32_t i = 0; i < matrix.rows; ++i)
    newOf[order[i]] = matrix.rows - 1 - i;
  return newOf;
}

} // namespace aiwc::sparse
