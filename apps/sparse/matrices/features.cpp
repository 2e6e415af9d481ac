#include "sparse/features.h"

#include "metrics/reuse_distance/distance_counts.h"
#include "metrics/reuse_distance/lru_stack.h"
#include "profile/reuse.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

namespace aiwc::sparse {

Spread spreadOf(std::vector<uint64_t> counts) {
  Spread spread;
  if (counts.empty())
    return spread;
  std::ranges::sort(counts);
  spread.min = counts.front();
  spread.max = counts.back();
  long double sum = 0;
  long double squares = 0;
  long double ranked = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<long double>(counts[i]);
    sum += count;
    squares += count * count;
    ranked += count * static_cast<long double>(i + 1);
    spread.empty += counts[i] == 0 ? 1 : 0;
  }
  const auto n = static_cast<long double>(counts.size());
  const long double mean = sum / n;
  spread.mean = static_cast<double>(mean);
  spread.sd = static_cast<double>(std::sqrt(std::max(0.0L, squares / n - mean * mean)));
  spread.gini = sum > 0 ? static_cast<double>(2 * ranked / (n * sum) - (n + 1) / n) : 0;
  return spread;
}

double GatherReuse::missRatio(uint64_t cacheBytes) const {
  profile::KernelProfile profile;
  profile.reuse = {.lineBytes = lineBytes, .coldAccesses = coldAccesses};
  profile.histograms.reuseDistances = distances;
  const std::optional<double> hits = profile::hitRatio(profile, cacheBytes);
  return hits ? 1 - *hits : 0;
}

GatherReuse gatherReuse(const Matrix &matrix, uint64_t elementBytes) {
  GatherReuse reuse{.elementBytes = elementBytes, .distances = {}};
  metrics::LruStack stack;
  metrics::DistanceCounts counts(1);
  for (const uint32_t column : matrix.columnOf)
    if (const uint64_t distance = stack.access(column * elementBytes / reuse.lineBytes);
        distance != metrics::LruStack::kCold)
      counts.add(0, distance);
  reuse.coldAccesses = stack.lines().size();
  reuse.distances = counts.histogram();
  return reuse;
}

namespace {

/// Of the non-zeros off the diagonal of a square matrix, the share whose mirror image is one, too.
std::optional<double> symmetryOf(const Matrix &matrix, const Matrix &mirrored) {
  uint64_t both = 0;
  uint64_t all = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto other = mirrored.row(row);
    auto at = other.begin();
    for (const uint32_t column : matrix.row(row)) {
      if (column == row)
        continue;
      ++all;
      while (at != other.end() && *at < column)
        ++at;
      both += at != other.end() && *at == column ? 1 : 0;
    }
  }
  if (all == 0)
    return std::nullopt;
  return static_cast<double>(both) / static_cast<double>(all);
}

/// Aligned blocks of 4 x 4 that have a non-zero.
uint64_t touchedBlocks(const Matrix &matrix) {
  uint64_t blocks = 0;
  std::vector<uint32_t> lastOf((uint64_t{matrix.columns} + 3) / 4, UINT32_MAX);
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row))
      if (std::exchange(lastOf[column / 4], row / 4) != row / 4)
        ++blocks;
  return blocks;
}

void readDistances(const Matrix &matrix, Features &features) {
  uint64_t diagonal = 0;
  uint64_t repeated = 0;
  long double distances = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto columns = matrix.row(row);
    if (columns.empty())
      continue;
    features.profile += columns.front() < row ? row - columns.front() : 0;
    const auto before = row > 0 ? matrix.row(row - 1) : std::span<const uint32_t>();
    auto at = before.begin();
    uint64_t sum = 0;
    for (const uint32_t column : columns) {
      const uint64_t distance = column > row ? column - row : row - column;
      sum += distance;
      features.bandwidth = std::max(features.bandwidth, distance);
      diagonal += distance == 0 ? 1 : 0;
      while (at != before.end() && *at < column)
        ++at;
      repeated += at != before.end() && *at == column ? 1 : 0;
    }
    distances += static_cast<long double>(sum);
  }
  if (matrix.nonZeros() == 0)
    return;
  const auto all = static_cast<double>(matrix.nonZeros());
  features.meanDistance = static_cast<double>(distances) / all;
  features.diagonalShare = static_cast<double>(diagonal) / all;
  features.rowOverlap = static_cast<double>(repeated) / all;
}

} // namespace

Features featuresOf(const Matrix &matrix) {
  std::future<GatherReuse> gather =
      std::async(std::launch::async, [&matrix] { return gatherReuse(matrix); });
  Features features;
  features.rows = matrix.rows;
  features.columns = matrix.columns;
  features.nonZeros = matrix.nonZeros();
  if (matrix.nonZeros() > 0)
    features.density = static_cast<double>(matrix.nonZeros()) / matrix.rows / matrix.columns;
  std::vector<uint64_t> degrees(matrix.rows);
  for (uint32_t row = 0; row < matrix.rows; ++row)
    degrees[row] = matrix.degree(row);
  features.rowDegrees = spreadOf(std::move(degrees));
  std::vector<uint64_t> columnDegrees(matrix.columns);
  for (const uint32_t column : matrix.columnOf)
    ++columnDegrees[column];
  features.columnDegrees = spreadOf(std::move(columnDegrees));
  if (matrix.rows == matrix.columns)
    features.patternSymmetry = symmetryOf(matrix, transposed(matrix));
  readDistances(matrix, features);
  if (const uint64_t blocks = touchedBlocks(matrix); blocks > 0)
    features.blockDensity =
        static_cast<double>(matrix.nonZeros()) / (16 * static_cast<double>(blocks));
  features.gather = gather.get();
  return features;
}

} // namespace aiwc::sparse
