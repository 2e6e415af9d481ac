// Samples of sparse matrices, against what a sample is.
#include "common/error.h"
#include "generate/generate.h"
#include "sparse/matrix.h"
#include "support/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace aiwc::sparse;

namespace {

Matrix valued(Shape shape, uint32_t rows, double perRow, uint64_t seed = 1) {
  return generate({.shape = shape,
                   .rows = rows,
                   .nonZerosPerRow = perRow,
                   .seed = seed,
                   .parameter = {},
                   .values = true});
}

using Position = std::pair<uint32_t, uint32_t>;

std::map<Position, float> positions(const Matrix &matrix) {
  std::map<Position, float> all;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i)
      all[{row, matrix.columnOf[i]}] = matrix.values[i];
  return all;
}

/// The positions in the whole of the sampled non-zeros, after checks that hold for any sample.
std::set<Position> checkedSample(const Matrix &whole, const Sample &sample) {
  const Matrix &part = sample.matrix;
  REQUIRE(sample.rows.size() == part.rows);
  REQUIRE(sample.columns.size() == part.columns);
  REQUIRE(part.rowBegins.size() == part.rows + size_t{1});
  REQUIRE(part.values.size() == part.columnOf.size());
  CHECK(std::ranges::is_sorted(sample.rows, std::less_equal<>()));
  CHECK(std::ranges::is_sorted(sample.columns, std::less_equal<>()));
  if (whole.rows == whole.columns)
    CHECK(sample.rows == sample.columns);
  const auto all = positions(whole);
  std::set<Position> found;
  for (const auto &[position, value] : positions(part)) {
    const Position old{sample.rows[position.first], sample.columns[position.second]};
    const auto at = all.find(old);
    REQUIRE(at != all.end());
    REQUIRE(at->second == value);
    found.insert(old);
  }
  CHECK(found.size() == part.nonZeros());
  CHECK(sample.achieved ==
        static_cast<double>(part.nonZeros()) / static_cast<double>(whole.nonZeros()));
  return found;
}

/// A matrix of 70 rows and 200 columns.
Matrix wide() {
  const Matrix square = valued(Shape::kUniform, 200, 6);
  std::vector<Entry> entries;
  for (const auto &[position, value] : positions(square))
    if (position.first < 70)
      entries.push_back({position.first, position.second, value});
  return matrixOf(70, 200, entries, true);
}

} // namespace

TEST_CASE("Every sampled non-zero is one of the whole, at the numbers that the sample says") {
  for (const ShapeInfo &info : shapes())
    for (const double fraction : {0.01, 0.2, 1.0}) {
      INFO(info.name << " " << fraction);
      const Matrix whole = valued(info.shape, 500, 6);
      checkedSample(whole, sample(whole, fraction));
    }
  const Matrix whole = wide();
  const Sample part = sample(whole, 0.2);
  CHECK(part.columns.back() > 70);
  checkedSample(whole, part);
}

TEST_CASE("Samples have the fraction that was asked for") {
  for (const ShapeInfo &info : shapes()) {
    const Matrix whole = valued(info.shape, 20000, 6);
    uint64_t largest = 0;
    for (uint32_t row = 0; row < whole.rows; ++row)
      largest = std::max(largest, whole.degree(row));
    const double row = static_cast<double>(largest) / static_cast<double>(whole.nonZeros());
    for (const double fraction : {0.02, 0.05, 0.1, 0.5, 1.0}) {
      INFO(info.name << " " << fraction);
      // One side more or less has at most four rows and four columns more, on either side.
      CHECK(std::abs(sample(whole, fraction).achieved - fraction) <= std::min(8 * row + 1e-3, 0.5));
    }
  }
}

TEST_CASE("All of a matrix is a sample of it") {
  for (const Shape shape : {Shape::kBanded, Shape::kMesh3d, Shape::kBlock}) {
    const Matrix whole = valued(shape, 333, 9);
    const Sample all = sample(whole, 1);
    INFO(name(shape));
    CHECK(all.achieved == 1);
    CHECK(all.matrix == whole);
  }
  // Orders that are no multiple of 4.
  for (uint32_t rows = 1; rows < 12; ++rows) {
    const Matrix full = valued(Shape::kUniform, rows, rows);
    CHECK(sample(full, 1).matrix == full);
  }
}

TEST_CASE("A sample of a matrix with few non-zeros has one at least") {
  const std::vector<Entry> entries = {{123456, 7, 1}, {999999, 999999, 2}};
  const Matrix whole = matrixOf(1000000, 1000000, entries, true);
  CHECK(sample(whole, 1e-9).matrix.nonZeros() >= 1);
}

TEST_CASE("A sample takes all of four squares and nothing else") {
  for (const Shape shape : {Shape::kUniform, Shape::kBanded, Shape::kRmat}) {
    const Matrix whole = valued(shape, 1000, 20);
    const Sample part = sample(whole, 0.1);
    const std::set<Position> found = checkedSample(whole, part);
    // The kept rows are two ranges around 250 and 750 of the same length.
    const auto gap =
        std::ranges::adjacent_find(part.rows, [](uint32_t a, uint32_t b) { return b != a + 1; });
    REQUIRE(gap != part.rows.end());
    const uint32_t a = part.rows.front();
    const uint32_t b = *gap;
    const uint32_t c = *(gap + 1);
    const uint32_t d = part.rows.back();
    CHECK(b - a == d - c);
    CHECK(a + b == 500);
    CHECK(c + d == 1500);
    CHECK(part.rows.size() == 2 * (b - a + 1));
    for (const auto &[position, value] : positions(whole)) {
      const auto inside = [&](uint32_t i) { return (i >= a && i <= b) || (i >= c && i <= d); };
      REQUIRE(found.count(position) ==
              (inside(position.first) && inside(position.second) ? 1U : 0U));
    }
    // Where non-zeros are even, the side is the paper's: sqrt(p / 4) of the rows.
    if (shape == Shape::kUniform)
      CHECK(b - a + 1 == Approx(1000 * std::sqrt(0.1 / 4)).epsilon(0.03));
  }
}

TEST_CASE("The file of a sample says how it was taken, and of what") {
  const Matrix whole = wide();
  const Sample part = sample(whole, 0.25);
  aiwc::test::TemporaryFolder folder;
  const std::string file = (folder.path() / "part.mtx").string();
  aiwc::test::write(file, matrixMarketText(part.matrix, sampleComment(whole, 0.25, part)));
  std::string comment;
  CHECK(readMatrix(file, {.values = true}, &comment) == part.matrix);
  CHECK(comment == fmt::format("method=stride-average fraction=0.25 achieved={:.6g} "
                               "rows=70 columns=200 non_zeros={}",
                               part.achieved, whole.nonZeros()));
}

TEST_CASE("What cannot be sampled is refused") {
  const Matrix whole = wide();
  CHECK_THROWS_WITH(sample(matrixOf(5, 5, {}, true), 0.1),
                    "the matrix has no non-zeros: expected some to sample");
  CHECK_THROWS_WITH(sample(whole, 0), "the fraction 0: expected more than 0, and at most 1");
  CHECK_THROWS_WITH(sample(whole, 1.5), "the fraction 1.5: expected more than 0, and at most 1");
  CHECK_THROWS_WITH(sample(whole, NAN), "the fraction nan: expected more than 0, and at most 1");
}
