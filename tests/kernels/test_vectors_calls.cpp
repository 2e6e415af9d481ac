// Vector instructions and accesses, functions that stay calls, private memory.

#include "kernels/expected.h"
#include "kernels/reference.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::AccessKind;
using aiwc::profile::AccessRow;
using aiwc::profile::KernelProfile;
using aiwc::profile::MemorySpace;
using aiwc::profile::Metric;

TEST_CASE("vector_saxpy4: four data items per instruction and access") {
  constexpr uint64_t items = 16, w = 8, n = 4 * items;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4};
  Expected expected(items / w, w);
  for (uint64_t i = 0; i < items; ++i) {
    expected.read(x, 4 * i, 4); // one access of 16 bytes
    expected.read(y, 4 * i, 4);
    expected.write(y, 4 * i, 4);
    // get_global_id insertelement shufflevector vload4 vload4 fmuladd vstore4 ret
    expected.workItem({8});
    expected.gap(0); // vload4 vload4
    expected.gap(1); // fmuladd
  }
  expected.opcodes = {
      {"call", 5 * items}, {"insertelement", items}, {"shufflevector", items}, {"ret", items}};
  expected.fpAdd = expected.fpMul = 4 * items;            // lanes
  expected.simdWidths = {{1, 2 * items}, {4, 6 * items}}; // all but get_global_id and ret

  const KernelProfile &profile = referenceProfile("vector_saxpy4");
  expected.check(profile);
  CHECK(referenceResult("vector_saxpy4", "y") ==
        valuesFor(n, [](uint64_t i) { return 2 * i + 1; }));

  // The bytes and operations of the scalar saxpy, in a quarter of the accesses and instructions.
  CHECK(profile.count("total_reads"_metric) == 2 * n / 4);
  CHECK(profile.count("bytes_read_global"_metric) == 8 * n);
  CHECK(profile.count("fp_ops"_metric) == 2 * n);
  CHECK(profile.count("total_instruction_count"_metric) == 8 * n / 4);
  CHECK(profile.real("global_memory_address_entropy"_metric) ==
        Approx(std::log2(3.0 * items) - 2. / 3));
  CHECK(profile.real("simd_width_mean"_metric) == Approx((2 * 1 + 6 * 4) / 8.0));
  CHECK(profile.real("simd_width_sd"_metric) == Approx(3 * std::sqrt(2.0 * 6.0) / 8)); // two values
  CHECK(profile.real("instructions_per_operand"_metric) == Approx(8.0 / 26));
}

TEST_CASE("vector_scale3: a float3 is loaded as four floats and computed with as three") {
  constexpr uint64_t n = 8, w = 4;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  std::vector<double> result;
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, 4 * i, 4);
    for (uint64_t lane = 0; lane < 3; ++lane)
      expected.write(y, 4 * i + lane); // the compiler stores the lanes one by one
    for (uint64_t lane = 0; lane < 4; ++lane)
      result.push_back(lane < 3 ? 3 * static_cast<double>(4 * i + lane) : -1);
    // get_global_id gep bitcast load shufflevector fmul gep bitcast, 3 x (gep extractelement
    // store), ret
    expected.workItem({8 + 3 * 3 + 1});
    expected.gap(6);    // shufflevector fmul gep bitcast gep extractelement
    expected.gap(2, 2); // gep extractelement
  }
  expected.opcodes = {
      {"call", n}, {"getelementptr", 5 * n},  {"bitcast", 2 * n}, {"load", n}, {"shufflevector", n},
      {"fmul", n}, {"extractelement", 3 * n}, {"store", 3 * n},   {"ret", n}};
  expected.fpMul = 3 * n;
  // 4: the load, the shuffle of its result. 3: fmul, extractelement. The rest is scalar.
  expected.simdWidths = {{1, 12 * n}, {3, 4 * n}, {4, 2 * n}};

  const KernelProfile &profile = referenceProfile("vector_scale3");
  expected.check(profile);
  CHECK(referenceResult("vector_scale3", "y") == result);
  CHECK(profile.count("simd_operand_sum"_metric) == (12 + 4 * 3 + 2 * 4) * n);
  CHECK(profile.count("footprint_bytes"_metric) == (16 + 12) * n);
  CHECK(profile.real("instruction_mix_factor"_metric) == 0.5); // multiplications alone
}

namespace {

/// Of a kernel that uses the elements of a vector one by one, in 64 work-items.
KernelProfile partsOf(const std::string &what) {
  const auto file = "vector_parts_" + what + ".sim";
  const auto profiles = simulate(std::filesystem::path(AIWC_TEST_ENGINE_KERNELS) / file);
  REQUIRE(profiles.size() == 1);
  return profiles.front();
}

} // namespace

