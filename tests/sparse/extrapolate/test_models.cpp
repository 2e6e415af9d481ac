#include "extrapolate/gather_model.h"
#include "extrapolate/lane_model.h"
#include "profile/reuse.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace aiwc::extrapolate;
using aiwc::sparse::Entry;
using aiwc::sparse::Matrix;
using aiwc::sparse::matrixOf;

namespace {

Matrix randomMatrix(uint32_t order, size_t entries, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Entry> all;
  for (size_t i = 0; i < entries; ++i)
    all.push_back({static_cast<uint32_t>(random() % order),
                   static_cast<uint32_t>(random() % (i % 3 == 0 ? order : order / 8 + 1))});
  return matrixOf(order, order, all, false);
}

/// Distances of the gathered lines in a list of recent lines of all arrays.
class Reference {
public:
  Reference(const Traversal &traversal, const Matrix &matrix) {
    uint64_t visit = 0;
    for (uint32_t row = 0; row < matrix.rows; ++row)
      for (const uint32_t column : matrix.row(row)) {
        if (traversal.visits == Quantity::kOffDiagonal && column == row)
          continue;
        // A row's streams are read when it begins, and rows without a visit are passed.
        for (; rows_ <= row; ++rows_)
          for (const Stream &stream : traversal.perRow)
            access(stream.array, rows_ * stream.bytes);
        for (const Stream &stream : traversal.perNonZero)
          access(stream.array, visit * stream.bytes);
        for (const Gather &gather : traversal.gathers) {
          const uint64_t first = (gather.byRow ? row : column) * gather.span / kLineBytes;
          const uint64_t lines = std::max<uint64_t>(1, gather.span / kLineBytes);
          for (uint64_t line = first; line < first + lines; ++line) {
            const auto distance = access(gather.array, line * kLineBytes);
            if (!distance)
              ++cold;
            else
              ++distances[aiwc::profile::reuseBin(*distance)];
          }
        }
        ++visit;
      }
  }

  uint64_t cold = 0;
  std::map<uint64_t, uint64_t> distances;

private:
  std::optional<uint64_t> access(const std::string &array, uint64_t byte) {
    const std::pair line(array, byte / kLineBytes);
    const auto at = std::ranges::find(recent_, line);
    std::optional<uint64_t> distance;
    if (at != recent_.end()) {
      distance = static_cast<uint64_t>(recent_.end() - at) - 1;
      recent_.erase(at);
    }
    recent_.push_back(line);
    return distance;
  }
  std::vector<std::pair<std::string, uint64_t>> recent_;
  uint32_t rows_ = 0;
};

void checkReference(const Traversal &traversal, const Matrix &matrix) {
  const Reference reference(traversal, matrix);
  const GatheredLines lines = gatheredLines(traversal, Pattern(matrix));
  CHECK(lines.cold == reference.cold);
  CHECK(lines.distances ==
        aiwc::profile::Histogram(reference.distances.begin(), reference.distances.end()));
}

} // namespace

TEST_CASE("The model of gathered lines equals a list of recent lines") {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const Matrix matrix = randomMatrix(700, 2500, seed);
    Traversal traversal;
    traversal.gathers = {{"x", false, 4, 1}};
    checkReference(traversal, matrix);
    traversal.perNonZero = {{"columns", 4, 1}, {"values", 8, 1}};
    traversal.perRow = {{"begins", 4, 1}};
    checkReference(traversal, matrix);
    traversal.gathers = {{"b", false, 256, 1}};
    checkReference(traversal, matrix);
    traversal.visits = Quantity::kOffDiagonal;
    traversal.perRow.clear();
    traversal.gathers = {{"states", true, 4, 1}, {"states", false, 4, 1}, {"sums", true, 12, 1}};
    checkReference(traversal, matrix);
  }
}

TEST_CASE("What was modelled is kept for the same traversal of the same pattern") {
  const Pattern pattern(randomMatrix(300, 1000, 1));
  const Pattern other(randomMatrix(300, 1000, 2));
  Traversal traversal;
  traversal.gathers = {{"x", false, 4, 1}};
  aiwc::extrapolate::GatherModels models;
  const GatheredLines &lines = models.lines(traversal, pattern);
  CHECK(lines.distances == gatheredLines(traversal, pattern).distances);
  CHECK(&models.lines(traversal, pattern) == &lines);
  CHECK(models.lines(traversal, other).distances == gatheredLines(traversal, other).distances);
  traversal.perRow = {{"begins", 4, 1}};
  CHECK(models.lines(traversal, pattern).distances == gatheredLines(traversal, pattern).distances);
}

