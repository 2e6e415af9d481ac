#include "eod/csr/csr_reference.h"

#include "eod/common/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>

namespace aiwc::eod::csr {
namespace {

/// The columns that a row may have entries in.
struct Window {
  uint32_t begin;
  uint32_t size;
};

/// Shares `total` out in proportion to the weights, as whole numbers, of which none is above its
/// limit. A share is rounded up or down at random, so that its expectation is exact.
std::vector<uint32_t> shareOut(uint64_t total, const std::vector<double> &weights,
                               const std::vector<uint32_t> &limits, Random &random) {
  double weightLeft = std::accumulate(weights.begin(), weights.end(), 0.0);
  uint64_t roomLeft = std::accumulate(limits.begin(), limits.end(), uint64_t{0});
  std::vector<uint32_t> shares;
  shares.reserve(weights.size());
  for (size_t i = 0; i < weights.size(); ++i) {
    roomLeft -= limits[i];
    const double exact = weightLeft > 0 ? total * (weights[i] / weightLeft) : 0;
    const uint64_t least = total > roomLeft ? total - roomLeft : 0;
    const uint64_t most = std::min<uint64_t>(limits[i], total);
    const auto rounded = static_cast<uint64_t>(exact + random.uniform());
    shares.push_back(static_cast<uint32_t>(std::max(least, std::min(most, rounded))));
    total -= shares.back();
    weightLeft -= weights[i];
  }
  return shares;
}

std::vector<uint32_t> permutation(uint32_t size, Random &random) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  for (uint32_t i = size; i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// As many positions among the rows as a row gets when each entry goes to a row at random.
std::vector<uint32_t> randomLengths(const Shape &shape, Random &random) {
  std::vector<uint32_t> lengths(shape.order);
  for (uint64_t left = entries(shape); left > 0;)
    if (uint32_t &length = lengths[random.below(shape.order)]; length < shape.order) {
      ++length;
      --left;
    }
  return lengths;
}

std::vector<uint32_t> powerLawLengths(const Shape &shape, Random &random) {
  std::vector<double> weights(shape.order);
  for (uint32_t k = 0; k < shape.order; ++k)
    weights[k] = 1 / std::sqrt(k + 1.0);
  const std::vector<uint32_t> limits(shape.order, shape.order);
  const std::vector<uint32_t> byRank = shareOut(entries(shape), weights, limits, random);
  const std::vector<uint32_t> rowOfRank = permutation(shape.order, random);
  std::vector<uint32_t> lengths(shape.order);
  for (uint32_t k = 0; k < shape.order; ++k)
    lengths[rowOfRank[k]] = byRank[k];
  return lengths;
}

std::vector<Window> bands(const Shape &shape) {
  const uint64_t n = shape.order;
  const uint64_t wanted = 2 * entries(shape);
  uint64_t half = 0; // positions of a band that reaches as far from the diagonal: n + 2 sum (n - i)
  while (half + 1 < n && n + half * (2 * n - half - 1) < wanted)
    ++half;
  std::vector<Window> windows;
  for (uint64_t row = 0; row < n; ++row) {
    const uint64_t begin = row > half ? row - half : 0;
    const uint64_t end = std::min(n, row + half + 1);
    windows.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin)});
  }
  return windows;
}

std::vector<uint32_t> bandedLengths(const Shape &shape, const std::vector<Window> &windows,
                                    Random &random) {
  std::vector<double> weights;
  std::vector<uint32_t> limits;
  for (const Window &window : windows) {
    weights.push_back(window.size);
    limits.push_back(window.size);
  }
  return shareOut(entries(shape), weights, limits, random);
}

} // namespace

uint64_t entries(const Shape &shape) {
  return static_cast<uint64_t>(static_cast<double>(shape.order) * shape.order *
                               (shape.density / 100));
}

