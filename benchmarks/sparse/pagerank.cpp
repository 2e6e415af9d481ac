// PageRank, plain and by tiles.
#include "tiling.h"
#include "workload.h"

#include <array>
#include <utility>

namespace aiwc::irregular {
namespace {

constexpr float kDamping = 0.85F;
constexpr uint32_t kIterations = 4;

/// One over the number of links of each node, which are the non-zeros of its column; 0 without.
Numbers perLink(const Matrix &matrix) {
  Indices links(matrix.columns);
  for (const uint32_t column : matrix.columnOf)
    ++links[column];
  Numbers result(matrix.columns);
  for (size_t node = 0; node < result.size(); ++node)
    result[node] = links[node] > 0 ? 1 / static_cast<float>(links[node]) : 0;
  return result;
}

/// The share of each node before the first iteration, where all ranks are alike.
Numbers firstShares(const Matrix &matrix, const Numbers &perLink) {
  Numbers shares = perLink;
  for (float &share : shares)
    share /= static_cast<float>(matrix.rows);
  return shares;
}

/// All terms are positive. A rank has the errors of the shares that it adds, and one rounding for
/// each addition and for each of the five operations around them.
Reference rank(const Matrix &matrix) {
  const Numbers factors = perLink(matrix);
  const Numbers first = firstShares(matrix, factors);
  std::vector<double> shares(first.begin(), first.end());
  std::vector<double> errors(shares.size());
  Reference reference{.expected = std::vector<double>(shares.size()),
                      .allowed = std::vector<double>(shares.size())};
  for (uint32_t iteration = 0; iteration < kIterations; ++iteration) {
    for (uint32_t node = 0; node < matrix.rows; ++node) {
      double sum = 0;
      double inherited = 0;
      for (const uint32_t from : matrix.row(node)) {
        sum += shares[from];
        inherited += errors[from];
      }
      const double rank = (1 - static_cast<double>(kDamping)) / matrix.rows + kDamping * sum;
      // Division: OpenCL allows 2.5 units in the last place.
      const double roundings = static_cast<double>(matrix.degree(node)) + 10;
      reference.expected[node] = rank;
      reference.allowed[node] = kDamping * inherited + roundingBound(rank + inherited, roundings);
    }
    for (size_t node = 0; node < shares.size(); ++node) {
      shares[node] = reference.expected[node] * factors[node];
      errors[node] = reference.allowed[node] * factors[node] + roundingBound(shares[node], 1);
    }
  }
  return reference;
}

} // namespace

Workload pagerank(const Matrix &matrix, const Settings &) {
  const Numbers factors = perLink(matrix);
  Workload workload;
  const BufferIndex begins = workload.add("row_begins", rowBegins(matrix));
  const BufferIndex columns = workload.add("columns", matrix.columnOf);
  const BufferIndex factor = workload.add("per_link", factors);
  const std::array<BufferIndex, 2> shares = {
      workload.add("shares", firstShares(matrix, factors), true),
      workload.add("next_shares", Numbers(matrix.rows), true)};
  const BufferIndex ranks = workload.add("ranks", Numbers(matrix.rows), true);
  for (uint32_t iteration = 0; iteration < kIterations; ++iteration)
    workload.launches.push_back({"pagerank",
                                 matrix.rows,
                                 0,
                                 {begins, columns, factor, shares[iteration % 2],
                                  shares[(iteration + 1) % 2], ranks, matrix.rows, kDamping}});
  workload.result = ranks.index;
  workload.reference = [&matrix] { return rank(matrix); };
  return workload;
}

Workload pagerankTiled(const Matrix &matrix, const Settings &settings) {
  const Numbers factors = perLink(matrix);
  const Tiling tiling = tile(matrix, settings.tile, Conflict::kRowOrColumn);
  Workload workload;
  const BufferIndex groups = workload.add("group_begins", tiling.groupBegins);
  const BufferIndex rows = workload.add("lane_rows", tiling.rows);
  const BufferIndex columns = workload.add("lane_columns", tiling.columns);
  const BufferIndex factor = workload.add("per_link", factors);
  const BufferIndex shares = workload.add("shares", firstShares(matrix, factors), true);
  const BufferIndex sums = workload.add("sums", Numbers(matrix.rows), true);
  const BufferIndex ranks = workload.add("ranks", Numbers(matrix.rows), true);
  for (uint32_t iteration = 0; iteration < kIterations; ++iteration) {
    addRounds(workload, tiling, "pagerank_tiled", {groups, rows, columns, shares, sums}, {});
    workload.launches.push_back(
        {"pagerank_finish", matrix.rows, 0, {factor, shares, ranks, sums, matrix.rows, kDamping}});
  }
  workload.result = ranks.index;
  workload.lanes = lanesOf(tiling);
  workload.reference = [&matrix] { return rank(matrix); };
  return workload;
}

} // namespace aiwc::irregular
