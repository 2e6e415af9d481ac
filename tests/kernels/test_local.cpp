// Work-groups that share data through local memory between barriers.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::KernelProfile;

TEST_CASE("transpose_tiled: rows to rows, the turn in local memory") {
  constexpr uint64_t n = 8, tile = 4, elements = n * n, pitch = tile + 1;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4}, scratch{Space::kLocal, 0, 4};
  Expected expected(elements / (tile * tile), tile * tile);
  for (uint64_t i = 0; i < elements; ++i) {
    const uint64_t lx = i % tile, ly = i / n % tile;
    expected.read(in, i);
    expected.write(scratch, ly * pitch + lx);
    expected.read(scratch, lx * pitch + ly);
    expected.write(out, i);
    // get_global_size, get_local_id x 2, get_group_id shl, get_group_id shl, add mul add add gep
    // load gep store | barrier | gep load add mul add add gep store ret
    expected.workItem({15, 9});
    expected.gap(1);
    expected.gap(2); // the barrier is one of them
    expected.gap(5);
  }
  expected.opcodes = {{"call", 6 * elements},          {"shl", 2 * elements},
                      {"add", 6 * elements},           {"mul", 2 * elements},
                      {"getelementptr", 4 * elements}, {"load", 2 * elements},
                      {"store", 2 * elements},         {"ret", elements}};

  const KernelProfile &profile = referenceProfile("transpose_tiled");
  expected.check(profile);
  CHECK(referenceResult("transpose_tiled", "out") ==
        valuesFor(elements, [](uint64_t i) { return i % n * n + i / n; }));

  CHECK(profile.count("barriers_hit"_metric) == elements);
  CHECK(profile.real("barriers_per_instruction"_metric) == Approx(2.0 / 25));
  // Half of the 4 n^2 accesses go to addresses of their own, half to tile^2 shared ones.
  CHECK(profile.real("global_memory_address_entropy"_metric) ==
        Approx(0.5 * std::log2(4.0 * elements) + 0.5 * std::log2(2.0 * tile * tile)));
}

TEST_CASE("scan: two barriers a step") {
  constexpr uint64_t n = 32, w = 16, steps = 4;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4}, scratch{Space::kLocal, 0, 4};
  enum { kLoop, kReads };
  Expected expected(n / w, w);
  uint64_t additions = 0; // work-items and steps with an element d places to the left
  for (uint64_t group = 0; group < n / w; ++group) {
    for (uint64_t l = 0; l < w; ++l) {
      expected.read(in, group * w + l);
      expected.write(scratch, l);
      expected.gap(2); // and gep
      // entry: get_local_id trunc get_global_id gep load and gep store br;
      // condition: phi phi zext get_local_size icmp br
      std::vector<uint64_t> segments = {9 + 6};
      for (uint64_t d = 1; d < w; d *= 2) {
        // barrier | icmp br (sub zext gep load br) phi | barrier | load add store shl br, condition
        segments.push_back(2 + (l >= d ? 5 : 0) + 1);
        segments.push_back(5 + 6);
        const uint64_t toLoop = d == 1 ? 1 : 2; // br, or shl br
        if (l >= d) {
          ++additions;
          expected.read(scratch, l - d);
          expected.gap(toLoop + 6 + 3 + 3); // condition, barrier icmp br, sub zext gep
          expected.gap(3);                  // br phi barrier
        } else {
          expected.gap(toLoop + 6 + 3 + 2); // condition, barrier icmp br, phi barrier
        }
        expected.read(scratch, l);
        expected.write(scratch, l);
        expected.gap(1); // add
      }
      segments.back() += 3; // gep store ret
      expected.workItem(segments);
      expected.write(out, group * w + l);
      expected.gap(2 + 6 + 1); // shl br, condition, gep
    }
    // In order: the loop is entered by all in front of the first barrier.
    for (uint64_t l = 0; l < w; ++l)
      expected.branch(kLoop, group, true);
    for (uint64_t d = 1; d < w; d *= 2) {
      for (uint64_t l = 0; l < w; ++l)
        expected.branch(kReads, group, d > l);
      for (uint64_t l = 0; l < w; ++l)
        expected.branch(kLoop, group, 2 * d < w);
    }
  }
  // d = 1, 2, 4, ... leaves w - d work-items with a neighbour that far: w log2(w) - (w - 1).
  REQUIRE(additions == (n / w) * (w * steps - (w - 1)));
  expected.opcodes = {{"call", 2 * n + (steps + 1) * n + 2 * steps * n},
                      {"trunc", n},
                      {"getelementptr", 2 * n + additions + n},
                      {"load", n + additions + steps * n},
                      {"and", n},
                      {"store", n + steps * n + n},
                      {"br", n + (steps + 1) * n + steps * n + additions + steps * n},
                      {"phi", 2 * (steps + 1) * n + steps * n},
                      {"zext", (steps + 1) * n + additions},
                      {"icmp", (steps + 1) * n + steps * n},
                      {"sub", additions},
                      {"add", steps * n},
                      {"shl", steps * n},
                      {"ret", n}};

  const KernelProfile &profile = referenceProfile("scan");
  expected.check(profile);
  CHECK(referenceResult("scan", "out") == valuesFor(n, [](uint64_t i) {
          const uint64_t first = i / w * w; // the sum of first + 1 to i + 1
          return (i - first + 1) * (first + i + 2) / 2;
        }));

  CHECK(profile.count("barriers_hit"_metric) == 2 * steps * n);
  CHECK(profile.count("fp_ops"_metric) == 0);
  CHECK(profile.count("load_imbalance"_metric) == 5 * steps); // work-item 0 never has a neighbour
}

