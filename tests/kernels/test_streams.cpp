// Kernels that move every element once: what is read and written is a function of the work-item.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

/// LMAE with k skipped LSBs, k in [1, 10].
double lmae(const KernelProfile &profile, unsigned k) {
  return profile.real(kVectorMetric<"local_memory_address_entropy">.of(k));
}

/// What is left of log2(n) bits of entropy over n = 2^bits elements, 2^elementBits bytes apart,
/// when k bits of the address are skipped: the bits below the element's size cost nothing.
double remaining(unsigned bits, unsigned elementBits, unsigned k) {
  return std::max(0, static_cast<int>(bits) - std::max(0, static_cast<int>(k - elementBits)));
}

} // namespace

TEST_CASE("saxpy: three streams") {
  constexpr uint64_t n = 64, w = 16;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, i);
    expected.read(y, i);
    expected.write(y, i);
    // get_global_id gep load gep load fmuladd store ret, and one of them between two accesses
    expected.workItem({8});
    expected.gap(1, 2);
  }
  expected.opcodes = {
      {"call", 2 * n}, {"getelementptr", 2 * n}, {"load", 2 * n}, {"store", n}, {"ret", n}};
  expected.fpAdd = expected.fpMul = n; // of the fmuladd

  const KernelProfile &profile = referenceProfile("saxpy");
  expected.check(profile);
  CHECK(referenceResult("saxpy", "y") == valuesFor(n, [](uint64_t i) { return 2 * i + 1; }));

  // In closed form: n addresses of x with a share of 1 / 3n each, n of y with twice that.
  const double wanted = std::log2(3.0 * n) - 2.0 / 3;
  CHECK(profile.real("global_memory_address_entropy"_metric) == Approx(wanted));
  for (unsigned k = 1; k <= 8; ++k) // buffers of 2^8 bytes
    CHECK(lmae(profile, k) == Approx(wanted - std::max(0, static_cast<int>(k) - 2)));
  // 90 % of 3 n accesses: all n of y, which bring 2 n, and 0.7 n of x.
  CHECK(profile.count("memory_footprint_90"_metric) == n + std::ceil(0.7 * n));
  CHECK(profile.count("bytes_read_global"_metric) == 8 * n);
  CHECK(profile.count("bytes_written_global"_metric) == 4 * n);
  CHECK(profile.count("footprint_bytes"_metric) == 8 * n);
  CHECK(profile.real("instruction_mix_factor"_metric) == 1);
  CHECK(profile.real("freedom_to_reorder"_metric) == 1);
  CHECK(profile.real("unique_read_write_ratio"_metric) == 2);
  CHECK(profile.count("opcode_90"_metric) == 5); // eight instructions a work-item: 7 are too few
}

TEST_CASE("gather: reads go where data says") {
  constexpr uint64_t n = 32, w = 8;
  const Buffer index{Space::kGlobal, 0, 4}, in{Space::kGlobal, 1, 4}, out{Space::kGlobal, 2, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(index, i);
    expected.read(in, 8 * (i % 4));
    expected.write(out, i);
    expected.workItem({9}); // get_global_id gep load sext gep load gep store ret
    expected.gap(2);
    expected.gap(1);
  }
  expected.opcodes = {{"call", n},     {"getelementptr", 3 * n},
                      {"load", 2 * n}, {"sext", n},
                      {"store", n},    {"ret", n}};

  const KernelProfile &profile = referenceProfile("gather");
  expected.check(profile);
  CHECK(referenceResult("gather", "out") == valuesFor(n, [](uint64_t i) { return 8 * (i % 4); }));

  // Of 3 n accesses: 2 n to addresses of their own, n to four addresses with a share of 1/12 each.
  CHECK(profile.real("global_memory_address_entropy"_metric) ==
        Approx(2.0 / 3 * std::log2(3.0 * n) + 1.0 / 3 * std::log2(12.0)));
  CHECK(profile.count("memory_footprint"_metric) == 2 * n + 4);
  CHECK(profile.real("reread_ratio"_metric) == (n + 4.0) / (2 * n));
  CHECK(profile.count("fp_ops"_metric) == 0);
}

