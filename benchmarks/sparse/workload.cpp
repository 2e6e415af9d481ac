#include "workload.h"

#include "eod/common/error.h"
#include "eod/common/random.h"
#include "kernel_sources.h"
#include "tiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace aiwc::irregular {

uint64_t Buffer::bytes() const {
  return std::visit([](const auto &values) { return uint64_t{values.size() * sizeof values[0]}; },
                    content);
}

double Lanes::utilisation() const {
  return static_cast<double>(nonZeros) / static_cast<double>(kLanes * groups);
}

Comparison compare(const Reference &reference, std::span<const float> found) {
  Comparison result;
  for (size_t i = 0; i < found.size(); ++i) {
    const double error = std::abs(found[i] - reference.expected[i]);
    if (!(error <= reference.allowed[i])) { // true of what is not a number, too
      result.wrong = fmt::format("number {} is {}: expected {} within {:.2g}", i, found[i],
                                 reference.expected[i], reference.allowed[i]);
      return result;
    }
    if (error > 0)
      result.worst = std::max(result.worst, error / reference.allowed[i]);
  }
  return result;
}

BufferIndex Workload::add(std::string name, std::variant<Indices, Numbers> content, bool written) {
  buffers.push_back({.name = std::move(name), .content = std::move(content), .written = written});
  return {buffers.size() - 1};
}

uint64_t Workload::bytes() const {
  uint64_t sum = 0;
  for (const Buffer &buffer : buffers)
    sum += buffer.bytes();
  return sum;
}

const std::vector<WorkloadKernel> &kernels() {
  static const std::vector<WorkloadKernel> kTable = {
      {"spmv-csr",
       "sparse matrix times vector, a work-item per row (CSR)",
       {kSpmvCsr},
       false,
       false,
       true,
       spmvCsr},
      {"spmv-ell",
       "sparse matrix times vector, rows filled up to the longest (ELL)",
       {kSpmvEll},
       false,
       false,
       true,
       spmvEll},
      {"spmv-coo",
       "sparse matrix times vector, a work-item per non-zero (COO)",
       {kAtomicAdd, kSpmvCoo},
       false,
       false,
       true,
       spmvCoo},
      {"spmm", "sparse matrix times a dense one of 8 columns", {kSpmm}, false, false, true, spmm},
      {"triangular-solve",
       "forward substitution with the lower part, a launch per level",
       {kTriangularSolve},
       true,
       false,
       true,
       triangularSolve},
      {"pagerank",
       "4 iterations of PageRank, a work-item per row",
       {kPagerank},
       true,
       false,
       false,
       pagerank},
      {"pagerank-tiled",
       "the same by tiles and groups",
       {kLanesOfTile, kPagerankTiled},
       true,
       true,
       false,
       pagerankTiled},
      {"euler",
       "flux through the edges of a mesh, atomic additions",
       {kAtomicAdd, kFlux, kEuler},
       true,
       false,
       false,
       euler},
      {"euler-tiled",
       "the same by tiles and groups",
       {kLanesOfTile, kFlux, kEulerTiled},
       true,
       true,
       false,
       eulerTiled},
      {"moldyn",
       "forces of a list of molecule pairs, atomic additions",
       {kAtomicAdd, kForce, kMoldyn},
       true,
       false,
       false,
       moldyn},
      {"moldyn-tiled",
       "the same by tiles and groups",
       {kLanesOfTile, kForce, kMoldynTiled},
       true,
       true,
       false,
       moldynTiled},
  };
  return kTable;
}

Workload workloadOf(const WorkloadKernel &kernel, const Matrix &matrix, const Settings &settings) {
  // A global size is rounded up to whole work-groups, and must not wrap around in the kernel.
  constexpr uint64_t kMost = UINT32_MAX - 65536;
  if (matrix.nonZeros() == 0)
    throw eod::UsageError("the matrix has no non-zeros: expected at least one");
  if (matrix.nonZeros() > kMost)
    throw eod::UsageError(fmt::format("the matrix has {} non-zeros: expected at most {}, which "
                                      "32-bit indices reach",
                                      matrix.nonZeros(), kMost));
  if (kernel.square && matrix.rows != matrix.columns)
    throw eod::UsageError(fmt::format("the matrix has {} rows and {} columns: {} expects as many "
                                      "rows as columns",
                                      matrix.rows, matrix.columns, kernel.name));
  return kernel.make(matrix, settings);
}

double roundingBound(double magnitude, double roundings) {
  const double error = std::min(roundings * kRounding, 0.5);
  return error / (1 - error) * magnitude + roundings * 0x1p-126;
}

Numbers randomNumbers(uint64_t count, float low, float high, uint64_t seed) {
  eod::Random random(seed);
  Numbers numbers(count);
  for (float &number : numbers)
    number = random.uniform(low, high);
  return numbers;
}

Indices rowBegins(const Matrix &matrix) {
  return {matrix.rowBegins.begin(), matrix.rowBegins.end()};
}

Indices rowsOfNonZeros(const Matrix &matrix) {
  Indices rows;
  rows.reserve(matrix.nonZeros());
  for (uint32_t row = 0; row < matrix.rows; ++row)
    rows.insert(rows.end(), matrix.degree(row), row);
  return rows;
}

Numbers valuesOf(const Matrix &matrix) {
  return matrix.values.empty() ? Numbers(matrix.nonZeros(), 1) : matrix.values;
}

} // namespace aiwc::irregular
