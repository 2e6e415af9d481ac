// What kernels do with control: barriers, calls, switches, and the shapes of NDRanges.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::literals;
using namespace aiwc::test;
using aiwc::profile::Histogram;
using aiwc::profile::KernelProfile;

namespace {

uint64_t occurrences(const Histogram &histogram) {
  uint64_t sum = 0;
  for (const auto &entry : histogram)
    sum += entry.second;
  return sum;
}

} // namespace

TEST_CASE("A work-item alone in its group hits its barriers") {
  // n items: n barriers, 2 n segments. The scratchpad is the same in every group.
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x) {
      local int l;
      l = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = l + 1;
    })",
                                     {"global=6", "local=1", "counters=6"});
  CHECK(kernel.values == std::vector<int>{1, 2, 3, 4, 5, 6});
  const auto n = static_cast<double>(kernel.profile.count("total_instruction_count"_metric));
  expect(kernel.profile, {{"work_groups", 6},
                          {"barriers_hit", 6},
                          {"barriers_per_instruction", 12 / n},
                          {"bytes_read_global", 24},
                          {"bytes_written_global", 24},
                          {"bytes_read_local", 24},
                          {"bytes_written_local", 24},
                          {"memory_footprint", 7},
                          {"footprint_bytes", 28}});
  CHECK(occurrences(kernel.profile.histograms.instructionsToBarrier) == 12);
}

TEST_CASE("Barriers in a loop are hit once per trip and work-item") {
  // s = 5 trips of two barriers by 2 groups of 8: 2 s barriers and 2 s + 1 segments a work-item.
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x, local int *l, int s) {
      int id = get_local_id(0), w = get_local_size(0), sum = 0;
      for (int i = 0; i < s; ++i) {
        l[id] = id + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += l[(id + 1) % w];
        barrier(CLK_LOCAL_MEM_FENCE);
      }
      x[get_global_id(0)] = sum;
    })",
                                     {"global=16", "local=8", "buffer=64", "scratch=32", "int=5"});
  CHECK(kernel.values ==
        std::vector<int>{15, 20, 25, 30, 35, 40, 45, 10, 15, 20, 25, 30, 35, 40, 45, 10});
  expect(kernel.profile, {{"barriers_hit", 16 * 10},
                          {"bytes_written_local", 4 * 16 * 5},
                          {"bytes_read_local", 4 * 16 * 5},
                          {"bytes_written_global", 4 * 16},
                          {"load_imbalance", 0}});
  CHECK(occurrences(kernel.profile.histograms.instructionsToBarrier) == 16 * 11);
}

TEST_CASE("Work-items stop at barriers deep in their calls and go on there") {
  // k -> top -> middle -> bottom twice: 5 returns and 3 barriers a work-item.
  const KernelRun kernel = runKernel(R"(
    __attribute__((noinline)) int bottom(local int *l, int i) {
      l[i] = i;
      barrier(CLK_LOCAL_MEM_FENCE);
      return l[3 - i];
    }
    __attribute__((noinline)) int middle(local int *l, int i) {
      int r = bottom(l, i);
      barrier(CLK_LOCAL_MEM_FENCE);
      return r + bottom(l, i);
    }
    __attribute__((noinline)) int top(local int *l, int i) { return middle(l, i) * 10; }
    kernel void k(global int *x) {
      local int l[4];
      x[get_global_id(0)] = top(l, get_local_id(0));
    })",
                                     {"global=8", "local=4", "buffer=32"});
  CHECK(kernel.values == std::vector<int>{60, 40, 20, 0, 60, 40, 20, 0});
  expect(kernel.profile, {{"barriers_hit", 24},
                          {"bytes_read_local", 64},
                          {"bytes_written_local", 64},
                          {"bytes_written_global", 32},
                          {"private_accesses", 0},
                          {"load_imbalance", 0}});
  CHECK(executed(kernel.profile, "ret") == 40);
  CHECK(occurrences(kernel.profile.histograms.instructionsToBarrier) == 32);
}

TEST_CASE("A kernel that calls a kernel") {
  // The called one exchanges neighbours through local memory: twice is not at all.
  const KernelRun kernel = runKernel(R"(
    kernel void exchange(global int *x, local int *l) {
      l[get_local_id(0)] = x[get_global_id(0)];
      barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = l[1 - get_local_id(0)];
    }
    kernel void k(global int *x, local int *l) {
      exchange(x, l);
      barrier(CLK_LOCAL_MEM_FENCE);
      exchange(x, l);
    })",
                                     {"global=4", "local=2", "counters=4", "scratch=8"});
  CHECK(kernel.values == std::vector<int>{0, 1, 2, 3});
  expect(kernel.profile, {{"barriers_hit", 3 * 4},
                          {"bytes_read_global", 2 * 16},
                          {"bytes_written_global", 2 * 16},
                          {"bytes_read_local", 2 * 16},
                          {"bytes_written_local", 2 * 16},
                          {"memory_footprint", 4 + 2}});
}

