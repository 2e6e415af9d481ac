#include "eod/lud/lud_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aiwc::eod::lud {
namespace {

/// The rows that checkProduct looks at.
std::vector<uint32_t> rowsToCheck(uint32_t order, uint64_t seed) {
  std::vector<uint32_t> rows;
  Random random(seed);
  const uint32_t step = order <= kAllRows ? 1 : 16;
  for (uint32_t row = 0; row < order; row += step)
    rows.push_back(row + random.below(std::min(step, order - row)));
  return rows;
}

/// A row of L U and of |L| |U|.
struct ProductRow {
  std::vector<double> value;
  std::vector<double> magnitude;
};

void multiplyRow(const Matrix &factors, uint32_t row, ProductRow &product) {
  product.value.assign(factors.order, 0);
  product.magnitude.assign(factors.order, 0);
  for (uint32_t k = 0; k <= row; ++k) {
    const double l = k == row ? 1 : factors(row, k);
    const float *u = &factors.values[static_cast<size_t>(k) * factors.stride];
    for (uint32_t column = k; column < factors.order; ++column) {
      const double term = l * u[column];
      product.value[column] += term;
      product.magnitude[column] += std::abs(term);
    }
  }
}

/// The larger one; a NaN beats every number, so that it cannot hide.
double worse(double a, double b) {
  return a >= b || std::isnan(a) ? a : b;
}

} // namespace

Matrix dominantMatrix(uint32_t order, uint32_t stride, uint64_t seed) {
  Matrix matrix{order, stride, std::vector<float>(static_cast<size_t>(stride) * stride)};
  Random random(seed);
  for (uint32_t row = 0; row < order; ++row) {
    float sum = 0;
    for (uint32_t column = 0; column < order; ++column) {
      const float distance = row > column ? row - column : column - row;
      const float value = random.uniform(-1, 1) / (1 + distance);
      matrix(row, column) = value;
      sum += std::abs(value);
    }
    matrix(row, row) = 1 + sum;
  }
  for (uint32_t row = order; row < stride; ++row)
    matrix(row, row) = 1;
  return matrix;
}

Verdict checkProduct(const Matrix &factors, const Matrix &original, uint64_t seed) {
  const double roundings = 2.0 * (original.order + 4) * 0x1p-24;
  const double gamma = roundings / (1 - roundings);
  const std::vector<uint32_t> rows = rowsToCheck(original.order, seed);
  double worst = 0;
  ProductRow product;
  for (uint32_t row : rows) {
    multiplyRow(factors, row, product);
    for (uint32_t column = 0; column < original.order; ++column) {
      const double error = std::abs(product.value[column] - original(row, column));
      const double bound = gamma * product.magnitude[column];
      worst = worse(error == 0 ? 0 : error / bound, worst);
    }
  }
  return {worst <= 1, fmt::format("L U = A in {} of {} rows, largest error {:.2g} of the "
                                  "rounding bound {:.2g} |L| |U|",
                                  rows.size(), original.order, worst, gamma)};
}

Verdict checkReference(const Matrix &factors, const Matrix &original) {
  const uint32_t n = original.order;
  std::vector<double> reference(static_cast<size_t>(n) * n);
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t column = 0; column < n; ++column)
      reference[static_cast<size_t>(row) * n + column] = original(row, column);
  for (uint32_t k = 0; k < n; ++k)
    for (uint32_t row = k + 1; row < n; ++row) {
      double *target = &reference[static_cast<size_t>(row) * n];
      const double *pivot = &reference[static_cast<size_t>(k) * n];
      target[k] /= pivot[k];
      for (uint32_t column = k + 1; column < n; ++column)
        target[column] -= target[k] * pivot[column];
    }
  double worst = 0;
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t column = 0; column < n; ++column) {
      const double expected = reference[static_cast<size_t>(row) * n + column];
      const double error = std::abs(factors(row, column) - expected);
      worst = worse(error / std::max(1.0, std::abs(expected)), worst);
    }
  return {worst <= kReferenceTolerance,
          fmt::format("largest relative difference from a serial decomposition {:.2g}, allowed "
                      "{:.2g}",
                      worst, kReferenceTolerance)};
}

} // namespace aiwc::eod::lud
