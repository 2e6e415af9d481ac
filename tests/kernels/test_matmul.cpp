// The matrix product, with and without local memory: same result, same floating-point work.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

constexpr uint64_t n = 8, tile = 4, elements = n * n, groups = elements / (tile * tile);

/// a = 0, 1, 2, ...; b = n^2, n^2 - 1, n^2 - 2, ...
std::vector<double> product() {
  return valuesFor(elements, [](uint64_t i) {
    uint64_t sum = 0;
    for (uint64_t k = 0; k < n; ++k)
      sum += (i / n * n + k) * (elements - (k * n + i % n));
    return sum;
  });
}

/// The group, x fastest, of the work-item of element i.
uint64_t groupOf(uint64_t i) {
  return i / n / tile * (n / tile) + i % n / tile;
}

} // namespace

TEST_CASE("matmul_naive: every element is read n times from global memory") {
  const Buffer a{Space::kGlobal, 0, 4}, b{Space::kGlobal, 1, 4}, c{Space::kGlobal, 2, 4};
  Expected expected(groups, tile * tile);
  for (uint64_t i = 0; i < elements; ++i) {
    for (uint64_t k = 0; k < n; ++k) {
      expected.read(a, i / n * n + k);
      expected.read(b, k * n + i % n);
      expected.branch(0, groupOf(i), true);
    }
    expected.branch(0, groupOf(i), false);
    expected.write(c, i);
    // entry: get_global_size get_global_id get_global_id mul br; condition: phi phi icmp br;
    // body: add gep load mul add gep load fmuladd add br; end: add gep store ret
    expected.workItem({5 + 4 * (n + 1) + 10 * n + 4});
    expected.gap(3, n);         // mul add gep
    expected.gap(3 + 4 + 2, n); // fmuladd add br, condition, add gep: to the next load or the store
  }
  constexpr uint64_t trips = elements * n;
  expected.opcodes = {{"call", 3 * elements + trips},
                      {"mul", elements + trips},
                      {"br", elements + (trips + elements) + trips},
                      {"phi", 2 * (trips + elements)},
                      {"icmp", trips + elements},
                      {"add", elements + 3 * trips},
                      {"getelementptr", elements + 2 * trips},
                      {"load", 2 * trips},
                      {"store", elements},
                      {"ret", elements}};
  expected.fpAdd = expected.fpMul = trips;

  const KernelProfile &profile = referenceProfile("matmul_naive");
  expected.check(profile);
  CHECK(referenceResult("matmul_naive", "c") == product());

  CHECK(profile.count("total_reads"_metric) == 2 * n * n * n);
  CHECK(profile.count("memory_footprint"_metric) == 3 * elements);
  CHECK(profile.real("reread_ratio"_metric) == Approx(1.0 / n));
  CHECK(profile.count("ipt_max"_metric) == 14 * n + 13);
  CHECK(profile.real("freedom_to_reorder"_metric) == Approx(6));
  // 2 n^2 addresses with n accesses each and n^2 with one, of 2 n^3 + n^2.
  constexpr double accesses = 2.0 * n * n * n + n * n;
  CHECK(profile.real("global_memory_address_entropy"_metric) ==
        Approx(2 * n * n * n / accesses * std::log2(accesses / n) +
               n * n / accesses * std::log2(accesses)));
  // The trip count n is below the history's 16 outcomes: the loop is told completely by them.
  CHECK(profile.real("linear_branch_entropy"_metric) == 0);
}

