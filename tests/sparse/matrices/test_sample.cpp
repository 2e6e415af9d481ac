// Samples of sparse matrices, against what a sample is.
#include "common/error.h"
#include "sparse/generate.h"
#include "sparse/sample.h"
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

Sample taken(const Matrix &whole, Method method, double fraction, uint64_t seed = 1,
             uint32_t tile = 0) {
  return sample(whole, {.method = method, .fraction = fraction, .seed = seed, .tile = tile});
}

constexpr Method kAll[] = {Method::kStrideAverage, Method::kRandomTile, Method::kRandomEdge};

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
  for (const Method method : kAll)
    for (const ShapeInfo &info : shapes())
      for (const double fraction : {0.01, 0.2, 1.0}) {
        INFO(name(method) << " " << info.name << " " << fraction);
        const Matrix whole = valued(info.shape, 500, 6);
        checkedSample(whole, taken(whole, method, fraction));
      }
  for (const Method method : kAll) {
    INFO(name(method));
    const Matrix whole = wide();
    const Sample part = taken(whole, method, 0.2);
    CHECK(part.columns.back() > 70);
    checkedSample(whole, part);
    CHECK(methodOf(name(method)) == method);
  }
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
      CHECK(taken(whole, Method::kRandomEdge, fraction).achieved == Approx(fraction).margin(1e-5));
      const double tiles = taken(whole, Method::kRandomTile, fraction).achieved;
      CHECK(tiles >= fraction * (1 - 1e-12));
      CHECK(tiles <= fraction + row); // it ends with the row in which it has enough
      // One side more or less has at most four rows and four columns more, on either side.
      CHECK(std::abs(taken(whole, Method::kStrideAverage, fraction).achieved - fraction) <=
            std::min(8 * row + 1e-3, 0.5));
    }
  }
}

TEST_CASE("All of a matrix is a sample of it") {
  for (const Method method : kAll)
    for (const Shape shape : {Shape::kBanded, Shape::kMesh3d, Shape::kBlock}) {
      const Matrix whole = valued(shape, 333, 9);
      const Sample all = taken(whole, method, 1);
      INFO(name(method) << " " << name(shape));
      CHECK(all.achieved == 1);
      CHECK(positions(all.matrix).size() == whole.nonZeros());
      if (shape != Shape::kBlock) // has rows with no non-zero, which random edges leave out
        CHECK(all.matrix == whole);
    }
  // Orders that are no multiple of 4.
  for (uint32_t rows = 1; rows < 12; ++rows) {
    const Matrix full = valued(Shape::kUniform, rows, rows);
    CHECK(taken(full, Method::kStrideAverage, 1).matrix == full);
  }
}

TEST_CASE("Stride average takes all of four squares and nothing else") {
  for (const Shape shape : {Shape::kUniform, Shape::kBanded, Shape::kRmat}) {
    const Matrix whole = valued(shape, 1000, 20);
    const Sample part = taken(whole, Method::kStrideAverage, 0.1);
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

TEST_CASE("Random tiles are squares: what one has of a full matrix is a rectangle") {
  const Matrix full = valued(Shape::kUniform, 120, 120);
  // One tile of 30 has more than the fraction, unless a border cuts it; its density is the mean, so
  // that it does not adapt. It ends in the row in which there are enough, 144 of 14400.
  bool whole = false;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Sample part = taken(full, Method::kRandomTile, 0.01, seed, 30);
    const std::set<Position> found = checkedSample(full, part);
    std::set<uint32_t> rows;
    std::set<uint32_t> columns;
    for (const auto &[row, column] : found) {
      rows.insert(row);
      columns.insert(column);
    }
    if (rows.size() * columns.size() != found.size())
      continue; // of two tiles
    CHECK(columns.size() <= 30);
    CHECK(*rows.rbegin() - *rows.begin() + 1 == rows.size());
    CHECK(*columns.rbegin() - *columns.begin() + 1 == columns.size());
    whole = whole || (columns.size() == 30 && rows.size() == 5); // 4 rows have 120, 5 have 150
  }
  CHECK(whole);
}

TEST_CASE("Tiles shrink where a matrix is thin and grow where it is dense") {
  // Rows of the upper half have 90 non-zeros, those of the lower one 10: densities 1.8 and 0.2 of
  // the mean, so tiles of 20 become 30 above and 10 below.
  std::vector<Entry> entries;
  for (uint32_t row = 0; row < 400; ++row)
    for (uint32_t column = 0; column < 440; ++column)
      if ((row * 7 + column) % 40 < (row < 200 ? 9U : 1U))
        entries.push_back({row, column, 1});
  const Matrix whole = matrixOf(400, 440, entries, true);
  size_t above = 0;
  size_t below = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    // One non-zero: of one tile, or of empty ones and a last one.
    const Sample part = taken(whole, Method::kRandomTile, 1e-9, seed, 20);
    const uint32_t first = part.rows.front();
    const uint32_t width = part.columns.back() - part.columns.front() + 1;
    if (width != part.columns.size() || part.columns.front() == 0 || part.columns.back() == 439)
      continue; // of several tiles, or cut by a border
    if (first > 0 && first + 20 <= 200) {
      CHECK(width == 30);
      ++above;
    }
    if (first >= 200 && first + 20 <= 400) {
      CHECK(width == 10);
      ++below;
    }
  }
  CHECK(above > 10);
  CHECK(below > 10);
}

