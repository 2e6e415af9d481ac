#include "eod/csr/csr_reference.h"
#include "programs.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

using namespace aiwc::eod;
using csr::Matrix;
using csr::Shape;
using csr::Structure;

namespace {

/// In single precision, row by row: what a device does.
std::vector<float> multiply(const Matrix &a, const std::vector<float> &x) {
  std::vector<float> y(a.rows);
  for (uint32_t row = 0; row < a.rows; ++row)
    for (uint32_t i = a.rowBegin[row]; i < a.rowBegin[row + 1]; ++i)
      y[row] += a.value[i] * x[a.column[i]];
  return y;
}

uint32_t length(const Matrix &a, uint32_t row) {
  return a.rowBegin[row + 1] - a.rowBegin[row];
}

uint32_t longest(const Matrix &a) {
  uint32_t most = 0;
  for (uint32_t row = 0; row < a.rows; ++row)
    most = std::max(most, length(a, row));
  return most;
}

/// [1 0 2; 0 0 0; 0 3 4]
const Matrix kSmall{3, 3, {0, 2, 2, 4}, {0, 2, 1, 2}, {1, 2, 3, 4}};

} // namespace

TEST_CASE("[1 0 2; 0 0 0; 0 3 4] (1, 10, 100) = (201, 0, 430)") {
  CHECK(csr::checkProduct(kSmall, {1, 10, 100}, {201, 0, 430}).passed);
  CHECK_FALSE(csr::checkProduct(kSmall, {1, 10, 100}, {201, 0, 430.001f}).passed);
  CHECK_FALSE(csr::checkProduct(kSmall, {1, 10, 100}, {201, 1e-30f, 430}).passed);
  CHECK_FALSE(csr::checkProduct(kSmall, {1, 10, 100}, {200, 0, 430}).passed);
  for (float bad : {std::numeric_limits<float>::quiet_NaN(), INFINITY})
    CHECK_FALSE(csr::checkProduct(kSmall, {1, 10, 100}, {201, 0, bad}).passed);
}

TEST_CASE("a product in single precision passes; without one of its entries it fails") {
  for (Structure structure : {Structure::kUniform, Structure::kBanded, Structure::kPowerLaw}) {
    const Matrix a = csr::generate({.order = 300, .density = 2, .structure = structure}, 3);
    const std::vector<float> x = csr::vectorOf(300, 3);
    CHECK(csr::checkProduct(a, x, multiply(a, x)).passed);
    for (size_t i = 0; i < a.value.size(); i += 17) {
      Matrix without = a;
      without.value[i] = 0;
      CHECK_FALSE(csr::checkProduct(a, x, multiply(without, x)).passed);
    }
  }
}

TEST_CASE("generated matrices have the density, every position at most once, rows in order") {
  for (Structure structure : {Structure::kUniform, Structure::kBanded, Structure::kPowerLaw})
    for (uint32_t order : {1, 2, 3, 30, 257})
      for (double density : {0.5, 7.0, 50.0}) {
        const Shape shape{.order = order, .density = density, .structure = structure};
        const Matrix a = csr::generate(shape, order);
        REQUIRE(a.rowBegin.size() == order + 1);
        CHECK(a.rowBegin.front() == 0);
        CHECK(a.rowBegin.back() == csr::entries(shape));
        CHECK(a.column.size() == csr::entries(shape));
        CHECK(a.value.size() == csr::entries(shape));
        CHECK(csr::entries(shape) == static_cast<uint64_t>(order * order * (density / 100)));
        for (uint32_t row = 0; row < order; ++row)
          for (uint32_t i = a.rowBegin[row]; i < a.rowBegin[row + 1]; ++i) {
            CHECK(a.column[i] < order);
            CHECK((i == a.rowBegin[row] || a.column[i - 1] < a.column[i]));
          }
      }
}

TEST_CASE("a banded matrix has its diagonal, and half of the positions of its band") {
  const Matrix a = csr::generate({.order = 500, .density = 2, .structure = Structure::kBanded}, 1);
  uint32_t widest = 0;
  for (uint32_t row = 0; row < 500; ++row) {
    bool diagonal = false;
    for (uint32_t i = a.rowBegin[row]; i < a.rowBegin[row + 1]; ++i) {
      diagonal |= a.column[i] == row;
      widest = std::max(widest, a.column[i] > row ? a.column[i] - row : row - a.column[i]);
    }
    CHECK(diagonal);
  }
  // 10 entries per row, so 20 positions: 10 on each side, and the diagonal
  CHECK(widest == 10);
}

