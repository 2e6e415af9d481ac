// Kernels whose control flow is their point: branches on data, on lanes, loops, switches.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

/// The branchy kernel in groups of w work-items, flag(i) saying where the branch goes.
template <typename Flag> Expected branchy(uint64_t n, uint64_t w, Flag flag) {
  const Buffer flags{Space::kGlobal, 0, 4}, in{Space::kGlobal, 1, 4}, out{Space::kGlobal, 2, 4};
  Expected expected(n / w, w);
  uint64_t heads = 0;
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(flags, i);
    expected.branch(0, i / w, flag(i));
    if (flag(i)) {
      ++heads;
      expected.read(in, i);
      expected.write(out, i);
      expected.gap(3); // icmp br gep
      expected.gap(1); // gep
    }
    // get_global_id gep load icmp br; gep load gep store br; ret
    expected.workItem({flag(i) ? 11u : 6u});
  }
  expected.opcodes = {{"call", n},         {"getelementptr", n + 2 * heads},
                      {"load", n + heads}, {"icmp", n},
                      {"br", n + heads},   {"store", heads},
                      {"ret", n}};
  return expected;
}

} // namespace

TEST_CASE("branchy_coin: a fair coin cannot be predicted") {
  constexpr uint64_t n = 64, flips = 4;
  // Group g's flips are the binary digits of g.
  const auto flag = [](uint64_t i) { return (i / flips >> (flips - 1 - i % flips) & 1) == 1; };
  const KernelProfile &profile = referenceProfile("branchy_coin");
  branchy(n, flips, flag).check(profile);
  CHECK(referenceResult("branchy_coin", "out") ==
        valuesFor(n, [&](uint64_t i) { return flag(i) ? static_cast<double>(i) : -1.0; }));

  // Every sequence of flips occurs once, so behind every history either side comes up as often.
  CHECK(profile.real("linear_branch_entropy"_metric) == 1);
  // Histories: of each length j < 4 with a share of 1/4, all 2^j patterns alike, so their entropy
  // is log2(4) + (0 + 1 + 2 + 3) / 4 bits.
  CHECK(profile.real("yokota_branch_entropy"_metric) ==
        Approx((std::log2(flips) + (flips - 1) / 2.0) / 16));
  CHECK(profile.count("unique_branches"_metric) == 1);
}

TEST_CASE("branchy_periodic: a period is told by the history") {
  constexpr uint64_t n = 64, period = 4, history = 16;
  const auto flag = [](uint64_t i) { return i % period != period - 1; };
  const KernelProfile &profile = referenceProfile("branchy_periodic");
  branchy(n, n, flag).check(profile);
  CHECK(referenceResult("branchy_periodic", "out") ==
        valuesFor(n, [&](uint64_t i) { return flag(i) ? static_cast<double>(i) : -1.0; }));

  CHECK(profile.real("linear_branch_entropy"_metric) == 0);
  // 16 patterns at the start, once each; then `period` patterns, alike.
  constexpr double each = (n - history) / static_cast<double>(period);
  CHECK(profile.real("yokota_branch_entropy"_metric) ==
        Approx((history * std::log2(n) / n + period * each / n * std::log2(n / each)) / 16));
  CHECK(profile.count("load_imbalance"_metric) == 5);
}

TEST_CASE("divergent: trip counts that depend on the lane") {
  constexpr uint64_t n = 16, w = 8;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t l = i % w;
    for (uint64_t k = 0; k < l; ++k) {
      expected.read(in, k);
      expected.branch(0, i / w, true);
      // to the next load: fadd add br, phi phi icmp br, gep; to the store: get_global_id more
      expected.gap(k + 1 < l ? 3 + 4 + 1 : 3 + 4 + 2);
    }
    expected.branch(0, i / w, false);
    expected.write(out, i);
    // entry: get_local_id br; condition: phi phi icmp br; body: gep load fadd add br;
    // end: get_global_id gep store ret
    expected.workItem({2 + 4 * (l + 1) + 5 * l + 4});
  }
  constexpr uint64_t trips = n / w * (w * (w - 1) / 2);
  expected.opcodes = {{"call", 2 * n},
                      {"br", n + (trips + n) + trips},
                      {"phi", 2 * (trips + n)},
                      {"icmp", trips + n},
                      {"getelementptr", trips + n},
                      {"load", trips},
                      {"fadd", trips},
                      {"add", trips},
                      {"store", n},
                      {"ret", n}};
  expected.fpAdd = trips;

  const KernelProfile &profile = referenceProfile("divergent");
  expected.check(profile);
  CHECK(referenceResult("divergent", "out") ==
        valuesFor(n, [](uint64_t i) { return i % w * (i % w + 1) / 2; }));

  // Work-item l executes 10 + 9 l instructions.
  CHECK(profile.count("ipt_min"_metric) == 10);
  CHECK(profile.real("ipt_median"_metric) == Approx(10 + 9 * (w - 1) / 2.0));
  CHECK(profile.count("ipt_max"_metric) == 10 + 9 * (w - 1));
  CHECK(profile.count("load_imbalance"_metric) == 9 * (w - 1));
  CHECK(profile.count("unique_reads"_metric) == w - 1);
}