Matrix generate(const Shape &shape, uint64_t seed) {
  const uint32_t n = shape.order;
  const bool banded = shape.structure == Structure::kBanded;
  const bool powerLaw = shape.structure == Structure::kPowerLaw;
  Random random(seed);
  const std::vector<Window> windows = banded ? bands(shape) : std::vector<Window>(n, {0, n});
  const std::vector<uint32_t> lengths = banded     ? bandedLengths(shape, windows, random)
                                        : powerLaw ? powerLawLengths(shape, random)
                                                   : randomLengths(shape, random);
  const std::vector<uint32_t> columnOfRank =
      powerLaw ? permutation(n, random) : std::vector<uint32_t>{};

  Matrix matrix{n, n, {0}, {}, {}};
  matrix.rowBegin.reserve(size_t{n} + 1);
  matrix.column.reserve(entries(shape));
  matrix.value.reserve(entries(shape));
  std::vector<uint32_t> takenBy(n, UINT32_MAX); // the last row with an entry in this column
  for (uint32_t row = 0; row < n; ++row) {
    const auto rowBegin = static_cast<ptrdiff_t>(matrix.column.size());
    for (uint32_t k = 0; k < lengths[row]; ++k) {
      const Window window = windows[row];
      uint32_t rank = random.below(window.size);
      if (powerLaw) { // u^2 has the density 1 / (2 sqrt(u^2))
        const double u = random.uniform();
        rank = static_cast<uint32_t>(u * u * window.size);
      }
      const auto columnAt = [&](uint32_t r) {
        return powerLaw ? columnOfRank[r] : window.begin + r;
      };
      uint32_t column = banded && k == 0 ? row : columnAt(rank);
      while (takenBy[column] == row) {
        rank = rank + 1 == window.size ? 0 : rank + 1;
        column = columnAt(rank);
      }
      takenBy[column] = row;
      matrix.column.push_back(column);
      matrix.value.push_back(random.uniform(-1, 1));
    }
    std::sort(matrix.column.begin() + rowBegin, matrix.column.end());
    matrix.rowBegin.push_back(static_cast<uint32_t>(matrix.column.size()));
  }
  return matrix;
}

void checkUsable(const CoordinateMatrix &matrix, const std::string &path) {
  if (matrix.entries.empty())
    throw UsageError(fmt::format("{}: a matrix without entries: expected at least one", path));
  double sum = 0;
  for (size_t i = 0; i < matrix.entries.size(); ++i) {
    const bool sameRow = i > 0 && matrix.entries[i].row == matrix.entries[i - 1].row;
    sum = (sameRow ? sum : 0) + std::abs(matrix.entries[i].value);
    if (sum > FLT_MAX / 2)
      throw UsageError(
          fmt::format("{}: the values of row {} sum to {:.2g}: expected at most {:.2g}", path,
                      matrix.entries[i].row + 1, sum, FLT_MAX / 2));
  }
}

Matrix compress(const CoordinateMatrix &matrix) {
  Matrix result{matrix.rows, matrix.columns, rowBegins(matrix), {}, {}};
  result.column.reserve(matrix.entries.size());
  result.value.reserve(matrix.entries.size());
  for (const auto &entry : matrix.entries) {
    result.column.push_back(entry.column);
    result.value.push_back(static_cast<float>(entry.value));
  }
  return result;
}

std::vector<float> vectorOf(uint32_t size, uint64_t seed) {
  Random random(~seed);
  std::vector<float> values(size);
  for (float &value : values)
    value = random.uniform(-1, 1);
  return values;
}

Verdict checkProduct(const Matrix &matrix, const std::vector<float> &x,
                     const std::vector<float> &y) {
  double worst = 0;
  uint32_t longest = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const uint32_t length = matrix.rowBegin[row + 1] - matrix.rowBegin[row];
    longest = std::max(longest, length);
    double sum = 0;
    double magnitude = 0;
    for (uint32_t i = matrix.rowBegin[row]; i < matrix.rowBegin[row + 1]; ++i) {
      const double product = static_cast<double>(matrix.value[i]) * x[matrix.column[i]];
      sum += product;
      magnitude += std::abs(product);
    }
    const double roundings = length * 0x1p-24;
    const double bound = roundings / (1 - roundings) * magnitude + length * 0x1p-126;
    const double error = std::abs(y[row] - sum);
    if (!(error <= bound))
      return {false, fmt::format("row {}: {} instead of {}, {:.2g} apart, allowed {:.2g}", row,
                                 y[row], sum, error, bound)};
    if (error > 0)
      worst = std::max(worst, error / bound);
  }
  return {true, fmt::format("y = A x in {} rows of up to {} entries, largest error {:.2g} of the "
                            "rounding bound gamma |A| |x|",
                            matrix.rows, longest, worst)};
}

} // namespace aiwc::eod::csr