TEST_CASE("scatter: writes go where data says") {
  constexpr uint64_t n = 32, w = 8;
  const Buffer index{Space::kGlobal, 0, 4}, in{Space::kGlobal, 1, 4}, out{Space::kGlobal, 2, 4};
  Expected expected(n / w, w);
  std::vector<double> result(4 * n, -1);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t target = 4 * (5 * i % n);
    expected.read(in, i);
    expected.read(index, i);
    expected.write(out, target);
    result[target] = static_cast<double>(i);
    expected.workItem({9}); // get_global_id gep load gep load sext gep store ret
    expected.gap(1);
    expected.gap(2);
  }
  expected.opcodes = {{"call", n},     {"getelementptr", 3 * n},
                      {"load", 2 * n}, {"sext", n},
                      {"store", n},    {"ret", n}};

  const KernelProfile &profile = referenceProfile("scatter");
  expected.check(profile);
  CHECK(referenceResult("scatter", "out") == result);

  // 3 n addresses, once each. Those of index and in are 4 bytes apart, those of out 16.
  CHECK(profile.real("global_memory_address_entropy"_metric) == Approx(std::log2(3.0 * n)));
  for (unsigned k = 1; k <= 10; ++k)
    CHECK(lmae(profile, k) ==
          Approx(std::log2(3.0) + 2.0 / 3 * remaining(5, 2, k) + 1.0 / 3 * remaining(5, 4, k)));
}

TEST_CASE("transpose_naive: rows to columns") {
  constexpr uint64_t n = 8, tile = 4, elements = n * n;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(elements / (tile * tile), tile * tile);
  for (uint64_t i = 0; i < elements; ++i) {
    expected.read(in, i);
    expected.write(out, i % n * n + i / n);
    // get_global_size get_global_id get_global_id mul add gep load mul add gep store ret
    expected.workItem({12});
    expected.gap(3);
  }
  expected.opcodes = {{"call", 3 * elements}, {"mul", 2 * elements},
                      {"add", 2 * elements},  {"load", elements},
                      {"store", elements},    {"getelementptr", 2 * elements},
                      {"ret", elements}};

  const KernelProfile &profile = referenceProfile("transpose_naive");
  expected.check(profile);
  CHECK(referenceResult("transpose_naive", "out") ==
        valuesFor(elements, [](uint64_t i) { return i % n * n + i / n; }));

  // 2 n^2 addresses once each: the order they come in, rows or columns, is nothing to an entropy.
  CHECK(profile.real("global_memory_address_entropy"_metric) == Approx(std::log2(2.0 * elements)));
  for (unsigned k = 1; k <= 10; ++k)
    CHECK(lmae(profile, k) == Approx(1 + remaining(6, 2, k)));
  CHECK(profile.count("int_ops"_metric) == 4 * elements);
}

TEST_CASE("stencil_1d: neighbours read again") {
  constexpr uint64_t n = 32, w = 8;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    for (uint64_t neighbour = 0; neighbour < 3; ++neighbour)
      expected.read(in, i + neighbour);
    expected.write(out, i);
    // get_global_id gep load add gep load fmul fmuladd add gep load fmuladd gep store ret
    expected.workItem({15});
    expected.gap(2);
    expected.gap(4);
    expected.gap(2);
  }
  expected.opcodes = {{"call", 3 * n}, {"getelementptr", 4 * n},
                      {"load", 3 * n}, {"add", 2 * n},
                      {"fmul", n},     {"store", n},
                      {"ret", n}};
  expected.fpAdd = 2 * n;
  expected.fpMul = 3 * n;

  const KernelProfile &profile = referenceProfile("stencil_1d");
  expected.check(profile);
  CHECK(referenceResult("stencil_1d", "out") == valuesFor(n, [](uint64_t i) { return i + 1; }));

  // 3 n reads of n + 2 elements; 5 floating-point operations a work-item, 2 of them additions.
  CHECK(profile.count("unique_reads"_metric) == n + 2);
  CHECK(profile.real("reread_ratio"_metric) == (n + 2.0) / (3.0 * n));
  CHECK(profile.real("rewrite_ratio"_metric) == 1);
  CHECK(profile.real("instruction_mix_factor"_metric) == Approx(5.0 / 6));
}

