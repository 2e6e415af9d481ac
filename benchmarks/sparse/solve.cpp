// Forward substitution with the lower part of a matrix.
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

namespace aiwc::irregular {
namespace {

/// L: the part of the matrix below its diagonal, and a diagonal of 1 + the sum of the row's
/// absolute values in place of the matrix's own. So every matrix has an L, no x is larger than the
/// largest b, and errors do not grow from row to row, however many levels there are.
struct LowerPart {
  Indices rowBegins{0};
  Indices columns;
  Numbers values;
  Numbers diagonal;
  Numbers b;
};

LowerPart lowerPartOf(const Matrix &matrix) {
  const Numbers values = valuesOf(matrix);
  LowerPart lower;
  lower.rowBegins.reserve(uint64_t{matrix.rows} + 1);
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    double sum = 1;
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i) {
      if (matrix.columnOf[i] >= row)
        break;
      lower.columns.push_back(matrix.columnOf[i]);
      lower.values.push_back(values[i]);
      sum += std::abs(values[i]);
    }
    lower.rowBegins.push_back(static_cast<uint32_t>(lower.columns.size()));
    lower.diagonal.push_back(static_cast<float>(sum));
  }
  lower.b = randomNumbers(matrix.rows, -1, 1, 1);
  return lower;
}

/// The level of each row.
Indices levelsOf(const LowerPart &lower) {
  Indices levels(lower.diagonal.size());
  for (size_t row = 0; row < levels.size(); ++row)
    for (uint32_t i = lower.rowBegins[row]; i < lower.rowBegins[row + 1]; ++i)
      levels[row] = std::max(levels[row], levels[lower.columns[i]] + 1);
  return levels;
}

/// The error of a row is that of its own roundings and those of the x that it uses.
Reference solve(const LowerPart &lower) {
  const size_t rows = lower.diagonal.size();
  Reference reference{.expected = std::vector<double>(rows), .allowed = std::vector<double>(rows)};
  for (size_t row = 0; row < rows; ++row) {
    double sum = lower.b[row];
    double magnitude = std::abs(lower.b[row]);
    double inherited = 0;
    for (uint32_t i = lower.rowBegins[row]; i < lower.rowBegins[row + 1]; ++i) {
      const double value = lower.values[i];
      const uint32_t column = lower.columns[i];
      sum -= value * reference.expected[column];
      magnitude +=
          std::abs(value) * (std::abs(reference.expected[column]) + reference.allowed[column]);
      inherited += std::abs(value) * reference.allowed[column];
    }
    const double length = lower.rowBegins[row + 1] - lower.rowBegins[row];
    // A product and a sum per non-zero; OpenCL allows 2.5 units in the last place for a division.
    reference.expected[row] = sum / lower.diagonal[row];
    reference.allowed[row] =
        (inherited + roundingBound(magnitude, length + 6)) / lower.diagonal[row];
  }
  return reference;
}

} // namespace

Workload triangularSolve(const Matrix &matrix, const Settings &) {
  const auto lower = std::make_shared<const LowerPart>(lowerPartOf(matrix));
  const Indices levels = levelsOf(*lower);
  Indices begins(*std::max_element(levels.begin(), levels.end()) + size_t{2});
  for (const uint32_t level : levels)
    ++begins[level + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  Indices rows(matrix.rows);
  Indices next = begins;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    rows[next[levels[row]]++] = row;

  Workload workload;
  std::vector<Argument> arguments{
      workload.add("level_rows", std::move(rows)), workload.add("row_begins", lower->rowBegins),
      workload.add("columns", lower->columns),     workload.add("values", lower->values),
      workload.add("diagonal", lower->diagonal),   workload.add("b", lower->b)};
  const BufferIndex x = workload.add("x", Numbers(matrix.rows), true);
  arguments.emplace_back(x);
  workload.result = x.index;
  for (size_t level = 0; level + 1 < begins.size(); ++level) {
    const uint32_t count = begins[level + 1] - begins[level];
    WorkloadLaunch launch{"triangular_solve", count, 0, arguments};
    launch.arguments.emplace_back(begins[level]);
    launch.arguments.emplace_back(count);
    workload.launches.push_back(std::move(launch));
  }
  workload.reference = [lower] { return solve(*lower); };
  return workload;
}

} // namespace aiwc::irregular
