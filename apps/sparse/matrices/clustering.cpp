#include "sparse/clustering.h"

#include "sparse/parallel.h"
#include "sparse/random.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

namespace aiwc::sparse {

namespace {

/// Computes local coefficients.
class Local {
public:
  explicit Local(const Matrix &matrix)
      : matrix_(matrix), isNeighbour_((uint64_t{matrix.columns} + 63) / 64) {}

  double operator()(uint32_t node) {
    neighbours_.clear();
    for (const uint32_t neighbour : matrix_.row(node))
      if (neighbour != node)
        neighbours_.push_back(neighbour);
    if (neighbours_.size() < 2)
      return 0;
    for (const uint32_t neighbour : neighbours_)
      isNeighbour_[neighbour / 64] |= uint64_t{1} << neighbour % 64;
    uint64_t links = 0;
    for (const uint32_t neighbour : neighbours_)
      links += linksOf(neighbour);
    for (const uint32_t neighbour : neighbours_)
      isNeighbour_[neighbour / 64] = 0;
    const auto k = static_cast<double>(neighbours_.size());
    return static_cast<double>(links) / (k * (k - 1));
  }

private:
  /// Edges of a neighbour to other neighbours.
  uint64_t linksOf(uint32_t neighbour) const {
    const auto row = matrix_.row(neighbour);
    uint64_t links = 0;
    // A row with many more is searched, not read.
    constexpr size_t kMuchLonger = 32;
    if (row.size() > kMuchLonger * neighbours_.size()) {
      auto at = row.begin();
      for (const uint32_t other : neighbours_) {
        at = std::lower_bound(at, row.end(), other);
        if (at == row.end())
          break;
        links += *at == other && other != neighbour ? 1 : 0;
      }
      return links;
    }
    for (const uint32_t column : row)
      links += isNeighbour_[column / 64] >> column % 64 & 1U;
    return links - (std::ranges::binary_search(row, neighbour) ? 1 : 0);
  }

  const Matrix &matrix_;
  std::vector<uint32_t> neighbours_;
  std::vector<uint64_t> isNeighbour_; ///< a bit for each node
};

} // namespace

Clustering clusteringCoefficient(const Matrix &matrix) {
  if (matrix.rows != matrix.columns || matrix.rows == 0)
    return {};
  Local local(matrix);
  double total = 0;
  for (uint32_t node = 0; node < matrix.rows; ++node)
    total += local(node);
  return {.coefficient = total / matrix.rows, .error = 0, .nodes = matrix.rows};
}

Clustering sampledClusteringCoefficient(const Matrix &matrix, double fraction, uint64_t seed) {
  if (matrix.rows != matrix.columns || matrix.nonZeros() == 0)
    return {};
  constexpr unsigned kThreads = 2;
  // One hub may have the fraction of the edges.
  constexpr uint64_t kLeastNodes = 100;
  const double wanted = fraction * static_cast<double>(matrix.nonZeros());
  Random random(seed);
  std::vector<uint32_t> drawn;
  for (uint64_t edges = 0; drawn.size() < kLeastNodes || static_cast<double>(edges) < wanted;) {
    drawn.push_back(static_cast<uint32_t>(random.below(matrix.rows)));
    edges += matrix.degree(drawn.back());
  }
  std::vector<double> coefficients(drawn.size());
  std::atomic<size_t> next{0};
  inParallel(kThreads, [&](unsigned) {
    Local local(matrix);
    for (size_t i = next++; i < drawn.size(); i = next++)
      coefficients[i] = local(drawn[i]);
  });
  double sum = 0;
  double squares = 0;
  for (const double coefficient : coefficients) {
    sum += coefficient;
    squares += coefficient * coefficient;
  }
  const uint64_t nodes = drawn.size();
  const auto count = static_cast<double>(nodes);
  const double mean = sum / count;
  const double variance = std::max(0.0, squares - count * mean * mean) / (count - 1);
  return {.coefficient = mean, .error = std::sqrt(variance / count), .nodes = nodes};
}

} // namespace aiwc::sparse
