// What the kernels must compute, against closed forms and conservation laws; and that the check of
// results finds what is wrong.

#include "eod/common/error.h"
#include "input.h"
#include "matrices.h"
#include "tiling.h"
#include "workload.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace aiwc::irregular;
using namespace aiwc::test;
using Catch::Matchers::Contains;

namespace {

const WorkloadKernel &kernel(const std::string &name) {
  for (const WorkloadKernel &each : kernels())
    if (each.name == name)
      return each;
  throw std::runtime_error(name);
}

Workload make(const std::string &name, const Matrix &matrix, uint32_t tile = 1024) {
  return workloadOf(kernel(name), matrix, {.tile = tile});
}

template <typename T>
const std::vector<T> &content(const Workload &workload, const std::string &name) {
  for (const Buffer &buffer : workload.buffers)
    if (buffer.name == name)
      return std::get<std::vector<T>>(buffer.content);
  throw std::runtime_error(name);
}

Matrix ring(uint32_t nodes) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (uint32_t node = 0; node < nodes; ++node)
    edges.emplace_back(node, (node + 1) % nodes);
  return patternOf(nodes, nodes, edges);
}

/// A permutation matrix that is no symmetry of the numbers.
Matrix reversed(uint32_t order) {
  std::vector<std::pair<uint32_t, uint32_t>> positions;
  for (uint32_t row = 0; row < order; ++row)
    positions.emplace_back(row, order - 1 - row);
  return patternOf(order, order, positions);
}

} // namespace

TEST_CASE("A permutation matrix permutes the factor") {
  for (const std::string name : {"spmv-csr", "spmv-ell", "spmv-coo", "spmm"}) {
    CAPTURE(name);
    const Matrix matrix = reversed(10);
    const Workload workload = make(name, matrix);
    const Numbers &x = content<float>(workload, "x");
    const Reference reference = workload.reference();
    const size_t width = x.size() / 10;
    REQUIRE(reference.expected.size() == x.size());
    for (size_t i = 0; i < x.size(); ++i)
      CHECK(reference.expected[i] == x[(9 - i / width) * width + i % width]);
  }
}

TEST_CASE("The slots of ELL are the rows, filled up with zeros") {
  const Matrix matrix = irregularMatrix(30, 20, 3);
  const Workload workload = make("spmv-ell", matrix);
  const Indices &columns = content<uint32_t>(workload, "columns");
  const Numbers &values = content<float>(workload, "values");
  REQUIRE(columns.size() % matrix.rows == 0);
  uint64_t longest = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    longest = std::max(longest, matrix.degree(row));
  REQUIRE(columns.size() == longest * matrix.rows);
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t slot = 0; slot < longest; ++slot) {
      const uint64_t at = slot * matrix.rows + row;
      REQUIRE(columns[at] < matrix.columns);
      if (slot < matrix.degree(row)) {
        CHECK(columns[at] == matrix.columnOf[matrix.rowBegins[row] + slot]);
        CHECK(values[at] == matrix.values[matrix.rowBegins[row] + slot]);
      } else {
        CHECK(values[at] == 0);
      }
    }
}

TEST_CASE("Forward substitution has a launch per level, after all that it needs") {
  const Matrix matrix = irregularMatrix(60, 60, 5);
  const Workload workload = make("triangular-solve", matrix);
  const Indices &order = content<uint32_t>(workload, "level_rows");
  std::set<uint32_t> solved;
  for (const WorkloadLaunch &launch : workload.launches) {
    REQUIRE(launch.workItems > 0);
    const auto first = std::get<uint32_t>(launch.arguments.at(7));
    const auto count = std::get<uint32_t>(launch.arguments.at(8));
    CHECK(count == launch.workItems);
    CHECK(first == solved.size());
    for (uint32_t i = first; i < first + count; ++i)
      for (const uint32_t column : matrix.row(order[i]))
        if (column < order[i])
          CHECK(solved.count(column) == 1);
    for (uint32_t i = first; i < first + count; ++i)
      CHECK(solved.insert(order[i]).second);
  }
  CHECK(solved.size() == matrix.rows);
  // A chain has a level per row; a matrix without a lower part has one.
  std::vector<std::pair<uint32_t, uint32_t>> chain, upper;
  for (uint32_t i = 1; i < 9; ++i) {
    chain.emplace_back(i, i - 1);
    upper.emplace_back(i - 1, i);
  }
  CHECK(make("triangular-solve", patternOf(9, 9, chain)).launches.size() == 9);
  CHECK(make("triangular-solve", patternOf(9, 9, upper)).launches.size() == 1);
}

