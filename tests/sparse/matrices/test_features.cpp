#include "profile/reuse.h"
#include "sparse/features.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

using aiwc::sparse::Entry;
using aiwc::sparse::Features;
using aiwc::sparse::featuresOf;
using aiwc::sparse::GatherReuse;
using aiwc::sparse::gatherReuse;
using aiwc::sparse::Matrix;
using aiwc::sparse::matrixOf;
using aiwc::sparse::Spread;
using aiwc::sparse::spreadOf;

namespace {

Matrix tridiagonal(uint32_t n) {
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = i == 0 ? 0 : i - 1; j <= std::min(i + 1, n - 1); ++j)
      entries.push_back({i, j});
  return matrixOf(n, n, entries, false);
}

Matrix randomMatrix(uint32_t rows, uint32_t columns, size_t entries, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Entry> all;
  for (size_t i = 0; i < entries; ++i)
    all.push_back(
        {static_cast<uint32_t>(random() % rows), static_cast<uint32_t>(random() % columns)});
  return matrixOf(rows, columns, all, false);
}

} // namespace

TEST_CASE("The spread of counts has its closed forms") {
  const Spread equal = spreadOf({5, 5, 5, 5});
  CHECK(equal.mean == 5);
  CHECK(equal.sd == 0);
  CHECK(equal.gini == Approx(0).margin(1e-12));
  const Spread one = spreadOf({0, 0, 0, 12});
  CHECK(one.min == 0);
  CHECK(one.max == 12);
  CHECK(one.empty == 3);
  CHECK(one.gini == Approx(0.75)); // (n - 1) / n
  CHECK(one.sd == Approx(std::sqrt(27.0)));
  CHECK(spreadOf({1, 2, 3, 4}).gini == Approx(0.25));
  CHECK(spreadOf({}).mean == 0);
}

TEST_CASE("The features of a tridiagonal matrix have closed forms") {
  constexpr uint32_t kOrder = 1000;
  const Features features = featuresOf(tridiagonal(kOrder));
  CHECK(features.nonZeros == 3 * kOrder - 2);
  CHECK(features.density == Approx((3.0 * kOrder - 2) / kOrder / kOrder));
  CHECK(features.patternSymmetry == 1.0);
  CHECK(features.bandwidth == 1);
  CHECK(features.profile == kOrder - 1);
  CHECK(features.meanDistance == Approx((2.0 * kOrder - 2) / (3 * kOrder - 2)));
  CHECK(features.diagonalShare == Approx(kOrder / (3.0 * kOrder - 2)));
  // Two columns of every row but the first occur in the row before.
  CHECK(features.rowOverlap == Approx((2.0 * kOrder - 2) / (3 * kOrder - 2)));
  CHECK(features.rowDegrees.min == 2);
  CHECK(features.rowDegrees.max == 3);
  // 10 of the 16 positions of a block on the diagonal, 1 of each of its neighbours.
  CHECK(features.blockDensity == Approx((3.0 * kOrder - 2) / 16 / (kOrder / 4.0 * 3 - 2)));
  // A line has 16 elements; a row at its border reads the next line, then the row after reads both.
  CHECK(features.gather.coldAccesses == (kOrder + 15) / 16);
  CHECK(features.gather.missRatio(1U << 20U) ==
        Approx(std::ceil(kOrder / 16.0) / (3 * kOrder - 2)));
}

TEST_CASE("Features of random matrices equal those by brute force") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const uint32_t rows = 5 + seed * 7;
    const uint32_t columns = seed % 2 == 0 ? rows : 3 + seed * 11;
    const Matrix matrix = randomMatrix(rows, columns, size_t{rows} * 4, seed);
    std::set<std::pair<uint32_t, uint32_t>> positions;
    std::set<std::pair<uint32_t, uint32_t>> blocks;
    for (uint32_t row = 0; row < rows; ++row)
      for (const uint32_t column : matrix.row(row)) {
        positions.insert({row, column});
        blocks.insert({row / 4, column / 4});
      }
    uint64_t bandwidth = 0;
    uint64_t mirrored = 0;
    uint64_t off = 0;
    uint64_t above = 0;
    for (const auto &[row, column] : positions) {
      bandwidth = std::max<uint64_t>(bandwidth, row > column ? row - column : column - row);
      off += row != column ? 1 : 0;
      mirrored += row != column && positions.contains({column, row}) ? 1 : 0;
      above += row > 0 && positions.contains({row - 1, column}) ? 1 : 0;
    }
    const Features features = featuresOf(matrix);
    const auto all = static_cast<double>(positions.size());
    CHECK(features.nonZeros == positions.size());
    CHECK(features.bandwidth == bandwidth);
    CHECK(features.rowOverlap == Approx(static_cast<double>(above) / all));
    CHECK(features.blockDensity == Approx(all / 16 / static_cast<double>(blocks.size())));
    CHECK(features.patternSymmetry.has_value() == (rows == columns));
    if (features.patternSymmetry)
      CHECK(*features.patternSymmetry ==
            Approx(static_cast<double>(mirrored) / static_cast<double>(off)));
  }
}

TEST_CASE("The reuse of the gathered vector equals that of a list of recent lines") {
  const uint64_t elementBytes = GENERATE(4, 8);
  const Matrix matrix = randomMatrix(60, 900, 1500, 3);
  std::vector<uint64_t> recent; // the last is the most recent
  uint64_t cold = 0;
  std::map<uint64_t, uint64_t> distances;
  for (const uint32_t column : matrix.columnOf) {
    const uint64_t line = column * elementBytes / 64;
    const auto at = std::find(recent.begin(), recent.end(), line);
    if (at == recent.end())
      ++cold;
    else {
      ++distances[aiwc::profile::reuseBin(static_cast<uint64_t>(recent.end() - at) - 1)];
      recent.erase(at);
    }
    recent.push_back(line);
  }
  const GatherReuse reuse = gatherReuse(matrix, elementBytes);
  CHECK(reuse.coldAccesses == cold);
  CHECK(reuse.distances == aiwc::profile::Histogram(distances.begin(), distances.end()));
  CHECK(reuse.missRatio(64) >= reuse.missRatio(1024));
}
