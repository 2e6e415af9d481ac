#include "eod/lud/lud_reference.h"
#include "programs.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

using namespace aiwc::eod;
using lud::Matrix;

namespace {

/// In place, without pivoting, in single precision: what a device does.
Matrix decompose(Matrix a) {
  for (uint32_t k = 0; k < a.order; ++k)
    for (uint32_t row = k + 1; row < a.order; ++row) {
      a(row, k) /= a(k, k);
      for (uint32_t column = k + 1; column < a.order; ++column)
        a(row, column) -= a(row, k) * a(k, column);
    }
  return a;
}

} // namespace

TEST_CASE("the input is strictly diagonally dominant by rows, and differs with the seed") {
  const Matrix a = lud::dominantMatrix(50, 64, 7);
  for (uint32_t row = 0; row < a.order; ++row) {
    double others = 0;
    for (uint32_t column = 0; column < a.order; ++column)
      others += column == row ? 0 : std::abs(a(row, column));
    CHECK(a(row, row) > others);
  }
  CHECK(a.values == lud::dominantMatrix(50, 64, 7).values);
  CHECK(a.values != lud::dominantMatrix(50, 64, 8).values);
}

TEST_CASE("the padding of the input is the identity") {
  const Matrix a = lud::dominantMatrix(5, 8, 1);
  for (uint32_t row = 0; row < 8; ++row)
    for (uint32_t column = 0; column < 8; ++column)
      if (row >= 5 || column >= 5)
        CHECK(a(row, column) == (row == column ? 1.0f : 0.0f));
}

TEST_CASE("[4 2; 2 5] = [1 0; 0.5 1] [4 2; 0 4]") {
  const Matrix original{2, 2, {4, 2, 2, 5}};
  const Matrix factors{2, 2, {4, 2, 0.5f, 4}};
  CHECK(lud::checkProduct(factors, original, 1).passed);
  CHECK(lud::checkReference(factors, original).passed);
}

TEST_CASE("a decomposition in single precision passes both checks") {
  for (uint32_t order : {1, 2, 17, 80, 240}) {
    const Matrix original = lud::dominantMatrix(order, order, order);
    const Matrix factors = decompose(original);
    CHECK(lud::checkProduct(factors, original, 1).passed);
    CHECK(lud::checkReference(factors, original).passed);
  }
}

TEST_CASE("an error of one element in a thousand fails both checks, wherever it is") {
  const Matrix original = lud::dominantMatrix(40, 48, 1);
  const Matrix right = decompose(original);
  for (uint32_t row = 0; row < 40; row += 3)
    for (uint32_t column = 0; column < 40; ++column) {
      Matrix wrong = right;
      wrong(row, column) = wrong(row, column) * 1.001f + 1e-3f;
      CHECK_FALSE(lud::checkProduct(wrong, original, 1).passed);
      CHECK_FALSE(lud::checkReference(wrong, original).passed);
    }
}

TEST_CASE("a missing update of the last block fails") {
  const uint32_t order = 64;
  const Matrix original = lud::dominantMatrix(order, order, 1);
  Matrix factors = decompose(original);
  // Element (63, 48) without the products of k = 32 ... 47.
  for (uint32_t k = 32; k < 48; ++k)
    factors(63, 48) += factors(63, k) * factors(k, 48) / factors(48, 48);
  CHECK_FALSE(lud::checkProduct(factors, original, 1).passed);
}

TEST_CASE("factors that are not numbers, and the matrix itself, fail") {
  const Matrix original = lud::dominantMatrix(20, 20, 1);
  CHECK_FALSE(lud::checkProduct(original, original, 1).passed);
  CHECK_FALSE(lud::checkReference(original, original).passed);
  Matrix factors = decompose(original);
  factors(3, 4) = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(lud::checkProduct(factors, original, 1).passed);
  CHECK_FALSE(lud::checkReference(factors, original).passed);
}

TEST_CASE("beyond kAllRows every 16 rows have one that is checked") {
  const uint32_t order = lud::kAllRows + 16;
  Matrix identity{order, order, std::vector<float>(static_cast<size_t>(order) * order)};
  for (uint32_t i = 0; i < order; ++i)
    identity(i, i) = 1;
  CHECK(lud::checkProduct(identity, identity, 1).passed);
  Matrix wrong = identity; // 16 wrong rows: one of them is looked at
  for (uint32_t row = 32; row < 48; ++row)
    wrong(row, order - 1) = 0.5f;
  CHECK_FALSE(lud::checkProduct(wrong, identity, 1).passed);
}

TEST_CASE("--list of lud: n * n floats for n = 80, 240, 1440, 4096") {
  const test::Outcome outcome = test::run("lud", "--list");
  REQUIRE(outcome.status == 0);
  CHECK(test::listed(outcome.out, "tiny", 2) == 25.0);
  CHECK(test::listed(outcome.out, "small", 2) == 225.0);
  CHECK(test::listed(outcome.out, "medium", 2) == 8100.0);
  CHECK(test::listed(outcome.out, "large", 2) == 65536.0);
}

TEST_CASE("lud refuses orders that it cannot index") {
  test::checkRefused("lud", {{"--order 0", "expected 1 to 65504"},
                             {"--order -5", "--order"},
                             {"--order 80x", "--order"},
                             {"--order 99999999999", "--order"},
                             {"--order 65505", "expected 1 to 65504"},
                             {"--order 80 --size tiny", "excludes"}});
}