TEST_CASE("matmul_local: n / tile times from global memory, the rest from local") {
  constexpr uint64_t tiles = n / tile;
  const Buffer a{Space::kGlobal, 0, 4}, b{Space::kGlobal, 1, 4}, c{Space::kGlobal, 2, 4},
      tileA{Space::kLocal, 0, 4}, tileB{Space::kLocal, 1, 4};
  enum { kOuter, kInner };
  Expected expected(groups, tile * tile);
  for (uint64_t i = 0; i < elements; ++i) {
    const uint64_t row = i / n, col = i % n, ly = row % tile, lx = col % tile;
    // entry: get_global_size, get_global_id x 2, get_local_id x 2, mul add gep gep br;
    // outer condition: phi phi icmp br; body: add gep load store add mul add gep load store
    std::vector<uint64_t> segments = {10 + 4 + 10};
    for (uint64_t t = 0; t < n; t += tile) {
      expected.read(a, row * n + t + lx);
      expected.write(tileA, ly * tile + lx);
      expected.read(b, (t + ly) * n + col);
      expected.write(tileB, ly * tile + lx);
      expected.gap(0); // load store
      expected.gap(4); // add mul add gep
      expected.gap(0);
      expected.gap(2 + 4 + 1); // barrier br, inner condition, gep
      for (uint64_t k = 0; k < tile; ++k) {
        expected.read(tileA, ly * tile + k);
        expected.read(tileB, k * tile + lx);
        expected.gap(1); // gep
        if (k + 1 < tile)
          expected.gap(3 + 4 + 1); // fmuladd add br, inner condition, gep
      }
      // fmuladd add br, inner condition, barrier add br, outer condition, add gep: to the next
      // tile's load or to the store of the result
      expected.gap(3 + 4 + 3 + 4 + 2);
      // | barrier | br, inner condition, body of gep load gep load fmuladd add br | barrier | add
      // br, outer condition, then the next tile's body or add gep store ret
      segments.push_back(1 + 4 * (tile + 1) + 7 * tile);
      segments.push_back(2 + 4 + (t + tile < n ? 10 : 4));
    }
    expected.write(c, i);
    expected.workItem(segments);
  }
  // In order: all work-items enter the tile, all walk through it, all go on to the next.
  for (uint64_t group = 0; group < groups; ++group) {
    for (uint64_t item = 0; item < tile * tile; ++item)
      expected.branch(kOuter, group, true);
    for (uint64_t t = 0; t < tiles; ++t) {
      for (uint64_t item = 0; item < tile * tile; ++item)
        for (uint64_t k = 0; k <= tile; ++k)
          expected.branch(kInner, group, k < tile);
      for (uint64_t item = 0; item < tile * tile; ++item)
        expected.branch(kOuter, group, t + 1 < tiles);
    }
  }
  constexpr uint64_t visits = elements * tiles, trips = elements * n;
  const uint64_t outer = visits + elements, inner = trips + visits; // conditions
  expected.opcodes = {{"call", 5 * elements + 2 * visits + trips},
                      {"mul", elements + visits},
                      {"add", elements + 3 * visits + visits + trips + elements},
                      {"getelementptr", 2 * elements + 2 * visits + 2 * trips + elements},
                      {"br", elements + outer + visits + inner + trips + visits},
                      {"phi", 2 * outer + 2 * inner},
                      {"icmp", outer + inner},
                      {"load", 2 * visits + 2 * trips},
                      {"store", 2 * visits + elements},
                      {"ret", elements}};
  expected.fpAdd = expected.fpMul = trips;

  const KernelProfile &profile = referenceProfile("matmul_local");
  expected.check(profile);
  CHECK(referenceResult("matmul_local", "c") == product());

  CHECK(profile.count("bytes_read_global"_metric) == 4 * 2 * n * n * n / tile);
  CHECK(profile.count("bytes_read_local"_metric) == 4 * 2 * n * n * n);
  CHECK(profile.count("memory_footprint"_metric) == 3 * elements + 2 * tile * tile);
  CHECK(profile.count("barriers_hit"_metric) == 2 * tiles * elements);
  CHECK(profile.count("unique_branches"_metric) == 2);
  CHECK(profile.count("fp_ops"_metric) == referenceProfile("matmul_naive").count("fp_ops"_metric));
}
