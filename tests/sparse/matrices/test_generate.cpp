// Generators of sparse matrices: counts, ranges, and structures that are known.
#include "common/error.h"
#include "generate/generate.h"
#include "generate/order.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <queue>
#include <set>
#include <vector>

using namespace aiwc::sparse;
using Catch::Matchers::Contains;

namespace {

Matrix transposed(const Matrix &matrix) {
  Matrix result{.rows = matrix.columns,
                .columns = matrix.rows,
                .rowBegins = std::vector<uint64_t>(uint64_t{matrix.columns} + 1),
                .columnOf = std::vector<uint32_t>(matrix.columnOf.size()),
                .values = std::vector<float>(matrix.values.size())};
  for (const uint32_t column : matrix.columnOf)
    ++result.rowBegins[column + 1];
  std::inclusive_scan(result.rowBegins.begin(), result.rowBegins.end(), result.rowBegins.begin());
  std::vector<uint64_t> next(result.rowBegins.begin(), result.rowBegins.end() - 1);
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i) {
      const uint64_t at = next[matrix.columnOf[i]]++;
      result.columnOf[at] = row;
      if (!matrix.values.empty())
        result.values[at] = matrix.values[i];
    }
  return result;
}

Matrix made(Shape shape, uint32_t rows, double perRow, std::optional<double> parameter = {},
            uint64_t seed = 1) {
  return generate({.shape = shape,
                   .rows = rows,
                   .nonZerosPerRow = perRow,
                   .seed = seed,
                   .parameter = parameter,
                   .values = false});
}

uint64_t bandwidth(const Matrix &matrix) {
  uint64_t largest = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row))
      largest = std::max<uint64_t>(largest, row > column ? row - column : column - row);
  return largest;
}

bool hasEdge(const Matrix &matrix, uint32_t row, uint32_t column) {
  return std::ranges::binary_search(matrix.row(row), column);
}

/// What every reader of a matrix relies on.
void checkForm(const Matrix &matrix) {
  REQUIRE(matrix.rowBegins.size() == matrix.rows + size_t{1});
  CHECK(matrix.rowBegins.front() == 0);
  CHECK(matrix.rowBegins.back() == matrix.nonZeros());
  bool inOrder = true;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto columns = matrix.row(row);
    inOrder =
        inOrder && std::ranges::adjacent_find(columns, std::greater_equal<>()) == columns.end();
    inOrder = inOrder && (columns.empty() || columns.back() < matrix.columns);
  }
  CHECK(inOrder);
}

std::string refusal(const Structure &structure) {
  try {
    generate(structure);
  } catch (const aiwc::Error &error) {
    return error.what();
  }
  return "made";
}

} // namespace

TEST_CASE("Generated matrices are well formed, and the same for the same seed only") {
  for (const ShapeInfo &info : shapes())
    for (const uint32_t rows : {60U, 997U}) {
      INFO(info.name << " " << rows);
      const Matrix matrix = made(info.shape, rows, 7);
      checkForm(matrix);
      CHECK(matrix.rows == rows);
      CHECK(matrix.columns == rows);
      CHECK(matrix.nonZeros() > 3 * rows);
      CHECK(matrix.nonZeros() <= 8 * rows);
      CHECK(made(info.shape, rows, 7) == matrix);
      const bool random = info.shape != Shape::kMesh2d && info.shape != Shape::kMesh3d;
      CHECK((made(info.shape, rows, 7, {}, 2) != matrix) == random);
      CHECK(shapeOf(info.name) == info.shape);
      const Structure withValues{.shape = info.shape,
                                 .rows = rows,
                                 .nonZerosPerRow = 7,
                                 .seed = 1,
                                 .parameter = {},
                                 .values = true};
      const Matrix valued = generate(withValues);
      CHECK(valued.columnOf == matrix.columnOf);
      REQUIRE(valued.values.size() == matrix.nonZeros());
      CHECK(std::ranges::all_of(valued.values, [](float v) { return v >= -1 && v <= 1; }));
    }
}

TEST_CASE("Random structures have as many non-zeros as were asked for") {
  for (const double perRow : {0.3, 4.0, 17.5}) {
    const auto wanted = static_cast<uint64_t>(1000 * perRow + 0.5);
    CHECK(made(Shape::kUniform, 1000, perRow).nonZeros() == wanted);
    CHECK(made(Shape::kRmat, 1000, perRow).nonZeros() == wanted);
    for (const Shape shape : {Shape::kPowerLaw, Shape::kSmallWorld}) {
      const Matrix graph = made(shape, 1000, perRow);
      CHECK(graph.nonZeros() == wanted / 2 * 2);
      CHECK(transposed(graph) == graph);
      for (uint32_t row = 0; row < graph.rows; ++row)
        CHECK_FALSE(hasEdge(graph, row, row));
    }
  }
  CHECK(made(Shape::kUniform, 20, 20).nonZeros() == 400); // a full matrix
}