TEST_CASE("a vector whose elements are loaded one by one is one access") {
  constexpr uint64_t n = 64, w = 32;
  for (const std::string name : {"vector", "structure"}) {
    INFO(name);
    const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4};
    Expected expected(n / w, w);
    for (uint64_t i = 0; i < n; ++i) {
      for (uint64_t element = 0; element < 4; ++element)
        expected.read(x, 4 * i + element);
      expected.write(y, i);
      // get_global_id, 4 x (gep load), fmul fmuladd gep store ret
      expected.workItem({1 + 4 * 2 + 5});
      expected.gap(1, 3); // gep
      expected.gap(3);    // fmul fmuladd gep
    }
    expected.opcodes = {{"call", 2 * n}, {"getelementptr", 5 * n},
                        {"load", 4 * n}, {"fmul", n},
                        {"store", n},    {"ret", n}};
    expected.fpAdd = n;
    expected.fpMul = 2 * n;
    const KernelProfile profile = partsOf(name);
    expected.check(profile);
    for (const Metric metric :
         {"coalescing_16"_metric, "coalescing_32"_metric, "coalescing_64"_metric})
      CHECK(profile.real(metric) == 1);
    CHECK(profile.real("consecutive_accesses"_metric) == 1);
    REQUIRE(profile.accesses);
    REQUIRE(profile.accesses->size() == 2);
    for (const AccessRow &row : *profile.accesses) {
      CHECK(row.accesses == n);
      CHECK(row.laneStride == (row.kind == AccessKind::kRead ? 16 : 4));
      CHECK(row.bytes == n * (row.kind == AccessKind::kRead ? 16 : 4));
    }
  }
}

TEST_CASE("a vector in local memory is one access") {
  constexpr uint64_t n = 64;
  const KernelProfile profile = partsOf("local");
  CHECK(profile.count("total_reads"_metric) == n * (1 + 4)); // AIWC's: per instruction
  REQUIRE(profile.accesses);
  size_t ofTile = 0;
  for (const AccessRow &row : *profile.accesses)
    if (row.space == MemorySpace::kLocal) {
      CHECK(row.accesses == n);
      CHECK(row.bytes == 16 * n);
      CHECK(row.laneStride == (row.kind == AccessKind::kRead ? -16 : 16));
      ++ofTile;
    }
  CHECK(ofTile == 2);
  // Of what 8 lanes do, the reads of the tile step backwards: 64 of 256 executions.
  CHECK(profile.real("consecutive_accesses"_metric) == 0.75);
}

TEST_CASE("call: the instructions of called functions count") {
  constexpr uint64_t n = 16, w = 4;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4}, out{Space::kGlobal, 2, 4};
  constexpr uint64_t square = 2; // fmul ret
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, i);
    expected.read(y, i);
    expected.write(out, i);
    // kernel: get_global_id gep load gep load call gep store ret; norm2: call call fadd ret
    expected.workItem({9 + 4 + 2 * square});
    expected.gap(1);
    expected.gap(1 + 4 + 2 * square + 1); // the call, all of both functions, gep
  }
  expected.opcodes = {{"call", 4 * n}, {"getelementptr", 3 * n}, {"load", 2 * n},
                      {"store", n},    {"fmul", 2 * n},          {"fadd", n},
                      {"ret", 4 * n}};
  expected.fpAdd = n;
  expected.fpMul = 2 * n;

  const KernelProfile &profile = referenceProfile("call");
  expected.check(profile);
  CHECK(referenceResult("call", "out") == valuesFor(n, [](uint64_t i) { return i * i + 4; }));
  CHECK(profile.count("ipt_max"_metric) == 17);
  CHECK(profile.real("instruction_mix_factor"_metric) == 0.75);
}

TEST_CASE("private_array: private accesses are counted apart") {
  constexpr uint64_t n = 16, w = 4, slots = 8;
  const Buffer which{Space::kGlobal, 0, 4}, out{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(which, i);
    expected.write(out, i);
    for (uint64_t k = 0; k < slots; ++k)
      expected.branch(0, i / w, true);
    expected.branch(0, i / w, false);
    // entry: alloca get_global_id bitcast lifetime trunc br; condition: phi icmp br;
    // body: add mul zext gep store br; end: gep load and zext gep load gep store lifetime ret
    expected.workItem({6 + 3 * (slots + 1) + 6 * slots + 10});
    expected.gap(5); // and zext gep load gep: the load is private and no memory instruction
  }
  expected.privateAccesses = (slots + 1) * n;
  expected.markers = 2 * n; // begin and end of the array's lifetime
  expected.opcodes = {{"alloca", n},
                      {"call", 3 * n},
                      {"bitcast", n},
                      {"trunc", n},
                      {"br", n + (slots + 1) * n + slots * n},
                      {"phi", (slots + 1) * n},
                      {"icmp", (slots + 1) * n},
                      {"add", slots * n},
                      {"mul", slots * n},
                      {"zext", slots * n + n},
                      {"getelementptr", slots * n + 3 * n},
                      {"store", slots * n + n},
                      {"load", 2 * n},
                      {"and", n},
                      {"ret", n}};

  const KernelProfile &profile = referenceProfile("private_array");
  expected.check(profile);
  CHECK(referenceResult("private_array", "out") ==
        valuesFor(n, [](uint64_t i) { return (3 * i % slots + 1) * i; }));
  CHECK(profile.count("memory_footprint"_metric) == 2 * n);
  CHECK(profile.real("global_memory_address_entropy"_metric) == Approx(std::log2(2.0 * n)));
}