TEST_CASE("The barriers of OpenCL C 2.0 are barriers") {
  const KernelRun kernel =
      runKernel(R"(
    kernel void k(global int *x, local int *l) {
      l[get_local_id(0)] = get_global_id(0);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      x[get_global_id(0)] = l[3 - get_local_id(0)];
    })",
                {"options=-cl-std=CL2.0", "global=8", "local=4", "buffer=32", "scratch=16"});
  CHECK(kernel.values == std::vector<int>{3, 2, 1, 0, 7, 6, 5, 4});
  expect(kernel.profile, {{"barriers_hit", 8}});
}

TEST_CASE("A switch is one branch, executed once per passage") {
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x) {
      size_t i = get_global_id(0);
      int v = x[i];
      switch (v) {
      case 1: v = v * 3; break;
      case 2: v = v - 7; break;
      case 5: v = 100 / v; break;
      default: v = v ^ get_group_id(0); break;
      }
      x[i] = v;
    })",
                                     {"global=8", "local=4", "counters=8"});
  CHECK(kernel.values == std::vector<int>{0, 3, -5, 3, 5, 20, 7, 6});
  CHECK(executed(kernel.profile, "switch") == 8);
  expect(kernel.profile, {{"unique_branches", 1}, {"unique_branches_90", 1}});
  CHECK(kernel.profile.histograms.branchExecutions == Histogram{{8, 1}});
}

TEST_CASE("A switch over a few bits goes where the language says, under both engines") {
  // The compiler makes integers of two or three bits of them, and a comparison of the third. Bits
  // above those are set in most of the values.
  const std::string source = R"(
    kernel void k(global int *x) {
      uint i = get_global_id(0), v = i * 0x9e3779b9u, r = 0;
      switch (v & 3) {
      case 0: r += v / 7; break;
      case 1: r += v % 11; break;
      case 2: r ^= v * 5; break;
      case 3: r -= v / 3; break;
      }
      switch (v >> 29) {
      case 1: r *= 3; break;
      case 4: r /= 7; break;
      case 6: r ^= 99; break;
      default: r += 5;
      }
      switch ((v >> 8) & 3) {
      case 0: x[(i + 1) % 16] += 0;
      default: r += v >> 9;
      }
      uint m;
      if (v > 0x60000000u) {
        m = (v >> 5) & 7;
        r += 17;
      } else {
        m = (v * 3) & 7;
      }
      switch (m) {
      case 2: r += v * 3; break;
      case 5: r += v / 11; break;
      case 7: r += v % 9; break;
      default: r += v / 7;
      }
      x[i] = r;
    })";
  std::vector<int> expected;
  for (uint32_t i = 0; i < 16; ++i) {
    const uint32_t v = i * 0x9e3779b9u;
    uint32_t r = 0;
    const uint32_t low = v & 3, high = v >> 29;
    r = low == 0 ? v / 7 : low == 1 ? v % 11 : low == 2 ? v * 5 : -(v / 3);
    r = high == 1 ? r * 3 : high == 4 ? r / 7 : high == 6 ? r ^ 99 : r + 5;
    r += v >> 9;
    const bool isLarge = v > 0x60000000u;
    const uint32_t merged = isLarge ? v >> 5 & 7 : v * 3 & 7;
    r += isLarge ? 17 : 0;
    r += merged == 2 ? v * 3 : merged == 5 ? v / 11 : merged == 7 ? v % 9 : v / 7;
    expected.push_back(static_cast<int>(r));
  }
  const Words words = {"global=16", "buffer=64"};
  const KernelRun kernel = runKernel(source, words);
  CHECK(kernel.values == expected);
  // The first, the second and the last are switches; the third is a branch. Of a work-item, each is
  // executed once; the hash of a binary does not tell that its code was corrected.
  CHECK(executed(kernel.profile, "switch") == 3 * 16);
  std::string line;
  for (const int value : expected)
    line += std::to_string(value) + " ";
  const Characterised compiled =
      characterise(KernelFile(source).enqueue(words), {"--aiwc-engine=compiled"}).succeeded();
  CHECK(compiled["k_0"].provenance.engine == "compiled");
  CHECK(compiled.outcome.out.find(line.substr(0, line.size() - 1)) != std::string::npos);
  CHECK(compiled["k_0"].histograms.opcodes == kernel.profile.histograms.opcodes);
}

