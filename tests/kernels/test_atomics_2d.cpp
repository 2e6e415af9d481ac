// Atomics, and a two-dimensional NDRange with a border.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

constexpr uint64_t n = 64, w = 16, bins = 8;
constexpr uint64_t kValues[] = {0, 1, 0, 2, 0, 1, 0, 3}; // of the elements, over and over
uint64_t value(uint64_t i) {
  return kValues[i % 8];
}

const std::vector<double> kHistogram = {n / 2, n / 4, n / 8, n / 8, 0, 0, 0, 0};

} // namespace

TEST_CASE("histogram_global: an atomic is a read and a write") {
  const Buffer data{Space::kGlobal, 0, 1}, global{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(data, i);
    expected.atomic(global, value(i));
    expected.workItem({7}); // get_global_id gep load zext gep atomic_inc ret
    expected.gap(2);
  }
  expected.opcodes = {
      {"call", 2 * n}, {"getelementptr", 2 * n}, {"load", n}, {"zext", n}, {"ret", n}};

  const KernelProfile &profile = referenceProfile("histogram_global");
  expected.check(profile);
  CHECK(referenceResult("histogram_global", "bins") == kHistogram);

  CHECK(profile.count("total_reads"_metric) == 2 * n);
  CHECK(profile.count("total_writes"_metric) == n);
  CHECK(profile.count("bytes_read_global"_metric) == n + 4 * n);
  CHECK(profile.count("footprint_bytes"_metric) == n + 4 * 4);
  CHECK(profile.real("rewrite_ratio"_metric) == 4.0 / n);
  // n of the 3 n accesses to addresses of their own; 2 n to the bins, which halve:
  // 1/2, 1/4, 1/8, 1/8 have an entropy of 1.75 bits. The choice between the two: H(1/3).
  const double choice = std::log2(3.0) - 2.0 / 3;
  CHECK(profile.real("global_memory_address_entropy"_metric) ==
        Approx(choice + std::log2(n) / 3 + 2 * 1.75 / 3));
}

TEST_CASE("histogram_local: bins of the work-group, then of all") {
  const Buffer data{Space::kGlobal, 0, 1}, global{Space::kGlobal, 1, 4}, mine{Space::kLocal, 0, 4};
  enum { kClear, kAdd };
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t l = i % w;
    const bool own = l < bins;
    // get_local_id and icmp br (and gep store br) | barrier | get_global_id gep load zext gep
    // atomic_inc | barrier | br (and gep gep load atomic_add br) ret
    expected.workItem({own ? 8u : 4u, 6, own ? 8u : 2u});
    expected.branch(kClear, i / w, own);
    expected.branch(kAdd, i / w, own);
    expected.read(data, i);
    expected.atomic(mine, value(i));
    expected.gap(2); // zext gep
    if (own) {
      expected.write(mine, l);
      expected.read(mine, l);
      expected.atomic(global, l);
      expected.gap(4); // br barrier get_global_id gep
      expected.gap(5); // barrier br and gep gep
      expected.gap(0);
    }
  }
  constexpr uint64_t owners = n / w * bins;
  expected.opcodes = {{"call", 5 * n + owners},
                      {"and", n + 2 * owners},
                      {"icmp", n},
                      {"br", 2 * n + 2 * owners},
                      {"getelementptr", 2 * n + 3 * owners},
                      {"store", owners},
                      {"load", n + owners},
                      {"zext", n},
                      {"ret", n}};

  const KernelProfile &profile = referenceProfile("histogram_local");
  expected.check(profile);
  CHECK(referenceResult("histogram_local", "bins") == kHistogram);

  CHECK(profile.count("barriers_hit"_metric) == 2 * n);
  CHECK(profile.count("bytes_read_global"_metric) == n + 4 * owners);
  CHECK(profile.count("memory_footprint"_metric) == n + 2 * bins);
  CHECK(profile.count("unique_branches"_metric) == 2);
}

TEST_CASE("stencil_2d: five points, and a border that is copied") {
  constexpr uint64_t width = 8, height = 6, groupWidth = 4, groupHeight = 2;
  constexpr uint64_t points = width * height, inside = (width - 2) * (height - 2);
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  const auto interior = [](uint64_t x, uint64_t y) {
    return x > 0 && y > 0 && x < width - 1 && y < height - 1;
  };
  Expected expected(points / (groupWidth * groupHeight), groupWidth * groupHeight);
  for (uint64_t y = 0; y < height; ++y) // within a group, that is the order of its work-items
    for (uint64_t x = 0; x < width; ++x) {
      const uint64_t i = y * width + x;
      const bool inner = interior(x, y);
      // get_global_size x 2, get_global_id x 2, mul add icmp icmp select add icmp select add icmp
      // select gep load br; sub gep load add gep load fadd add gep load fadd add gep load fadd fmul
      // fmuladd br; phi gep store ret
      expected.workItem({18u + (inner ? 18u : 0u) + 4u});
      expected.branch(0, y / groupHeight * (width / groupWidth) + x / groupWidth, inner);
      expected.read(in, i);
      expected.write(out, i);
      if (!inner) {
        expected.gap(3); // br phi gep
        continue;
      }
      for (uint64_t neighbour : {i - width, i - 1, i + 1, i + width})
        expected.read(in, neighbour);
      expected.gap(3);    // br sub gep
      expected.gap(2);    // add gep
      expected.gap(3, 2); // fadd add gep
      expected.gap(6);    // fadd fmul fmuladd br phi gep
    }
  expected.opcodes = {{"call", 4 * points + inside},
                      {"mul", points},
                      {"add", 3 * points + 3 * inside},
                      {"sub", inside},
                      {"icmp", 4 * points},
                      {"select", 3 * points},
                      {"getelementptr", 2 * points + 4 * inside},
                      {"load", points + 4 * inside},
                      {"br", points + inside},
                      {"fadd", 3 * inside},
                      {"fmul", inside},
                      {"phi", points},
                      {"store", points},
                      {"ret", points}};
  expected.fpAdd = 4 * inside;
  expected.fpMul = 2 * inside;

  const KernelProfile &profile = referenceProfile("stencil_2d");
  expected.check(profile);
  const auto input = [](uint64_t x, uint64_t y) {
    return 8 * static_cast<double>(x * x + 3 * y * y + x * y * y);
  };
  CHECK(referenceResult("stencil_2d", "out") == valuesFor(points, [&](uint64_t i) {
          const uint64_t x = i % width, y = i / width;
          if (!interior(x, y))
            return input(x, y);
          return 0.5 * input(x, y) +
                 0.125 * (input(x, y - 1) + input(x - 1, y) + input(x + 1, y) + input(x, y + 1));
        }));

  CHECK(profile.count("total_reads"_metric) == points + 4 * inside);
  CHECK(profile.count("unique_reads"_metric) == points);
  CHECK(profile.count("load_imbalance"_metric) == 18);
  CHECK(profile.count("unique_branches"_metric) == 1);
}