// L x = b, put together again from the buffers.
TEST_CASE("Forward substitution solves its system") {
  const Matrix matrix = irregularMatrix(60, 60, 6);
  const Workload workload = make("triangular-solve", matrix);
  const Indices &begins = content<uint32_t>(workload, "row_begins");
  const Indices &columns = content<uint32_t>(workload, "columns");
  const Numbers &values = content<float>(workload, "values");
  const std::vector<double> x = workload.reference().expected;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    double sum = content<float>(workload, "diagonal")[row] * x[row];
    for (uint32_t i = begins[row]; i < begins[row + 1]; ++i) {
      REQUIRE(columns[i] < row);
      sum += values[i] * x[columns[i]];
    }
    CHECK(sum == Approx(content<float>(workload, "b")[row]).margin(1e-12));
  }
}

TEST_CASE("On a ring, all nodes have the same rank") {
  for (const std::string name : {"pagerank", "pagerank-tiled"}) {
    const Matrix matrix = ring(8);
    for (const double rank : make(name, matrix, 3).reference().expected)
      CHECK(rank == Approx(1.0 / 8).epsilon(1e-6)); // the damping is a float
  }
}

// Of three nodes, 1 and 2 link to 0, and 0 links to 1: a non-zero (i, j) is a link from j to i.
// Iterations from 1/3 each: r0 = b + d (r1 + r2), r1 = b + d r0, r2 = b, with b = 0.15 / 3.
TEST_CASE("Ranks follow the links from columns to rows") {
  const Matrix matrix = patternOf(3, 3, {{0, 1}, {0, 2}, {1, 0}});
  double r0 = 1.0 / 3, r1 = r0, r2 = r0;
  for (int iteration = 0; iteration < 4; ++iteration) {
    const double next0 = 0.05 + 0.85 * (r1 + r2);
    r1 = 0.05 + 0.85 * r0;
    r2 = 0.05;
    r0 = next0;
  }
  const auto ranks = make("pagerank", matrix).reference().expected;
  CHECK(ranks[0] == Approx(r0).epsilon(1e-6));
  CHECK(ranks[1] == Approx(r1).epsilon(1e-6));
  CHECK(ranks[2] == Approx(r2).epsilon(1e-6));
}

// What an edge takes from one node, it gives to the other.
TEST_CASE("Fluxes and forces add up to zero") {
  for (const std::string name : {"euler", "moldyn"}) {
    CAPTURE(name);
    const Matrix matrix = irregularMatrix(50, 50, 8);
    const auto sums = make(name, matrix).reference().expected;
    double sum = 0;
    double magnitude = 0;
    for (const double each : sums) {
      sum += each;
      magnitude += std::abs(each);
    }
    CHECK(magnitude > 1);
    CHECK(std::abs(sum) < 1e-10 * magnitude);
  }
}

// The flux of Roe takes the state on the side that the wave comes from: u^2 / 2 of the left one if
// both are positive, of the right one if both are negative.
TEST_CASE("The flux through an edge is the upwind one") {
  bool forwards = false;
  bool backwards = false;
  for (uint32_t i = 0; i + 1 < 40; ++i) {
    const Matrix matrix = patternOf(40, 40, {{i, i + 1}});
    const Workload workload = make("euler", matrix);
    const Numbers &states = content<float>(workload, "states");
    const double left = states[i];
    const double right = states[i + 1];
    if ((left > 0) != (right > 0))
      continue;
    (left > 0 ? forwards : backwards) = true;
    const double from = left > 0 ? left : right;
    const double flux = content<float>(workload, "areas")[0] * from * from / 2;
    const auto residuals = workload.reference().expected;
    CHECK(residuals[i] == Approx(flux));
    CHECK(residuals[i + 1] == Approx(-flux));
  }
  CHECK((forwards && backwards));
}

// Along the line between two molecules, away from each other where they are near, and nothing
// beyond the cut-off, which is at 0.7: see reductions.cpp for the units.
TEST_CASE("The force of a pair is central and ends at the cut-off") {
  unsigned repelled = 0, attracted = 0, apart = 0;
  for (uint32_t i = 1; i < 200; ++i) {
    const Matrix matrix = patternOf(200, 200, {{i, 0}});
    const Workload workload = make("moldyn", matrix);
    const Numbers &at = content<float>(workload, "positions");
    const auto forces = workload.reference().expected;
    double square = 0;
    double along = 0;
    double all = 0;
    for (uint32_t k = 0; k < 3; ++k) {
      const double distance = static_cast<double>(at[3 * i + k]) - at[k];
      square += distance * distance;
      along += distance * forces[3 * i + k];
      all += forces[3 * i + k] * forces[3 * i + k];
    }
    CHECK(along * along == Approx(square * all));
    if (square > 0.49)
      ++apart;
    else
      ++(along > 0 ? repelled : attracted);
    CHECK((all > 0) == (square < 0.49));
    if (square < 0.05)
      CHECK(along > 0);
    if (square > 0.3)
      CHECK(along <= 0);
  }
  CHECK((repelled > 0 && attracted > 0 && apart > 0));
}

