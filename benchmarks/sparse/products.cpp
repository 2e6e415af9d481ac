// The products of a sparse matrix with a vector and with a dense matrix.
#include "eod/common/error.h"
#include "workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::irregular {
namespace {

constexpr uint32_t kDenseColumns = 8; // of spmm

/// A times a dense matrix that is stored by rows. Every product is rounded once, and every sum of
/// the row, in any order.
Reference product(const Matrix &matrix, const Numbers &dense, uint32_t width) {
  const Numbers values = valuesOf(matrix);
  Reference reference;
  reference.expected.assign(uint64_t{matrix.rows} * width, 0);
  reference.allowed = reference.expected;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    double *const sums = &reference.expected[uint64_t{row} * width];
    double *const bounds = &reference.allowed[uint64_t{row} * width];
    for (uint64_t i = matrix.rowBegins[row]; i < matrix.rowBegins[row + 1]; ++i)
      for (uint32_t k = 0; k < width; ++k) {
        const double term =
            static_cast<double>(values[i]) * dense[uint64_t{matrix.columnOf[i]} * width + k];
        sums[k] += term;
        bounds[k] += std::abs(term);
      }
    for (uint32_t k = 0; k < width; ++k)
      bounds[k] = roundingBound(bounds[k], static_cast<double>(matrix.degree(row)) + 1);
  }
  return reference;
}

Numbers vectorFor(const Matrix &matrix, uint32_t width = 1) {
  return randomNumbers(uint64_t{matrix.columns} * width, -1, 1, 1);
}

/// What remains once the buffers of the matrix are there: the factor, the result, and the launch.
Workload multiply(Workload workload, const Matrix &matrix, const std::string &function,
                  uint64_t workItems, std::vector<Argument> arguments,
                  const std::vector<uint32_t> &scalars, uint32_t width = 1) {
  arguments.emplace_back(workload.add("x", vectorFor(matrix, width)));
  const BufferIndex result = workload.add("y", Numbers(uint64_t{matrix.rows} * width), true);
  arguments.emplace_back(result);
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  workload.result = result.index;
  workload.launches.push_back({function, workItems, 0, std::move(arguments)});
  workload.reference = [&matrix, width] {
    return product(matrix, vectorFor(matrix, width), width);
  };
  return workload;
}

Workload multiplyRows(const Matrix &matrix, const std::string &function, uint32_t width) {
  Workload workload;
  std::vector<Argument> arguments{workload.add("row_begins", rowBegins(matrix)),
                                  workload.add("columns", matrix.columnOf),
                                  workload.add("values", valuesOf(matrix))};
  return multiply(std::move(workload), matrix, function, matrix.rows, std::move(arguments),
                  {matrix.rows}, width);
}

} // namespace

Workload spmvCsr(const Matrix &matrix, const Settings &) {
  return multiplyRows(matrix, "spmv_csr", 1);
}

Workload spmm(const Matrix &matrix, const Settings &) {
  return multiplyRows(matrix, "spmm", kDenseColumns);
}

Workload spmvEll(const Matrix &matrix, const Settings &) {
  uint64_t slots = 0;
  for (uint32_t row = 0; row < matrix.rows; ++row)
    slots = std::max(slots, matrix.degree(row));
  const uint64_t size = slots * matrix.rows;
  constexpr uint64_t kMost = uint64_t{1} << 32; // 16 GiB of columns: do not fill the host's memory
  if (size > kMost)
    throw eod::UsageError(fmt::format("{} rows of {} slots, which the longest row has: expected at "
                                      "most {} slots in all",
                                      matrix.rows, slots, kMost));
  const Numbers values = valuesOf(matrix);
  Indices slotColumns(size);
  Numbers slotValues(size);
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint64_t slot = 0; slot < slots; ++slot) {
      const uint64_t at = slot * matrix.rows + row;
      const uint64_t i = matrix.rowBegins[row] + slot;
      if (slot < matrix.degree(row)) {
        slotColumns[at] = matrix.columnOf[i];
        slotValues[at] = values[i];
      } else if (slot > 0) // where a row has ended, it reads again what it has just read
        slotColumns[at] = slotColumns[at - matrix.rows];
    }
  Workload workload;
  std::vector<Argument> arguments{workload.add("columns", std::move(slotColumns)),
                                  workload.add("values", std::move(slotValues))};
  return multiply(std::move(workload), matrix, "spmv_ell", matrix.rows, std::move(arguments),
                  {matrix.rows, static_cast<uint32_t>(slots)});
}

Workload spmvCoo(const Matrix &matrix, const Settings &) {
  Workload workload;
  std::vector<Argument> arguments{workload.add("rows", rowsOfNonZeros(matrix)),
                                  workload.add("columns", matrix.columnOf),
                                  workload.add("values", valuesOf(matrix))};
  return multiply(std::move(workload), matrix, "spmv_coo", matrix.nonZeros(), std::move(arguments),
                  {static_cast<uint32_t>(matrix.nonZeros())});
}

} // namespace aiwc::irregular