TEST_CASE("A band holds its non-zeros and the diagonal") {
  for (const double reach : {0.0, 3.0, 40.0, 5000.0}) {
    const Matrix matrix = made(Shape::kBanded, 300, 5.25, reach);
    CHECK(bandwidth(matrix) <= static_cast<uint64_t>(reach));
    for (uint32_t row = 0; row < matrix.rows; ++row)
      CHECK(hasEdge(matrix, row, row));
    if (reach > 10)
      CHECK(matrix.nonZeros() == 1575); // 300 * 5.25
  }
  CHECK(made(Shape::kBanded, 300, 5, 0.0).nonZeros() == 300);
  // The whole band of reach 2: 5 per row, without 1 + 2 at each end.
  CHECK(made(Shape::kBanded, 300, 5, 2.0).nonZeros() == 1494);
}

TEST_CASE("Blocks are dense and on a grid") {
  const Matrix matrix = made(Shape::kBlock, 1000, 12, 4.0);
  CHECK(matrix.nonZeros() == 12000); // 750 whole blocks of 16
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row))
      for (uint32_t i = 0; i < 4; ++i)
        REQUIRE(hasEdge(matrix, row / 4 * 4 + i, column / 4 * 4 + i));
  // The last blocks are cut where the matrix ends.
  CHECK(made(Shape::kBlock, 10, 10, 4.0).nonZeros() <= 100);
}

TEST_CASE("Meshes are the known stencils") {
  // A grid of side n: n^2 nodes and 2 n (n - 1) edges; in space n^3 and 3 n^2 (n - 1).
  CHECK(made(Shape::kMesh2d, 100, 5).nonZeros() == 100 + 2 * 180);
  CHECK(made(Shape::kMesh3d, 1000, 7).nonZeros() == 1000 + 2 * 2700);
  // All neighbours within one step: (3 n - 2)^d.
  CHECK(made(Shape::kMesh2d, 100, 9).nonZeros() == 28 * 28);
  CHECK(made(Shape::kMesh3d, 1000, 27).nonZeros() == 28 * 28 * 28);
  // Never less than the neighbours along the axes; whole shells only.
  CHECK(made(Shape::kMesh2d, 100, 1) == made(Shape::kMesh2d, 100, 8));
  const Matrix plane = made(Shape::kMesh2d, 100, 5);
  for (uint32_t a = 0; a < 100; ++a)
    for (uint32_t b = 0; b < 100; ++b) {
      const int steps = std::abs(static_cast<int>(a % 10) - static_cast<int>(b % 10)) +
                        std::abs(static_cast<int>(a / 10) - static_cast<int>(b / 10));
      REQUIRE(hasEdge(plane, a, b) == (steps <= 1));
    }
  CHECK(bandwidth(plane) == 10);
  CHECK(bandwidth(made(Shape::kMesh3d, 1000, 7)) == 100);
  // An incomplete last row of the grid.
  CHECK(transposed(made(Shape::kMesh3d, 1009, 19)) == made(Shape::kMesh3d, 1009, 19));
}

TEST_CASE("Unordered and reordered meshes are the mesh under other numbers") {
  for (const double dimensions : {2.0, 3.0}) {
    const Matrix mesh = made(dimensions == 2 ? Shape::kMesh2d : Shape::kMesh3d, 1728, 7);
    const Matrix unordered = made(Shape::kMeshUnordered, 1728, 7, dimensions);
    const Matrix reordered = made(Shape::kMeshReordered, 1728, 7, dimensions);
    std::vector<uint64_t> degrees[3];
    for (uint32_t row = 0; row < mesh.rows; ++row) {
      degrees[0].push_back(mesh.degree(row));
      degrees[1].push_back(unordered.degree(row));
      degrees[2].push_back(reordered.degree(row));
    }
    for (auto &each : degrees)
      std::ranges::sort(each);
    CHECK(degrees[0] == degrees[1]);
    CHECK(degrees[0] == degrees[2]);
    CHECK(transposed(unordered) == unordered);
    CHECK(transposed(reordered) == reordered);
    CHECK(bandwidth(unordered) > 1500);
    // A layer of a breadth-first search of a cube has at most 3/4 side^2 nodes; twice that is
    // generous for two layers.
    CHECK(bandwidth(reordered) < 450);
  }
}

TEST_CASE("Renumbering moves each non-zero with its value") {
  Structure structure{.shape = Shape::kUniform,
                      .rows = 50,
                      .nonZerosPerRow = 5,
                      .seed = 3,
                      .parameter = {},
                      .values = true};
  const Matrix matrix = generate(structure);
  std::vector<uint32_t> newOf(50);
  for (uint32_t i = 0; i < 50; ++i)
    newOf[i] = (7 * i + 3) % 50;
  std::vector<Entry> entries;
  for (uint32_t row = 0; row < 50; ++row)
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i)
      entries.push_back({newOf[row], newOf[matrix.columnOf[i]], matrix.values[i]});
  CHECK(renumbered(matrix, newOf) == matrixOf(50, 50, entries, true));
}