TEST_CASE("types: accesses of 1, 2 and 8 bytes") {
  constexpr uint64_t n = 16, w = 8;
  const Buffer bytes{Space::kGlobal, 0, 1}, shorts{Space::kGlobal, 1, 2},
      doubles{Space::kGlobal, 2, 8}, sums{Space::kGlobal, 3, 8}, low{Space::kGlobal, 4, 1};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(doubles, i);
    expected.read(bytes, i); // once: its value is used twice
    expected.write(sums, i);
    expected.read(shorts, i);
    expected.write(low, i);
    // get_global_id gep load gep load uitofp fmuladd gep store gep load trunc xor gep store ret
    expected.workItem({16});
    expected.gap(1);
    expected.gap(3);
    expected.gap(1);
    expected.gap(3);
  }
  expected.opcodes = {{"call", 2 * n}, {"getelementptr", 5 * n},
                      {"load", 3 * n}, {"store", 2 * n},
                      {"uitofp", n},   {"trunc", n},
                      {"xor", n},      {"ret", n}};
  expected.fpAdd = expected.fpMul = n;
  expected.fpBits = 64;

  const KernelProfile &profile = referenceProfile("types");
  expected.check(profile);
  CHECK(referenceResult("types", "sums") == valuesFor(n, [](uint64_t i) { return 2 * i; }));
  CHECK(referenceResult("types", "low") == valuesFor(n, [](uint64_t i) { return i ^ 1; }));

  CHECK(profile.count("bytes_read_global"_metric) == (8 + 1 + 2) * n);
  CHECK(profile.count("bytes_written_global"_metric) == (8 + 1) * n);
  CHECK(profile.count("fp_ops_f64"_metric) == 2 * n);
  // Five streams of n addresses; each loses its bits from its own element size on.
  for (unsigned k = 1; k <= 10; ++k)
    CHECK(lmae(profile, k) ==
          Approx(std::log2(5.0) +
                 (2 * remaining(4, 0, k) + remaining(4, 1, k) + 2 * remaining(4, 3, k)) / 5.0));
}

TEST_CASE("constant: a table of the program and a constant argument") {
  constexpr uint64_t n = 16, w = 8, taps = 4;
  const Buffer window{Space::kConstant, 0, 4}, gain{Space::kConstant, 1, 4},
      in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    for (uint64_t k = 0; k < taps; ++k) {
      expected.read(window, k);
      expected.read(in, i + k);
      expected.branch(0, i / w, true);
    }
    expected.branch(0, i / w, false);
    expected.read(gain, 0);
    expected.write(out, i);
    // entry: get_global_id br; condition: phi phi icmp br;
    // body: zext gep load add gep load fmuladd add br; end: load fmul gep store ret
    expected.workItem({2 + 4 * (taps + 1) + 9 * taps + 5});
    expected.gap(2, taps);     // add gep
    expected.gap(9, taps - 1); // fmuladd add br, condition, zext gep
    expected.gap(7);           // fmuladd add br, condition
    expected.gap(2);           // fmul gep
  }
  expected.opcodes = {{"call", n + taps * n},
                      {"br", n + (taps + 1) * n + taps * n},
                      {"phi", 2 * (taps + 1) * n},
                      {"icmp", (taps + 1) * n},
                      {"zext", taps * n},
                      {"getelementptr", 2 * taps * n + n},
                      {"load", 2 * taps * n + n},
                      {"add", 2 * taps * n},
                      {"fmul", n},
                      {"store", n},
                      {"ret", n}};
  expected.fpAdd = taps * n;
  expected.fpMul = (taps + 1) * n;

  const KernelProfile &profile = referenceProfile("constant");
  expected.check(profile);
  // (i + 3 (i + 1) + 3 (i + 2) + (i + 3)) / 8 = i + 1.5
  CHECK(referenceResult("constant", "out") ==
        valuesFor(n, [](uint64_t i) { return static_cast<double>(i) + 1.5; }));

  CHECK(profile.count("bytes_read_constant"_metric) == 4 * (taps + 1) * n);
  CHECK(profile.count("memory_footprint"_metric) == taps + 1 + (n + taps - 1) + n);
}

TEST_CASE("math: floating-point work of every kind") {
  constexpr uint64_t n = 8, w = 4;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4}, out{Space::kGlobal, 2, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, i);
    expected.read(y, i);
    expected.write(out, i);
    // get_global_id gep load gep load fmul fma sqrt fneg mad fadd exp2 fdiv gep store ret
    expected.workItem({16});
    expected.gap(1);
    expected.gap(9);
  }
  expected.opcodes = {{"call", 5 * n}, {"getelementptr", 3 * n},
                      {"load", 2 * n}, {"store", n},
                      {"fmul", n},     {"fneg", n},
                      {"fadd", n},     {"fdiv", n},
                      {"ret", n}};
  expected.fpAdd = 3 * n;     // fadd, and one each of fma and mad
  expected.fpMul = 3 * n;     // fmul, and one each of fma and mad
  expected.fpDiv = n;         // fdiv
  expected.fpSpecial = 2 * n; // sqrt, exp2; the negation is none

  const KernelProfile &profile = referenceProfile("math");
  expected.check(profile);
  CHECK(profile.count("fp_ops"_metric) == 9 * n);
  const std::vector<double> xs = {3, 4, 0, 0, 5, 12, 6, 8}, ys = {4, 3, 1, 2, 0, 5, 8, 6};
  CHECK(referenceResult("math", "out") == valuesFor(n, [&](uint64_t i) {
          return (2 * std::sqrt(xs[i] * xs[i] + ys[i] * ys[i]) - xs[i]) / std::exp2(ys[i] - 1);
        }));
}