TEST_CASE("Plain and tiled kernels have one reference, and lanes the numbers of their edges") {
  const Matrix matrix = irregularMatrix(70, 70, 9);
  for (const std::string name : {"pagerank", "euler", "moldyn"}) {
    CAPTURE(name);
    const Reference plain = make(name, matrix).reference();
    const Reference tiled = make(name + "-tiled", matrix, 16).reference();
    CHECK(plain.expected == tiled.expected);
    CHECK(plain.allowed == tiled.allowed);
  }
  const Workload plain = make("euler", matrix);
  const Workload tiled = make("euler-tiled", matrix, 16);
  std::set<std::pair<std::pair<uint32_t, uint32_t>, float>> edges, lanes;
  for (size_t i = 0; i < content<float>(plain, "areas").size(); ++i)
    edges.insert({{content<uint32_t>(plain, "firsts")[i], content<uint32_t>(plain, "seconds")[i]},
                  content<float>(plain, "areas")[i]});
  for (size_t i = 0; i < content<float>(tiled, "lane_areas").size(); ++i)
    if (content<uint32_t>(tiled, "lane_firsts")[i] != kIdle)
      lanes.insert({{content<uint32_t>(tiled, "lane_firsts")[i],
                     content<uint32_t>(tiled, "lane_seconds")[i]},
                    content<float>(tiled, "lane_areas")[i]});
  CHECK(edges == lanes);
}

TEST_CASE("The check finds a wrong number") {
  const Matrix matrix = irregularMatrix(40, 40, 10);
  for (const WorkloadKernel &each : kernels()) {
    CAPTURE(each.name);
    const Reference reference = workloadOf(each, matrix, {}).reference();
    const Numbers right(reference.expected.begin(), reference.expected.end());
    CHECK(compare(reference, right).wrong.empty());
    // Off by a part in 10'000, and not a number.
    size_t largest = 0;
    for (size_t i = 0; i < right.size(); ++i)
      if (std::abs(right[i]) > std::abs(right[largest]))
        largest = i;
    Numbers wrong = right;
    wrong[largest] *= 1.0001F;
    CHECK_THAT(compare(reference, wrong).wrong, Contains("number " + std::to_string(largest)));
    wrong = right;
    wrong[0] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THAT(compare(reference, wrong).wrong, Contains("number 0 is nan"));
  }
}

TEST_CASE("The footprints of the sizes are those of the suite") {
  const std::vector<std::pair<uint64_t, uint64_t>> limits = {
      {0, 32 << 10}, {32 << 10, 256 << 10}, {256 << 10, 8 << 20}, {32 << 20, UINT64_MAX}};
  for (size_t size = 0; size < kSizes.size(); ++size) {
    const Matrix matrix = generatedMatrix(kSizes[size].order);
    for (const WorkloadKernel &each : kernels()) {
      // The host takes seconds to tile the large matrix, which adds idle lanes to the plain kernel.
      if (each.tiled && std::string(kSizes[size].name) == "large")
        continue;
      CAPTURE(each.name, kSizes[size].name);
      const uint64_t bytes = workloadOf(each, matrix, {}).bytes();
      CHECK(bytes > limits[size].first);
      CHECK(bytes < limits[size].second);
    }
  }
}

TEST_CASE("The generated matrix is what its description says") {
  const Matrix matrix = generatedMatrix(1536);
  CHECK(matrix == generatedMatrix(1536));
  REQUIRE((matrix.rows == 1536 && matrix.columns == 1536));
  uint64_t inBand = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto columns = matrix.row(row);
    CHECK((columns.size() >= 2 && columns.size() <= 12));
    CHECK(std::find(columns.begin(), columns.end(), row) != columns.end());
    for (size_t i = 0; i < columns.size(); ++i) {
      CHECK(columns[i] < 1536);
      CHECK((i == 0 || columns[i] > columns[i - 1]));
      inBand += std::abs(int64_t{columns[i]} - row) <= 48 ? 1 : 0;
    }
  }
  const double outside = 1 - static_cast<double>(inBand) / static_cast<double>(matrix.nonZeros());
  CHECK((outside > 0.08 && outside < 0.125)); // one in eight of the draws, less the diagonal
  for (const float value : matrix.values)
    CHECK((value >= -1 && value < 1));
}

TEST_CASE("What a kernel cannot take is refused") {
  const Matrix wide = irregularMatrix(20, 30, 1);
  const Matrix empty = patternOf(5, 5, {});
  const Matrix diagonal = patternOf(3, 3, {{0, 0}, {2, 2}});
  for (const WorkloadKernel &each : kernels()) {
    const std::string name(each.name);
    CAPTURE(name);
    CHECK_THROWS_WITH(make(name, empty), Contains("no non-zeros: expected at least one"));
    if (each.square)
      CHECK_THROWS_WITH(make(name, wide), Contains("20 rows and 30 columns: " + name + " expects"));
    else
      CHECK_NOTHROW(make(name, wide));
    if (name.rfind("euler", 0) == 0 || name.rfind("moldyn", 0) == 0)
      CHECK_THROWS_WITH(make(name, diagonal), Contains("expected an edge between two nodes"));
    else
      CHECK_NOTHROW(make(name, diagonal));
  }
}