TEST_CASE("barrier_loop: segments between barriers in a loop") {
  constexpr uint64_t n = 16, w = 8, steps = 5;
  const Buffer data{Space::kGlobal, 0, 4}, ring{Space::kLocal, 0, 4};
  Expected expected(n / w, w);
  for (uint64_t group = 0; group < n / w; ++group) {
    for (uint64_t l = 0; l < w; ++l) {
      expected.read(data, group * w + l);
      expected.gap(2 + 2 + 4); // and gep, add br, condition
      // entry: get_local_size trunc get_local_id trunc get_global_id gep load and gep add br;
      // condition: phi phi icmp br; body: store
      std::vector<uint64_t> segments = {11 + 4 + 1};
      for (uint64_t step = 0; step < steps; ++step) {
        expected.write(ring, l);
        expected.gap(4); // barrier urem zext gep
        expected.read(ring, (l + 1) % w);
        expected.gap(1 + 2 + 4);   // barrier, add br, condition: to the next store, of either kind
        segments.push_back(4);     // | barrier | urem zext gep load
        segments.push_back(2 + 4); // | barrier | add br, condition,
        segments.back() += step + 1 < steps ? 1 : 2; // store, or store ret
      }
      expected.write(data, group * w + l);
      expected.workItem(segments);
    }
    // In order, the loop's branch is executed by all work-items w times in a row alike.
    for (uint64_t step = 0; step <= steps; ++step)
      for (uint64_t l = 0; l < w; ++l)
        expected.branch(0, group, step < steps);
  }
  expected.opcodes = {{"call", 3 * n + 2 * steps * n},
                      {"trunc", 2 * n},
                      {"getelementptr", 2 * n + steps * n},
                      {"load", n + steps * n},
                      {"and", n},
                      {"add", n + steps * n},
                      {"br", n + (steps + 1) * n + steps * n},
                      {"phi", 2 * (steps + 1) * n},
                      {"icmp", (steps + 1) * n},
                      {"store", steps * n + n},
                      {"urem", steps * n},
                      {"zext", steps * n},
                      {"ret", n}};

  const KernelProfile &profile = referenceProfile("barrier_loop");
  expected.check(profile);
  CHECK(referenceResult("barrier_loop", "data") ==
        valuesFor(n, [](uint64_t i) { return i / w * w + (i % w + steps) % w; }));

  CHECK(profile.count("barriers_hit"_metric) == 2 * steps * n);
  CHECK(profile.count("itb_min"_metric) == 4);
  CHECK(profile.count("itb_max"_metric) == 16);
  CHECK(profile.count("load_imbalance"_metric) == 0);
  // Of the w (steps + 1) executions of a group, sixteen taken ones are followed by another taken
  // one but for the last time: one of the outcomes is not what the history says.
  CHECK(profile.real("linear_branch_entropy"_metric) == Approx(2.0 / (w * (steps + 1))));
}