TEST_CASE("vector_select4: integer operations count by lanes") {
  constexpr uint64_t n = 8, w = 4;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, 4 * i, 4);
    expected.write(y, 4 * i, 4);
    // get_global_id gep load add mul icmp sext select gep store ret
    expected.workItem({11});
    expected.gap(6);
  }
  expected.opcodes = {{"call", 2 * n}, {"getelementptr", 2 * n},
                      {"load", n},     {"add", n},
                      {"mul", n},      {"icmp", n},
                      {"sext", n},     {"store", n},
                      {"ret", n}};
  expected.extraIntLanes =
      3 * 3 * n; // add, mul and icmp have four; a builtin that selects has none
  expected.simdWidths = {{1, 4 * n}, {4, 7 * n}};

  const KernelProfile &profile = referenceProfile("vector_select4");
  expected.check(profile);
  CHECK(referenceResult("vector_select4", "y") == valuesFor(4 * n, [](uint64_t i) {
          const double value = static_cast<double>(i) - 15;
          return value > 0 ? 3 * value : value - 1;
        }));
  CHECK(profile.count("int_ops"_metric) == 3 * 4 * n);
}

TEST_CASE("vector_middle3: vload3 reads three elements") {
  constexpr uint64_t n = 8, w = 4;
  const Buffer x{Space::kGlobal, 0, 4}, y{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, 3 * i, 3);
    expected.write(y, i);
    expected.workItem({6}); // get_global_id vload3 extractelement gep store ret
    expected.gap(2);
  }
  expected.opcodes = {
      {"call", 2 * n}, {"extractelement", n}, {"getelementptr", n}, {"store", n}, {"ret", n}};
  expected.simdWidths = {{1, 4 * n}, {3, 2 * n}};

  const KernelProfile &profile = referenceProfile("vector_middle3");
  expected.check(profile);
  CHECK(referenceResult("vector_middle3", "y") ==
        valuesFor(n, [](uint64_t i) { return 3 * i + 1; }));
  CHECK(profile.count("bytes_read_global"_metric) == 12 * n);
}

TEST_CASE("vector_from_half: two bytes are read for a float") {
  constexpr uint64_t n = 8, w = 4;
  const Buffer x{Space::kGlobal, 0, 2}, y{Space::kGlobal, 1, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    expected.read(x, i);
    expected.write(y, i);
    expected.workItem({6}); // get_global_id vload_half fmul gep store ret
    expected.gap(2);
  }
  expected.opcodes = {{"call", 2 * n}, {"fmul", n}, {"getelementptr", n}, {"store", n}, {"ret", n}};
  expected.fpMul = n; // of floats: the conversion is no arithmetic

  const KernelProfile &profile = referenceProfile("vector_from_half");
  expected.check(profile);
  CHECK(referenceResult("vector_from_half", "y") ==
        std::vector<double>{0, 1, 2, 4, 8, 16, 2048, -2});
  CHECK(profile.count("bytes_read_global"_metric) == 2 * n);
  CHECK(profile.count("fp_ops_f32"_metric) == n);
}

TEST_CASE("call_barrier: a segment ends inside a called function") {
  constexpr uint64_t n = 16, w = 8;
  const Buffer data{Space::kGlobal, 0, 4}, ring{Space::kLocal, 0, 4};
  Expected expected(n / w, w);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t l = i % w;
    expected.read(data, i);
    expected.write(ring, l);
    expected.read(ring, (l + 1) % w);
    expected.write(data, i);
    // kernel: get_global_id gep load add call; neighbour: get_local_id trunc and gep store |
    // barrier | add zext get_local_size urem gep load ret; kernel: shl store ret
    expected.workItem({5 + 5, 7 + 3});
    expected.gap(6); // add call get_local_id trunc and gep
    expected.gap(6); // barrier add zext get_local_size urem gep
    expected.gap(2); // ret shl
  }
  expected.opcodes = {{"call", 5 * n},  {"getelementptr", 3 * n},
                      {"load", 2 * n},  {"add", 2 * n},
                      {"trunc", n},     {"and", n},
                      {"zext", n},      {"urem", n},
                      {"store", 2 * n}, {"shl", n},
                      {"ret", 2 * n}};

  const KernelProfile &profile = referenceProfile("call_barrier");
  expected.check(profile);
  CHECK(referenceResult("call_barrier", "data") ==
        valuesFor(n, [](uint64_t i) { return 2 * (i / w * w + (i % w + 1) % w + 1); }));
  CHECK(profile.count("barriers_hit"_metric) == n);
}
