#include "sparse/clustering.h"

#include "sparse/random.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace aiwc::sparse {

namespace {

/// Numbers that are in both sequences, which increase.
uint64_t common(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  if (a.size() > b.size())
    std::swap(a, b);
  uint64_t count = 0;
  // Whoever has many neighbours is searched, not read.
  constexpr size_t kMuchLonger = 16;
  auto at = b.begin();
  for (const uint32_t number : a) {
    if (b.size() > kMuchLonger * a.size())
      at = std::lower_bound(at, b.end(), number);
    else
      while (at != b.end() && *at < number)
        ++at;
    if (at == b.end())
      break;
    count += *at == number ? 1 : 0;
  }
  return count;
}

/// Computes local coefficients.
class Local {
public:
  explicit Local(const Matrix &matrix) : matrix_(matrix) {}

  double operator()(uint32_t node) {
    neighbours_.clear();
    for (const uint32_t neighbour : matrix_.row(node))
      if (neighbour != node)
        neighbours_.push_back(neighbour);
    if (neighbours_.size() < 2)
      return 0;
    uint64_t links = 0;
    for (const uint32_t neighbour : neighbours_) {
      const auto row = matrix_.row(neighbour);
      links += common(neighbours_, row);
      links -= std::binary_search(row.begin(), row.end(), neighbour) ? 1 : 0;
    }
    const auto k = static_cast<double>(neighbours_.size());
    return static_cast<double>(links) / (k * (k - 1));
  }

private:
  const Matrix &matrix_;
  std::vector<uint32_t> neighbours_;
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
  // One hub may have the fraction of the edges.
  constexpr uint64_t kLeastNodes = 100;
  const double wanted = fraction * static_cast<double>(matrix.nonZeros());
  Random random(seed);
  Local local(matrix);
  double sum = 0;
  double squares = 0;
  uint64_t nodes = 0;
  for (uint64_t edges = 0; nodes < kLeastNodes || static_cast<double>(edges) < wanted; ++nodes) {
    const auto node = static_cast<uint32_t>(random.below(matrix.rows));
    edges += matrix.degree(node);
    const double coefficient = local(node);
    sum += coefficient;
    squares += coefficient * coefficient;
  }
  const auto count = static_cast<double>(nodes);
  const double mean = sum / count;
  const double variance = std::max(0.0, squares - count * mean * mean) / (count - 1);
  return {.coefficient = mean, .error = std::sqrt(variance / count), .nodes = nodes};
}

} // namespace aiwc::sparse