TEST_CASE("Reverse Cuthill-McKee gives a path of any numbers bandwidth 1") {
  std::vector<Entry> entries;
  // The path 0, 37, 74, ... modulo 101, and by itself node 101.
  for (uint32_t i = 0; i < 100; ++i) {
    entries.push_back({i * 37 % 101, (i + 1) * 37 % 101, 1});
    entries.push_back({(i + 1) * 37 % 101, i * 37 % 101, 1});
  }
  const Matrix path = matrixOf(102, 102, entries, false);
  const std::vector<uint32_t> newOf = reverseCuthillMcKee(path);
  CHECK(std::set<uint32_t>(newOf.begin(), newOf.end()).size() == 102);
  CHECK(bandwidth(renumbered(path, newOf)) == 1);
}

TEST_CASE("Degrees of a power law have its exponent") {
  // The share of nodes with degree d or more falls as d^(1 - exponent): between degrees 4 times
  // apart by 4^(exponent - 1).
  for (const double exponent : {2.2, 2.5, 3.0}) {
    INFO(exponent);
    const Matrix graph = made(Shape::kPowerLaw, 200000, 10, exponent);
    const auto atLeast = [&](uint64_t degree) {
      uint64_t count = 0;
      for (uint32_t row = 0; row < graph.rows; ++row)
        count += graph.degree(row) >= degree ? 1 : 0;
      return static_cast<double>(count);
    };
    CHECK(std::log(atLeast(20) / atLeast(80)) / std::log(4) == Approx(exponent - 1).margin(0.15));
  }
}

TEST_CASE("R-MAT divides non-zeros among quarters as its shares say") {
  const Matrix matrix = made(Shape::kRmat, 1U << 20U, 1);
  const uint32_t half = 1U << 19U;
  double quarters[2][2] = {};
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (const uint32_t column : matrix.row(row))
      quarters[row >= half ? 1 : 0][column >= half ? 1 : 0] +=
          1.0 / static_cast<double>(matrix.nonZeros());
  // Positions that are drawn twice are replaced, which flattens the shares a little.
  CHECK(quarters[0][0] == Approx(0.57).margin(0.02));
  CHECK(quarters[0][1] == Approx(0.19).margin(0.01));
  CHECK(quarters[1][0] == Approx(0.19).margin(0.01));
  CHECK(quarters[1][1] == Approx(0.05).margin(0.01));
}

TEST_CASE("A small world without shortcuts is a ring, and shortcuts shorten it") {
  const Matrix ring = made(Shape::kSmallWorld, 1000, 6, 0.0);
  for (uint32_t row = 0; row < 1000; ++row) {
    REQUIRE(ring.degree(row) == 6);
    for (const uint32_t steps : {1U, 2U, 3U, 997U, 998U, 999U})
      REQUIRE(hasEdge(ring, row, (row + steps) % 1000));
  }
  const auto farthest = [](const Matrix &graph) {
    std::vector<int> distance(graph.rows, -1);
    std::queue<uint32_t> next({0});
    distance[0] = 0;
    int largest = 0;
    for (; !next.empty(); next.pop())
      for (const uint32_t to : graph.row(next.front()))
        if (distance[to] < 0) {
          largest = std::max(largest, distance[to] = distance[next.front()] + 1);
          next.push(to);
        }
    return largest;
  };
  CHECK(farthest(ring) == 167); // 500 nodes in steps of 3
  CHECK(farthest(made(Shape::kSmallWorld, 1000, 6, 0.2)) < 20);
}

TEST_CASE("Structures that cannot be made are refused") {
  const auto with = [](Shape shape, uint32_t rows, double perRow,
                       std::optional<double> parameter = {}) {
    return refusal({.shape = shape,
                    .rows = rows,
                    .nonZerosPerRow = perRow,
                    .seed = 1,
                    .parameter = parameter,
                    .values = false});
  };
  CHECK(with(Shape::kUniform, 0, 3) == "0 rows: expected 1 to 2147483647");
  CHECK(with(Shape::kSmallWorld, 1, 1) == "1 rows: expected 2 to 2147483647");
  CHECK(with(Shape::kUniform, 1U << 31U, 1) == "2147483648 rows: expected 1 to 2147483647");
  CHECK(with(Shape::kUniform, 10, 0) ==
        "0 non-zeros per row: expected more than 0, and at most 10");
  CHECK(with(Shape::kUniform, 10, NAN) ==
        "nan non-zeros per row: expected more than 0, and at most 10");
  CHECK(with(Shape::kPowerLaw, 10, 9.5) ==
        "9.5 non-zeros per row: expected more than 0, and at most 9");
  CHECK_THAT(with(Shape::kUniform, 2000000000, 2), Contains("at most 2000000000 non-zeros"));
  CHECK(with(Shape::kMesh2d, 10, 2, 1.0) == "the parameter 1 of mesh-2d: expected none");
  CHECK(with(Shape::kPowerLaw, 10, 2, 1.0) ==
        "the parameter 1 of power-law: expected its exponent, from 1.5 to 10");
  CHECK(with(Shape::kRmat, 10, 2, NAN) ==
        "the parameter nan of r-mat: expected the share of the first quarter, from 0.25 to 0.9");
  CHECK(with(Shape::kBlock, 10, 2, 2.5) == "the parameter 2.5 of block: expected a whole number");
  CHECK_THROWS_WITH(shapeOf("star"), Contains("the structure star: expected one of uniform, "));
}
