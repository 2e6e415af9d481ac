/// What a kernel of this folder does with a matrix, apart from any device: buffers, launches, and
/// the results that they must have.
#pragma once

#include "sparse/matrix.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace aiwc::irregular {

using sparse::Matrix;

using Indices = std::vector<uint32_t>;
using Numbers = std::vector<float>;

/// Device memory and what is in it before the first launch.
struct Buffer {
  std::string name;
  std::variant<Indices, Numbers> content;
  bool written = false; ///< by kernels: its content is copied to the device before every run

  uint64_t bytes() const;
};

/// A kernel argument that is a buffer, by its index in the workload.
struct BufferIndex {
  size_t index;
};

using Argument = std::variant<BufferIndex, uint32_t, float>;

struct WorkloadLaunch {
  std::string function; ///< kernel function
  uint64_t workItems;   ///< without those that fill the last work-group
  uint32_t groupSize;   ///< 0: the user's choice
  std::vector<Argument> arguments;
};

/// What a sequential program computes in double, and how far a result in float may be from it: a
/// bound of all roundings, in any order of the additions, that follows from the operands.
struct Reference {
  std::vector<double> expected;
  std::vector<double> allowed; ///< the largest absolute difference
};

/// How full the lanes of a tiled kernel are.
struct Lanes {
  uint64_t nonZeros; ///< that have a lane
  uint64_t groups;   ///< of `kLanes` lanes
  uint64_t tiles;    ///< that have a non-zero
  uint64_t rounds;   ///< of tiles that run at once

  double utilisation() const;
};

/// How a result compares with its reference.
struct Comparison {
  double worst = 0;  ///< the largest difference, as a part of what is allowed
  std::string wrong; ///< the first number that is off by more, in a sentence; empty: none
};
Comparison compare(const Reference &reference, std::span<const float> found);

struct Workload {
  std::vector<Buffer> buffers;
  std::vector<WorkloadLaunch> launches; ///< of one run, one after the other
  size_t result = 0;                    ///< the buffer that is compared with the reference
  std::function<Reference()> reference;
  std::optional<Lanes> lanes; ///< of a tiled kernel

  /// Adds a buffer, and returns it as an argument.
  BufferIndex add(std::string name, std::variant<Indices, Numbers> content, bool written = false);
  uint64_t bytes() const; ///< of all buffers
};

struct Settings {
  uint32_t tile = 1024; ///< rows and columns of a tile, at least 1
};

/// A row of the table of kernels. `make` keeps a reference to the matrix for `reference`.
struct WorkloadKernel {
  std::string_view name;
  std::string_view summary;
  std::vector<std::string_view> sources; ///< OpenCL C; the program is all of them
  bool square;                           ///< needs a square matrix
  bool tiled;
  bool values; ///< uses the values of the matrix, or 1 for each if there are none
  Workload (*make)(const Matrix &, const Settings &);
};

/// All kernels, in the order of the documentation.
const std::vector<WorkloadKernel> &kernels();

/// The workload. Throws eod::UsageError if the kernel cannot take the matrix: no non-zeros, more
/// than 32-bit indices reach, not square, too many tiles.
Workload workloadOf(const WorkloadKernel &kernel, const Matrix &matrix, const Settings &settings);

/// @name What the files of workloads share
/// @{

/// Half of the distance from 1 to the next float: the relative error of one rounding.
inline constexpr double kRounding = 0x1p-24;

/// The bound of `roundings` roundings in a row (Higham, Accuracy and Stability of Numerical
/// Algorithms, gamma_n), and of what underflows on the way. At most `magnitude`, which 8 million
/// roundings reach.
double roundingBound(double magnitude, double roundings);

/// Numbers that are the same at every place in every run, evenly from `low` to `high`.
Numbers randomNumbers(uint64_t count, float low, float high, uint64_t seed);

Indices rowBegins(const Matrix &matrix);
/// The row of every non-zero.
Indices rowsOfNonZeros(const Matrix &matrix);
/// Those of the matrix; 1 for each if only its pattern is known.
Numbers valuesOf(const Matrix &matrix);

/// @}

Workload spmvCsr(const Matrix &matrix, const Settings &settings);
Workload spmvEll(const Matrix &matrix, const Settings &settings);
Workload spmvCoo(const Matrix &matrix, const Settings &settings);
Workload spmm(const Matrix &matrix, const Settings &settings);
Workload triangularSolve(const Matrix &matrix, const Settings &settings);
Workload pagerank(const Matrix &matrix, const Settings &settings);
Workload pagerankTiled(const Matrix &matrix, const Settings &settings);
Workload euler(const Matrix &matrix, const Settings &settings);
Workload eulerTiled(const Matrix &matrix, const Settings &settings);
Workload moldyn(const Matrix &matrix, const Settings &settings);
Workload moldynTiled(const Matrix &matrix, const Settings &settings);

} // namespace aiwc::irregular