TEST_CASE("In OpenCL C, a return before a barrier is reported with the line of the barrier") {
  const KernelFile file(R"(kernel void k(global int *x, local int *l) {
  const int i = get_global_id(0);
  if (i >= 12) // in the second group, four of eight
    return;
  l[get_local_id(0)] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = l[get_local_id(0) ^ 1];
})");
  for (const char *engine : {"--aiwc-engine=interpreter", "--aiwc-engine=compiled"}) {
    const Characterised run =
        characterise(file.enqueue({"global=16", "local=8", "buffer=64", "scratch=32"}), {engine})
            .succeeded();
    CHECK(run.outcome.out.starts_with("1 0 3 2 5 4 7 6 9 8 11 10 0 0 0 0"));
    CHECK(run.outcome.err.find("Work-group divergence detected (barrier)") != std::string::npos);
    CHECK(run.outcome.err.find("Only 4 out of 8 work-items executed barrier") != std::string::npos);
    CHECK(run.outcome.err.find("At line 6 (column 3)") != std::string::npos);
    CHECK(run["k_0"].simulatorErrors == 1);
  }
}

TEST_CASE("A kernel without memory and without arguments has a profile") {
  const Characterised result =
      characterise(KernelFile("kernel void k() {}").enqueue({"global=4"}), {"--inst-counts"})
          .succeeded();
  const KernelProfile &profile = result["k_0"];
  CHECK(profile.complete);
  expect(profile, {{"total_instruction_count", 4}, // the returns
                   {"total_reads", 0},
                   {"total_writes", 0},
                   {"memory_footprint", 0},
                   {"footprint_bytes", 0},
                   {"global_memory_address_entropy", 0},
                   {"unique_branches", 0},
                   {"ipt_max", 1}});
  CHECK(executed(profile, "ret") == 4);
}

TEST_CASE("The last work-group of a dimension may be smaller") {
  SECTION("in one dimension") {
    // 10 = 4 + 4 + 2 work-items
    const KernelRun kernel =
        runKernel("kernel void k(global int *x) { x[get_global_id(0)] = get_local_size(0); }",
                  {"options=-cl-std=CL2.0", "global=10", "local=4", "buffer=40"});
    CHECK(kernel.values == std::vector<int>{4, 4, 4, 4, 4, 4, 4, 4, 2, 2});
    expect(kernel.profile, {{"work_items", 10},
                            {"work_groups", 3},
                            {"work_group_size", 4},
                            {"granularity", 0.1},
                            {"bytes_written_global", 40}});
  }
  SECTION("in two dimensions, with barriers") {
    // 5 x 3 in groups of 2 x 2: 3 x 2 groups of 4, 4, 2 and 2, 2, 1. Every work-item reads what
    // the last one of its group wrote.
    const KernelRun kernel =
        runKernel(R"(
      kernel void k(global int *x, local int *l) {
        size_t id = get_local_id(0) + get_local_id(1) * get_local_size(0);
        size_t n = get_local_size(0) * get_local_size(1);
        l[id] = id + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        x[get_global_id(0) + 5 * get_global_id(1)] = l[n - 1];
      })",
                  {"options=-cl-std=CL2.0", "global=5,3", "local=2,2", "buffer=60", "scratch=16"});
    CHECK(kernel.values == std::vector<int>{4, 4, 4, 4, 2, 4, 4, 4, 4, 2, 2, 2, 2, 2, 1});
    expect(kernel.profile, {{"work_items", 15},
                            {"work_groups", 6},
                            {"barriers_hit", 15},
                            {"bytes_read_local", 60},
                            {"bytes_written_local", 60},
                            {"unique_writes", 15 + 4}});
    CHECK(occurrences(kernel.profile.histograms.instructionsPerThread) == 15);
  }
}

TEST_CASE("A work-group of a thousand work-items") {
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x, local int *l) {
      size_t id = get_local_id(0);
      l[id] = id;
      barrier(CLK_LOCAL_MEM_FENCE);
      x[id] = l[1023 - id];
    })",
                                     {"global=1024", "local=1024", "buffer=4096", "scratch=4096"});
  expect(kernel.profile, {{"work_groups", 1},
                          {"work_group_size", 1024},
                          {"barriers_hit", 1024},
                          {"memory_footprint", 2048},
                          {"footprint_bytes", 8192},
                          {"total_reads", 1024},
                          {"total_writes", 2048}});
}
