// Work-groups that add up in a tree through local memory: the reduction and the dot product.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

namespace {

constexpr Buffer kScratch{Space::kLocal, 0, 4};

/// Branches of the tree.
enum { kLoop, kActive, kFirst };

/// Tells `expected` what the tree of a group of w = 2^steps work-items does behind its first store
/// to scratch. `entry`: instructions of the block that ends with that store's successors, the
/// jump into the loop included. The loop, in blocks:
///   condition  phi icmp br
///   body       barrier | icmp br
///   then       add zext gep load load fadd store br    where l < s
///   next       lshr br
///   cleanup    icmp br
///   first      load get_group_id gep store br          where l = 0
///   end        ret
void addTree(Expected &expected, const Buffer &out, uint64_t group, uint64_t w, uint64_t entry) {
  uint64_t steps = 0;
  while ((uint64_t{1} << steps) < w)
    ++steps;
  for (uint64_t l = 0; l < w; ++l) {
    expected.write(kScratch, l);
    std::vector<uint64_t> segments = {entry + 3};
    for (uint64_t s = w / 2; s > 0; s /= 2) {
      segments.push_back(2 + (l < s ? 8 : 0) + 2 + 3);
      if (l < s) {
        expected.read(kScratch, l + s);
        expected.read(kScratch, l);
        expected.write(kScratch, l);
        // In front of the first: get_local_size lshr trunc br, condition, barrier icmp br, add zext
        // gep. Later: br, next, condition, barrier icmp br, add zext gep.
        expected.gap(s == w / 2 ? 13 : 12);
        expected.gap(0); // load load
        expected.gap(1); // fadd
      }
    }
    segments.back() += 2 + (l == 0 ? 5 : 0) + 1;
    expected.workItem(segments);
  }
  expected.read(kScratch, 0);
  expected.write(out, group);
  expected.gap(1 + 2 + 3 + 2); // br, next, condition, cleanup
  expected.gap(2);             // get_group_id gep

  // In order: all work-items up to the first barrier, all up to the second, ...
  for (uint64_t l = 0; l < w; ++l)
    expected.branch(kLoop, group, steps == 0);
  for (uint64_t s = w / 2; s > 0; s /= 2)
    for (uint64_t l = 0; l < w; ++l) {
      expected.branch(kActive, group, l < s);
      expected.branch(kLoop, group, s == 1);
      if (s == 1)
        expected.branch(kFirst, group, l == 0);
    }

  expected.fpAdd += w - 1;
  auto &opcodes = expected.opcodes;
  opcodes["phi"] += (steps + 1) * w;
  opcodes["icmp"] += (steps + 1) * w + steps * w + w; // condition, body, cleanup
  // condition, body, next and cleanup; then; first
  opcodes["br"] += (steps + 1) * w + 2 * steps * w + w + (w - 1) + 1;
  opcodes["call"] += steps * w + 1; // barrier, get_group_id
  opcodes["lshr"] += steps * w;
  for (const char *opcode : {"add", "zext", "fadd"})
    opcodes[opcode] += w - 1;
  opcodes["getelementptr"] += (w - 1) + 1;
  opcodes["load"] += 2 * (w - 1) + 1;
  opcodes["store"] += (w - 1) + 1;
  opcodes["ret"] += w;
}

} // namespace

TEST_CASE("reduce: a tree in one work-group") {
  constexpr uint64_t w = 32, steps = 5;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(1, w);
  // get_local_id trunc get_global_id gep load and gep store get_local_size lshr trunc br
  addTree(expected, out, 0, w, 12);
  for (uint64_t i = 0; i < w; ++i) {
    expected.read(in, i);
    expected.gap(2); // and gep
  }
  for (const auto &[opcode, times] : std::map<std::string, uint64_t>{{"call", 3},
                                                                     {"trunc", 2},
                                                                     {"getelementptr", 2},
                                                                     {"load", 1},
                                                                     {"and", 1},
                                                                     {"store", 1},
                                                                     {"lshr", 1},
                                                                     {"br", 1}})
    expected.opcodes[opcode] += times * w;

  const KernelProfile &profile = referenceProfile("reduce");
  expected.check(profile);
  CHECK(referenceResult("reduce", "out") == std::vector<double>{w * (w + 1) / 2});

  // In closed form: every step is a barrier and half the additions of the one before.
  CHECK(profile.count("barriers_hit"_metric) == w * steps);
  CHECK(profile.count("fp_add"_metric) == w - 1);
  CHECK(profile.count("total_reads"_metric) == w + 2 * (w - 1) + 1);
  CHECK(profile.count("total_writes"_metric) == w + (w - 1) + 1);
  CHECK(profile.count("memory_footprint"_metric) == w + w + 1);
  CHECK(profile.count("bytes_read_local"_metric) == 4 * (2 * w - 1));
  CHECK(profile.count("unique_branches"_metric) == 3);
  // The work-item that is active in all steps against those that are in none: 8 instructions a step
  // and the 5 of the result.
  CHECK(profile.count("load_imbalance"_metric) == 8 * steps + 5);
  CHECK(profile.count("itb_min"_metric) == 7);
}

TEST_CASE("dot: products, then a tree in every work-group") {
  constexpr uint64_t n = 32, w = 8, groups = n / w;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4}, partial{Space::kGlobal, 2, 4};
  Expected expected(groups, w);
  // get_local_id trunc get_global_id gep load gep load fmul and gep store get_local_size lshr trunc
  // br
  for (uint64_t group = 0; group < groups; ++group)
    addTree(expected, partial, group, w, 15);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, i);
    expected.read(y, i);
    expected.gap(1); // gep
    expected.gap(3); // fmul and gep
  }
  expected.fpMul = n;
  for (const auto &[opcode, times] : std::map<std::string, uint64_t>{{"call", 3},
                                                                     {"trunc", 2},
                                                                     {"getelementptr", 3},
                                                                     {"load", 2},
                                                                     {"fmul", 1},
                                                                     {"and", 1},
                                                                     {"store", 1},
                                                                     {"lshr", 1},
                                                                     {"br", 1}})
    expected.opcodes[opcode] += times * n;

  const KernelProfile &profile = referenceProfile("dot");
  expected.check(profile);
  CHECK(referenceResult("dot", "partial") == valuesFor(groups, [](uint64_t g) {
          return 2 * (w * (w * g) + w * (w - 1) / 2); // twice the sum of w g to w g + w - 1
        }));

  CHECK(profile.count("fp_add"_metric) == groups * (w - 1));
  CHECK(profile.count("fp_mul"_metric) == n);
  CHECK(profile.real("instruction_mix_factor"_metric) ==
        Approx((groups * (w - 1.0) + n) / (2.0 * n)));
  // All work-groups use the same scratchpad: its addresses are w, not n.
  CHECK(profile.count("memory_footprint"_metric) == 2 * n + w + groups);
}