TEST_CASE("Lanes of rows wait for the longest one") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Pattern pattern(randomMatrix(333, 2000, seed));
    double used = 0;
    double slots = 0;
    for (uint32_t first = 0; first < 333; first += 16) {
      uint64_t longest = 0;
      for (uint32_t row = first; row < std::min(333U, first + 16); ++row) {
        longest = std::max(longest, pattern.matrix().degree(row));
        used += 7 + 3 * static_cast<double>(pattern.matrix().degree(row));
      }
      slots += 16 * (7 + 3 * static_cast<double>(longest));
    }
    CHECK(rowUtilization(pattern, 16, 7, 3) == Approx(used / slots));
  }
}

TEST_CASE("Lanes of non-zeros wait for those that come to a node a second time") {
  // 0-1, 2-3: all first times; then 0-2: both later.
  const std::vector<Entry> entries{{0, 1}, {0, 2}, {2, 3}};
  const Pattern pattern(matrixOf(4, 4, entries, false));
  // Trips 2 (0 and 1), 3 (0 again, 2), 3 (2 again, 3).
  CHECK(visitUtilization(pattern, Quantity::kNonZeros, Quantity::kUsedNodes, 3, 0, 1) ==
        Approx(8.0 / 9));
  CHECK(visitUtilization(pattern, Quantity::kNonZeros, Quantity::kUsedNodes, 2, 1, 1) ==
        Approx((3.0 + 8) / (2 * 4 + 2 * 4)));
}

TEST_CASE("Accesses of lanes coalesce as their addresses do") {
  // A full matrix: the lanes of a work-item per row read the same x, and rows of values.
  std::vector<Entry> full;
  for (uint32_t row = 0; row < 64; ++row)
    for (uint32_t column = 0; column < 64; ++column)
      full.push_back({row, column});
  const Pattern pattern(matrixOf(64, 64, full, false));
  Traversal traversal;
  traversal.gathers = {{"x", false, 4, 1}};
  const LaneAccesses same = laneAccesses(traversal, pattern, false);
  CHECK(same.uniform == 1);
  CHECK(same.coalescing[0] == 1);
  traversal.gathers.clear();
  traversal.perNonZero = {{"values", 4, 1}};
  const LaneAccesses apart = laneAccesses(traversal, pattern, false);
  CHECK(apart.uniform == 0);
  CHECK(apart.consecutive == 0);
  CHECK(apart.coalescing[1] == Approx(1.0 / 32)); // a segment for each of 32 rows of 256 bytes
  const LaneAccesses inOrder = laneAccesses(traversal, pattern, true);
  CHECK(inOrder.consecutive == 1);
  CHECK(inOrder.coalescing[2] == 1);
}

TEST_CASE("The entropy of addresses is that of all accesses, one by one") {
  const Pattern pattern(randomMatrix(512, 3000, 7));
  Traversal traversal;
  traversal.gathers = {{"x", false, 4, 1}, {"sums", true, 16, 2}};
  const Matrix &matrix = pattern.matrix();
  for (unsigned bits = 0; bits <= 10; ++bits) {
    std::map<std::pair<std::string, uint64_t>, double> accesses;
    for (uint32_t row = 0; row < matrix.rows; ++row)
      for (const uint32_t column : matrix.row(row)) {
        accesses[{"x", (column * 4) >> bits}] += 1;
        accesses[{"sums", (row * 16) >> bits}] += 2;
      }
    const auto all = 3 * static_cast<double>(matrix.nonZeros());
    double entropy = 0;
    for (const auto &[address, times] : accesses)
      entropy -= times / all * std::log2(times / all);
    CHECK(addressEntropy(traversal, pattern, bits) == Approx(entropy));
  }
  // Elements of 4 bytes in order: each once, and four to a block of 16 bytes.
  traversal.gathers.clear();
  traversal.perNonZero = {{"values", 4, 1}};
  const double elements = std::log2(static_cast<double>(matrix.nonZeros()));
  CHECK(addressEntropy(traversal, pattern, 0) == Approx(elements));
  CHECK(addressEntropy(traversal, pattern, 2) == Approx(elements));
  CHECK(addressEntropy(traversal, pattern, 4) == Approx(elements - 2));
}

TEST_CASE("Lines of what goes in order are as many as its bytes fill") {
  const Pattern pattern(randomMatrix(512, 3000, 7));
  Traversal traversal;
  traversal.perNonZero = {{"values", 8, 1}};
  traversal.perRow = {{"begins", 4, 2}};
  CHECK(streamLines(traversal, pattern) ==
        static_cast<double>(pattern[Quantity::kNonZeros]) / 8 + 512. / 16);
}