TEST_CASE("rows of a power law are of very different lengths, of the others they are not") {
  const Shape shape{.order = 1000, .density = 1};
  Shape powerLaw = shape;
  powerLaw.structure = Structure::kPowerLaw;
  // Uniform: mean 10, standard deviation 3. Power law: the longest of them has sqrt(n) / 2 times
  // the mean.
  CHECK(longest(csr::generate(shape, 1)) < 30);
  CHECK(longest(csr::generate(powerLaw, 1)) > 150);
  CHECK(longest(csr::generate(powerLaw, 1)) < 170);
}

TEST_CASE("generated numbers depend on the seed alone") {
  const Shape shape{.order = 100, .density = 5};
  CHECK(csr::generate(shape, 1).column == csr::generate(shape, 1).column);
  CHECK(csr::generate(shape, 1).value == csr::generate(shape, 1).value);
  CHECK(csr::generate(shape, 1).column != csr::generate(shape, 2).column);
  CHECK(csr::vectorOf(9, 1) != csr::vectorOf(9, 2));
}

TEST_CASE("a matrix of a file becomes compressed rows") {
  const CoordinateMatrix file{3, 3, {{0, 0, 1}, {0, 2, 2}, {2, 1, 3}, {2, 2, 4}}};
  const Matrix a = csr::compress(file);
  CHECK(a.rowBegin == kSmall.rowBegin);
  CHECK(a.column == kSmall.column);
  CHECK(a.value == kSmall.value);
}

TEST_CASE("matrices whose product may overflow, and empty ones, are refused") {
  CHECK_NOTHROW(csr::checkUsable({1, 2, {{0, 0, 1e38}}}, "f"));
  CHECK_THROWS_WITH(csr::checkUsable({1, 2, {{0, 0, 1e38}, {0, 1, -1e38}}}, "f"),
                    Catch::StartsWith("f: the values of row 1 sum to 2e+38"));
  CHECK_THROWS_WITH(csr::checkUsable({1, 2, {}}, "f"), Catch::Contains("without entries"));
}

TEST_CASE("--list of csr: rows, columns and values of 0.5 % of n * n entries, and two vectors") {
  const test::Outcome outcome = test::run("csr", "--list");
  REQUIRE(outcome.status == 0);
  const std::pair<const char *, double> sizes[] = {
      {"tiny", 736}, {"small", 2416}, {"medium", 14336}, {"large", 16384}};
  for (const auto &[size, n] : sizes) {
    const double bytes = 4 * (2 * std::floor(n * n * 0.005) + (n + 1) + 2 * n);
    CHECK(test::listed(outcome.out, size, 2) == Approx(bytes / 1024).margin(0.06));
    CHECK(test::listed(outcome.out, size, 3) == Approx(bytes / 1024).margin(0.06));
  }
  CHECK_THAT(outcome.out, Catch::Contains("2708 entries") && Catch::Contains("uniform"));
}

TEST_CASE("csr refuses what is no sparse matrix") {
  test::checkRefused("csr", {{"--order 0", "expected 1 to"},
                             {"--order 5", "expected 1 to"}, // 0.5 % of 25
                             {"--order 4294967295", "expected 1 to"},
                             {"--density 0", "more than 0"},
                             {"--density 51", "at most 50"},
                             {"--density nan", "more than 0"},
                             {"--matrix dense", "--matrix"},
                             {"--order 80 --size tiny", "excludes"},
                             {"--input /nonexistent/a.mtx", "cannot be read"},
                             {"--input /", "cannot be read"}});
}

TEST_CASE("csr takes a Matrix Market file as far as the search for a device") {
  namespace fs = std::filesystem;
  const std::string path = fs::temp_directory_path() / ("eod_csr." + std::to_string(getpid()));
  std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n";
  const test::Outcome outcome = test::run("csr", "--input " + path);
  CHECK(outcome.status == 2);
  CHECK_THAT(outcome.err, Catch::Contains("no OpenCL platform"));
  for (const std::string option : {"--order 3", "--size tiny", "--density 1", "--matrix banded"})
    CHECK_THAT(test::run("csr", "--input " + path + " " + option).err, Catch::Contains("excludes"));
  fs::remove(path);
}