TEST_CASE("async_copy: accesses of the work-group, and a wait that is a barrier") {
  constexpr uint64_t n = 32, w = 8;
  const Buffer in{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4}, tile{Space::kLocal, 0, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t l = i % w;
    expected.read(in, i); // the copy, element by element
    expected.write(tile, l);
    expected.read(tile, w - 1 - l);
    expected.write(out, i);
    // alloca get_local_size get_local_id bitcast lifetime get_group_id mul gep
    // async_work_group_copy store | wait_group_events | xor add gep load get_global_id gep store
    // lifetime ret
    expected.workItem({10, 9});
    expected.gap(5); // from the copy: store (private) wait_group_events xor add gep
    expected.gap(2);
  }
  // The event is stored to private memory, from where wait_group_events reads it.
  expected.privateAccesses = 2 * n;
  expected.markers = 2 * n; // begin and end of the event's lifetime
  expected.opcodes = {
      {"alloca", n},    {"call", 8 * n}, {"bitcast", n}, {"mul", n},  {"getelementptr", 3 * n},
      {"store", 2 * n}, {"xor", n},      {"add", n},     {"load", n}, {"ret", n}};

  const KernelProfile &profile = referenceProfile("async_copy");
  expected.check(profile);
  CHECK(referenceResult("async_copy", "out") ==
        valuesFor(n, [](uint64_t i) { return i / w * w + w - 1 - i % w; }));

  CHECK(profile.count("total_reads"_metric) == 2 * n);
  CHECK(profile.count("total_writes"_metric) == 2 * n);
  CHECK(profile.count("barriers_hit"_metric) == n);
  CHECK(profile.count("memory_footprint"_metric) == 2 * n + w);
}

TEST_CASE("async_strided: copies with gaps, there and back") {
  constexpr uint64_t n = 16, w = 8, stride = 2;
  const Buffer data{Space::kGlobal, 0, 4}, tile{Space::kLocal, 0, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t l = i % w;
    expected.read(data, stride * i); // the first copy
    expected.write(tile, l);
    expected.read(tile, l); // the work-item
    expected.write(tile, l);
    expected.read(tile, l); // the second copy
    expected.write(data, stride * i);
    // alloca alloca get_local_size get_local_id get_group_id shl mul gep bitcast lifetime
    // async_work_group_strided_copy store | wait_group_events | gep load fadd store | barrier |
    // bitcast lifetime async_work_group_strided_copy store | wait_group_events | lifetime x 2, ret
    expected.workItem({12, 4, 4, 3});
    expected.gap(3); // store (private) wait_group_events gep
    expected.gap(1);
    expected.gap(3); // barrier bitcast lifetime
  }
  expected.privateAccesses = 4 * n; // two events, stored and read
  expected.fpAdd = n;
  expected.markers = 4 * n; // of two events
  expected.opcodes = {
      {"alloca", 2 * n},  {"call", 12 * n}, {"shl", n},  {"mul", n},  {"getelementptr", 2 * n},
      {"bitcast", 2 * n}, {"store", 3 * n}, {"load", n}, {"fadd", n}, {"ret", n}};

  const KernelProfile &profile = referenceProfile("async_strided");
  expected.check(profile);
  CHECK(referenceResult("async_strided", "data") == valuesFor(stride * n, [](uint64_t i) {
          return static_cast<double>(i) + (i % stride == 0 ? 0.5 : 0);
        }));
  CHECK(profile.count("barriers_hit"_metric) == 3 * n);
  CHECK(profile.count("unique_writes"_metric) == n + w);
}