TEST_CASE("The search for tiles ends where most tiles are empty") {
  // Two non-zeros of 10^6 rows: a tile of 2 rows is around one of them once in 10^12 draws.
  const std::vector<Entry> entries = {{123456, 7, 1}, {999999, 999999, 2}};
  const Matrix whole = matrixOf(1000000, 1000000, entries, true);
  const Sample part = taken(whole, Method::kRandomTile, 1, 1, 2);
  CHECK(part.achieved == 1);
  CHECK(part.matrix.nonZeros() == 2);
  CHECK(part.matrix.rows == part.matrix.columns);
}

TEST_CASE("Random edges leave out the rows and columns without any") {
  const Matrix whole = wide();
  const Sample part = taken(whole, Method::kRandomEdge, 0.05);
  for (uint32_t row = 0; row < part.matrix.rows; ++row)
    CHECK(part.matrix.degree(row) > 0);
  const Matrix columns = transposed(part.matrix);
  for (uint32_t column = 0; column < columns.rows; ++column)
    CHECK(columns.degree(column) > 0);
  CHECK(taken(whole, Method::kRandomEdge, 0.05, 2).columns != part.columns);
  CHECK(taken(whole, Method::kRandomEdge, 0.05).matrix == part.matrix);
}

TEST_CASE("The file of a sample says how it was taken, and of what") {
  const Matrix whole = wide();
  const SampleOptions options{
      .method = Method::kRandomTile, .fraction = 0.25, .seed = 9, .tile = 0};
  const Sample part = sample(whole, options);
  aiwc::test::TemporaryFolder folder;
  const std::string file = (folder.path() / "part.mtx").string();
  aiwc::test::write(file, matrixMarketText(part.matrix, sampleComment(whole, options, part)));
  Origin origin;
  CHECK(readMatrix(file, {.values = true, .threads = 1}, &origin) == part.matrix);
  CHECK(origin.sample == fmt::format("method=random-tile fraction=0.25 achieved={:.6g} seed=9 "
                                     "rows=70 columns=200 non_zeros={}",
                                     part.achieved, whole.nonZeros()));
}

TEST_CASE("What cannot be sampled is refused") {
  const Matrix whole = wide();
  for (const Method method : kAll) {
    CHECK_THROWS_WITH(taken(matrixOf(5, 5, {}, true), method, 0.1),
                      "the matrix has no non-zeros: expected some to sample");
    CHECK_THROWS_WITH(taken(whole, method, 0),
                      "the fraction 0: expected more than 0, and at most 1");
    CHECK_THROWS_WITH(taken(whole, method, 1.5),
                      "the fraction 1.5: expected more than 0, and at most 1");
    CHECK_THROWS_WITH(taken(whole, method, NAN),
                      "the fraction nan: expected more than 0, and at most 1");
  }
  CHECK_THROWS_WITH(methodOf("best"),
                    "the method best: expected stride-average, random-tile or random-edge");
}
