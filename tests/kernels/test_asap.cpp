// The ASAP schedules of kernels whose dependences are known from the algorithm: how deep they are,
// and how many floating-point operations stand at each level.

#include "kernels/reference.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::Histogram;
using aiwc::profile::KernelProfile;

namespace {

/// `levels`: the number of floating-point operations of each, in any order.
void checkLevels(const KernelProfile &profile, const std::vector<uint64_t> &levels) {
  std::map<uint64_t, uint64_t> multiset;
  uint64_t operations = 0;
  for (const uint64_t width : levels) {
    ++multiset[width];
    operations += width;
  }
  CHECK(profile.count("asap_fp_depth"_metric) == levels.size());
  CHECK(profile.histograms.asapFpLevels == Histogram(multiset.begin(), multiset.end()));
  CHECK(profile.count("fp_ops"_metric) == operations);
  CHECK(profile.real("asap_fp_parallelism"_metric) ==
        Approx(static_cast<double>(operations) / static_cast<double>(levels.size())));
}

/// A chain of `depth` instructions, and `nodes` instructions in all that are not free.
void checkInstructions(const KernelProfile &profile, uint64_t depth, uint64_t nodes) {
  CHECK(profile.count("asap_depth"_metric) == depth);
  CHECK(profile.real("asap_parallelism"_metric) ==
        Approx(static_cast<double>(nodes) / static_cast<double>(depth)));
}

std::vector<uint64_t> repeated(size_t times, uint64_t width) {
  return std::vector<uint64_t>(times, width);
}

} // namespace

TEST_CASE("saxpy: multiplications, then additions", "[asap]") {
  constexpr uint64_t n = 64;
  checkLevels(referenceProfile("saxpy"), {n, n});
  // get_global_id gep load fmuladd store; the other load is beside the first, ret is free.
  checkInstructions(referenceProfile("saxpy"), 5, 7 * n);
  checkLevels(referenceProfile("vector_saxpy4"), {n, n}); // four lanes an operation each
}

TEST_CASE("gather: a load behind a load", "[asap]") {
  const KernelProfile &profile = referenceProfile("gather");
  CHECK(profile.histograms.asapFpLevels.empty());
  CHECK(profile.count("asap_fp_depth"_metric) == 0);
  CHECK(std::holds_alternative<std::monostate>(profile["asap_fp_parallelism"_metric]));
  checkInstructions(profile, 7, 8 * 32); // get_global_id gep load sext gep load store
}

TEST_CASE("a matrix product is as deep as a row is long, from either memory", "[asap]") {
  constexpr uint64_t n = 8;
  std::vector<uint64_t> levels = repeated(n, n * n); // the chains of additions
  levels.push_back(n * n * n);                       // every product
  checkLevels(referenceProfile("matmul_naive"), levels);
  checkLevels(referenceProfile("matmul_local"), levels);
}

TEST_CASE("a tree reduction is as deep as the tree", "[asap]") {
  checkLevels(referenceProfile("reduce"), {16, 8, 4, 2, 1});
  checkLevels(referenceProfile("dot"), {32, 4 * 4, 4 * 2, 4 * 1}); // 4 groups: their sum
}

TEST_CASE("prefix sum: every element is in every step", "[asap]") {
  constexpr uint64_t n = 32, w = 16, steps = 4;
  checkLevels(referenceProfile("scan_float"), repeated(steps, n));
  std::vector<double> sums;
  for (uint64_t i = 0; i < n; ++i)
    sums.push_back((i % w ? sums.back() : 0) + static_cast<double>(i + 1));
  CHECK(referenceResult("scan_float", "out") == sums);
  // Integer additions are no floating-point operations, and as deep in instructions.
  CHECK(referenceProfile("scan").count("asap_fp_depth"_metric) == 0);
  CHECK(referenceProfile("scan").count("asap_depth"_metric) ==
        referenceProfile("scan_float").count("asap_depth"_metric));
}