TEST_CASE("serial_sum: one work-item, one loop") {
  constexpr uint64_t n = 48;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(1, 1);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(in, i);
    expected.branch(0, 0, true);
    // to the next load: fadd add br, phi phi icmp br, zext gep
    expected.gap(i + 1 < n ? 3 + 4 + 2 : 3 + 4);
  }
  expected.branch(0, 0, false);
  expected.write(out, 0);
  // entry: br; condition: phi phi icmp br; body: zext gep load fadd add br; end: store ret
  expected.workItem({1 + 4 * (n + 1) + 6 * n + 2});
  expected.opcodes = {{"br", 1 + (n + 1) + n},
                      {"phi", 2 * (n + 1)},
                      {"icmp", n + 1},
                      {"zext", n},
                      {"getelementptr", n},
                      {"load", n},
                      {"fadd", n},
                      {"add", n},
                      {"store", 1},
                      {"ret", 1}};
  expected.fpAdd = n;

  const KernelProfile &profile = referenceProfile("serial_sum");
  expected.check(profile);
  CHECK(referenceResult("serial_sum", "out") == std::vector<double>{n * (n + 1) / 2});

  CHECK(profile.count("total_instruction_count"_metric) == 10 * n + 7);
  CHECK(profile.real("granularity"_metric) == 1);
  CHECK(profile.real("global_memory_address_entropy"_metric) == Approx(std::log2(n + 1.0)));
  CHECK(profile.real("freedom_to_reorder"_metric) == Approx(9 - 2.0 / n));
  // Sixteen taken are followed by a taken one n - 16 times and by the exit once.
  CHECK(profile.real("linear_branch_entropy"_metric) == Approx(2.0 / (n + 1)));
  constexpr double executions = n + 1, full = n + 1 - 16;
  CHECK(profile.real("yokota_branch_entropy"_metric) ==
        Approx((16 / executions * std::log2(executions) +
                full / executions * std::log2(executions / full)) /
               16));
}

TEST_CASE("switch: taken where it leaves its default") {
  constexpr uint64_t n = 16;
  const Buffer op{Space::kGlobal, 0, 4}, a{Space::kGlobal, 1, 4}, b{Space::kGlobal, 2, 4},
      out{Space::kGlobal, 3, 4};
  constexpr int kOps[] = {0, 1, 2, 5, 9, 0, 1, 2, 5, 9, 0, 1, 2, 5, 9, 0};
  constexpr uint64_t adds = 4, muls = 3, moves = 3, divs = 3; // of 0, 1, 2 and 5; 9 is the default
  constexpr uint64_t two = adds + muls + divs, stores = two + moves;
  Expected expected(1, n);
  std::vector<double> result;
  for (uint64_t i = 0; i < n; ++i) {
    const int operation = kOps[i];
    expected.read(op, i);
    expected.branch(0, 0, operation != 9);
    result.push_back(-1);
    if (operation == 9) {
      expected.workItem({4 + 1}); // get_global_id gep load switch; ret
      continue;
    }
    expected.read(a, i);
    expected.gap(2); // switch gep
    if (operation == 2) {
      expected.gap(3);                // br phi gep
      expected.workItem({4 + 3 + 5}); // gep load br; phi gep store br ret
    } else {
      expected.read(b, i);
      expected.gap(1);                // gep
      expected.gap(4);                // the operation, br phi gep
      expected.workItem({4 + 6 + 5}); // gep load gep load, the operation, br; phi gep store br ret
    }
    expected.write(out, i);
    const uint64_t x = 10 * (i + 1), y = 5;
    result.back() = static_cast<double>(operation == 0   ? x + y
                                        : operation == 1 ? x * y
                                        : operation == 2 ? x
                                                         : x / y);
  }
  expected.opcodes = {{"call", n},
                      {"getelementptr", n + 2 * two + moves + stores},
                      {"load", n + 2 * two + moves},
                      {"switch", n},
                      {"add", adds},
                      {"mul", muls},
                      {"sdiv", divs},
                      {"br", 2 * stores},
                      {"phi", stores},
                      {"store", stores},
                      {"ret", n}};

  const KernelProfile &profile = referenceProfile("switch");
  expected.check(profile);
  CHECK(referenceResult("switch", "out") == result);

  CHECK(profile.count("unique_branches"_metric) == 1); // the jumps are no branches
  // 16 executions see 16 histories, one of each length: nothing to average over.
  CHECK(profile.real("linear_branch_entropy"_metric) == 0);
  CHECK(profile.real("yokota_branch_entropy"_metric) == Approx(std::log2(n) / 16));
}