TEST_CASE("one work-item's chain of additions", "[asap]") {
  checkLevels(referenceProfile("serial_sum"), repeated(48, 1));
  constexpr uint64_t n = 24;
  std::vector<uint64_t> levels = repeated(n, 1);
  levels.push_back(n);
  checkLevels(referenceProfile("serial_dot"), levels);
  CHECK(referenceResult("serial_dot", "out") == std::vector<double>{2.0 * n * (n + 1) / 2});
}

TEST_CASE("stencils: the sum of the neighbours", "[asap]") {
  constexpr uint64_t n = 32, inside = 6 * 4;
  checkLevels(referenceProfile("stencil_1d"), {3 * n, n, n});
  // Three additions one after another, beside the first the product of the centre; then the
  // product of the sum and the last addition.
  checkLevels(referenceProfile("stencil_2d"), {2 * inside, inside, inside, inside, inside});
}

TEST_CASE("Jacobi: an addition and a multiplication a sweep, through global memory", "[asap]") {
  constexpr uint64_t n = 16, sweeps = 6;
  checkLevels(referenceProfile("solvers_jacobi"), repeated(2 * sweeps, n));
  CHECK(referenceResult("solvers_jacobi", "x") == valuesFor(n + 2, [](uint64_t i) { return i; }));
}

TEST_CASE("LU: quotients, products and differences of ever smaller squares", "[asap]") {
  constexpr uint64_t n = 6;
  std::vector<uint64_t> levels;
  for (uint64_t rows = n - 1; rows > 0; --rows)
    levels.insert(levels.end(), {rows, rows * rows, rows * rows});
  const KernelProfile &profile = referenceProfile("solvers_lu");
  checkLevels(profile, levels);
  CHECK(profile.count("asap_fp_depth"_metric) == 3 * (n - 1));
  // L below the diagonal and U above it are ones.
  CHECK(referenceResult("solvers_lu", "a") == std::vector<double>(n * n, 1));
}

TEST_CASE("trip counts that differ make levels thin out", "[asap]") {
  // Work-items l = 0 to 7 of two groups add l numbers up.
  checkLevels(referenceProfile("divergent"), {14, 12, 10, 8, 6, 4, 2});
}

TEST_CASE("called functions pass levels in and out", "[asap]") {
  constexpr uint64_t n = 16;
  checkLevels(referenceProfile("call"), {2 * n, n}); // two squares side by side, then their sum
  // get_global_id gep load; norm2: call of square, in it fmul, its value, fadd; norm2's value,
  // store. The squares' calls are nodes behind their arguments.
  checkInstructions(referenceProfile("call"), 8, (17 - 4) * n); // 4 of 17 instructions are ret
}

TEST_CASE("a structure passed by value takes its levels along", "[asap]") {
  constexpr uint64_t n = 16;
  checkLevels(referenceProfile("call_struct"), {2 * n, n}); // its members side by side, the product
  CHECK(referenceResult("call_struct", "out") ==
        valuesFor(n, [](uint64_t i) { return (i + 1) * 2 * i; }));
  // Two members are stored; the structure is copied, a read and a write; two members are loaded.
  CHECK(referenceProfile("call_struct").count("private_accesses"_metric) == (2 + 2 + 2) * n);
}

TEST_CASE("private memory carries levels, each work-item its own", "[asap]") {
  constexpr uint64_t slots = 8;
  // The loop's counter is the chain: k + 1 of slot k, then mul and store, then the load and the
  // store of the result.
  CHECK(referenceProfile("private_array").count("asap_depth"_metric) == slots + 4);
}

TEST_CASE("atomics on one address wait for each other", "[asap]") {
  // get_global_id gep load zext gep; the 16 of a group: 8 of them on bin 0, one after another.
  CHECK(referenceProfile("histogram_global").count("asap_depth"_metric) == 5 + 8);
}

TEST_CASE("a work-group's copies carry levels", "[asap]") {
  // The addition is on what was copied in, and what is copied back is not computed with.
  checkLevels(referenceProfile("async_strided"), {16});
}
