// OpenCL C 2.0 and 3.0: each kernel leaves what its definition says, under both engines, from
// source and from SPIR-V.

#include "common/half_precision.h"
#include "opencl/program.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

using namespace aiwc::test;

TEST_CASE("a generic pointer leads to the memory that its value came from") {
  const std::string source = R"(
    int at(const int *p, int i) { return p[i]; }
    kernel void k(global int *out) {
      local int shared[16];
      const int g = get_global_id(0), l = get_local_id(0);
      int own[2] = {1000 + g, 2000 + g};
      shared[l] = 3000 + l;
      out[g] = 4000 + g;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      const int *from = g % 3 == 0 ? (const int *)own
                      : g % 3 == 1 ? (const int *)(shared + (l & ~1)) : (const int *)(out + g);
      out[g] = at(from, g % 3 == 2 ? 0 : 1);
    })";
  CHECK(resultOfAll(source) == listOf(64, [](int g) {
          const int l = g % 16;
          return g % 3 == 0 ? 2000 + g : g % 3 == 1 ? 3000 + (l & ~1) + 1 : 4000 + g;
        }));
}

TEST_CASE("vectors are read and written through pointers of each address space") {
  const std::string source = R"(
    constant int table[4] = {1, 20, 300, 4000};
    kernel void k(global int *out, global int *more) {
      local int shared[64];
      const int g = get_global_id(0), l = get_local_id(0);
      int own[4];
      vstore4((int4)(g, 2 * g, 3 * g, 4 * g), 0, own);
      vstore4(vload4(0, own), l, shared);
      barrier(CLK_LOCAL_MEM_FENCE);
      const int4 there = vload4((l + 1) % 16, shared) + vload4(0, table);
      vstore2(there.xy, g, more);
      vstore2(there.zw, g, more + 128);
      ushort parts[2];
      vstore_half(1.5f, 1, (half *)parts);
      const int2 first = vload2(g, more), second = vload2(g, more + 128);
      out[g] = first.x + first.y + second.x + second.y + (int)(2 * vload_half(1, (half *)parts));
    })";
  Launch launch;
  launch.arguments = "<size=1024 int fill=0>\n";
  CHECK(resultOfAll(source, launch) == listOf(64, [](int g) {
          const int neighbour = g - g % 16 + (g % 16 + 1) % 16;
          return 10 * neighbour + 4321 + 3;
        }));
}

TEST_CASE("a generic pointer says which memory it leads to") {
  const std::string source = R"(
    int kind(int *p) {
      return (to_global(p) ? 1 : 0) + (to_local(p) ? 2 : 0) + (to_private(p) ? 4 : 0) +
             (get_fence(p) == CLK_LOCAL_MEM_FENCE ? 8 : 0);
    }
    kernel void k(global int *out) {
      local int shared[16];
      const int g = get_global_id(0);
      int own = g;
      shared[get_local_id(0)] = g;
      int *pointers[3] = {out + g, shared + get_local_id(0), &own};
      out[g] = kind(pointers[g % 3]) + 100 * kind(&own);
    })";
  const int kinds[] = {1, 2 + 8, 4};
  CHECK(resultOfAll(source) == listOf(64, [&](int g) { return kinds[g % 3] + 400; }));
}

TEST_CASE("reductions and scans of a work-group are those of its values") {
  const std::string source = R"(
    kernel void k(global int *out, global int *more) {
      const int g = get_global_id(0), n = get_global_size(0);
      const int x = (g * 7) % 11 - 5;
      out[g] = work_group_reduce_add(x);
      more[g] = work_group_reduce_min(x) + 100 * work_group_reduce_max(x);
      more[n + g] = work_group_scan_inclusive_add(x);
      more[2 * n + g] = work_group_scan_exclusive_add(x);
      more[3 * n + g] = work_group_scan_inclusive_max(x) + 100 * work_group_scan_inclusive_min(x);
    })";
  // Sizes of groups: powers of two, odd ones, and a single work-item.
  for (const int local : {16, 7, 1, 32}) {
    const int global = local * 3;
    Launch launch;
    launch.global = std::to_string(global) + " 1 1";
    launch.local = std::to_string(local) + " 1 1";
    launch.arguments = "<size=" + std::to_string(global * 16) + " int fill=0 dump>\n";
    const auto x = [](int g) { return (g * 7) % 11 - 5; };
    const auto first = [&](int g) { return g - g % local; };
    CHECK(resultOf(source, launch) == listOf(global, [&](int g) {
            int sum = 0;
            for (int i = first(g); i < first(g) + local; ++i)
              sum += x(i);
            return sum;
          }));
    const std::vector<double> more = dumpedBuffer(runProgram(source, launch, true), "more");
    REQUIRE(more.size() == static_cast<size_t>(4 * global));
    for (int g = 0; g < global; ++g) {
      std::vector<int> group = listOf(local, [&](int i) { return x(first(g) + i); });
      const auto upTo = group.begin() + g % local + 1;
      const auto [least, most] = std::minmax_element(group.begin(), group.end());
      CHECK(more[static_cast<size_t>(g)] == *least + 100 * *most);
      CHECK(more[static_cast<size_t>(global + g)] == std::accumulate(group.begin(), upTo, 0));
      CHECK(more[static_cast<size_t>(2 * global + g)] ==
            std::accumulate(group.begin(), upTo - 1, 0));
      const auto [leastSoFar, mostSoFar] = std::minmax_element(group.begin(), upTo);
      CHECK(more[static_cast<size_t>(3 * global + g)] == *mostSoFar + 100 * *leastSoFar);
    }
  }
}

TEST_CASE("the first of an exclusive scan is what changes nothing") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int least = work_group_scan_exclusive_max((int)get_local_id(0));
      const int most = work_group_scan_exclusive_min((int)get_local_id(0));
      const float low = work_group_scan_exclusive_max((float)get_local_id(0));
      out[get_global_id(0)] = get_local_id(0) != 0 ? least * 10 + most
                              : (least == INT_MIN) + (most == INT_MAX) * 2 + (low == -INFINITY) * 4;
    })";
  CHECK(resultOfAll(source) == listOf(64, [](int g) { return g % 16 ? (g % 16 - 1) * 10 : 7; }));
}

TEST_CASE("functions of a work-group have values of every type") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int l = get_local_id(0);
      const long wide = work_group_reduce_add((long)l << 40) >> 40;
      const ulong large = work_group_reduce_max(ULONG_MAX - l);
      const uint high = work_group_reduce_max(UINT_MAX - (uint)l);
      const float real = work_group_reduce_add(0.5f * l);
      const double precise = work_group_scan_inclusive_add((double)l);
      out[get_global_id(0)] = wide == 120 && large == ULONG_MAX && high == UINT_MAX && real == 60.0f &&
                              precise == l * (l + 1) / 2;
    })";
  CHECK(resultOfAll(source) == std::vector<int>(64, 1));
}

TEST_CASE("a broadcast takes the value of the work-item that it names") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int id = get_global_linear_id(), local_id = get_local_linear_id();
      const int x = 100 * (int)get_group_id(0) + local_id;
      out[id] = work_group_broadcast(x, 1, 2);
    })";
  Launch launch;
  launch.global = "8 4 1";
  launch.local = "4 4 1";
  CHECK(resultOfAll(source, launch) ==
        listOf(32, [](int id) { return 100 * (id % 8 / 4) + 2 * 4 + 1; }));
}

TEST_CASE("all and any ask the whole work-group") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      out[g] = (work_group_any(g == 20) ? 1 : 0) + (work_group_all(g != 20) ? 2 : 0) +
               (work_group_all(g < 32) ? 4 : 0) + (work_group_any(g >= 32) ? 8 : 0);
    })";
  CHECK(resultOfAll(source) ==
        listOf(64, [](int g) { return (g / 16 == 1 ? 1 : 2) + (g < 32 ? 4 : 8); }));
}

TEST_CASE("variables of a program and C11's atomics count every work-item") {
  const std::string source = R"(
    global atomic_int tickets = ATOMIC_VAR_INIT(7);
    kernel void k(global int *out) {
      out[get_global_id(0)] = atomic_fetch_add_explicit(&tickets, 2, memory_order_relaxed);
    })";
  std::vector<int> tickets = resultOfAll(source);
  std::sort(tickets.begin(), tickets.end());
  CHECK(tickets == listOf(64, [](int i) { return 7 + 2 * i; }));
}

TEST_CASE("atomic functions of every kind do what they are called") {
  const std::string source = R"(
    kernel void k(global int *out) {
      local atomic_int sum, least, bits, chain;
      local atomic_uint most;
      local atomic_long wide;
      local atomic_flag flag;
      const int l = get_local_id(0);
      if (l == 0) {
        atomic_init(&sum, 0); atomic_init(&least, 1000); atomic_init(&bits, 0);
        atomic_init(&chain, 0); atomic_init(&most, 0u); atomic_init(&wide, 0L);
        atomic_flag_clear(&flag);
      }
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      atomic_fetch_add(&sum, l);
      atomic_fetch_sub_explicit(&sum, 1, memory_order_acq_rel, memory_scope_work_group);
      atomic_fetch_min(&least, 50 - l);
      atomic_fetch_max(&most, 0x80000000u + l);
      atomic_fetch_or(&bits, 1 << l);
      atomic_fetch_add(&wide, 1L << 33);
      int seen = atomic_load(&chain);
      while (!atomic_compare_exchange_strong(&chain, &seen, seen + 3));
      const int won = !atomic_flag_test_and_set(&flag);
      atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, memory_scope_work_group);
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = (atomic_load(&sum) == 120 - 16) + (atomic_load(&least) == 35) * 2 +
        (atomic_load(&most) == 0x8000000fu) * 4 + (atomic_load(&bits) == 0xffff) * 8 +
        (atomic_load(&wide) == 16L << 33) * 16 + (atomic_load(&chain) == 48) * 32 +
        won * 1000;
    })";
  std::vector<int> result = resultOfAll(source);
  for (int group = 0; group < 4; ++group) {
    const auto begin = result.begin() + group * 16;
    CHECK(std::count(begin, begin + 16, 63) == 15);
    CHECK(std::count(begin, begin + 16, 1063) == 1); // took the flag
  }
}

TEST_CASE(
    "atomic functions take real numbers") { // llvm-spirv does not write these exchanges as SPIR-V
  const std::string source = R"(
    kernel void k(global int *out) {
      local atomic_float chain, sum;
      local atomic_double last;
      if (get_local_id(0) == 0) {
        atomic_init(&chain, 0.0f); atomic_init(&sum, 0.0f); atomic_init(&last, 0.0);
      }
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      float old = atomic_load_explicit(&chain, memory_order_relaxed);
      while (!atomic_compare_exchange_weak(&chain, &old, old + 0.5f));
      atomic_fetch_add_explicit(&sum, 0.25f, memory_order_relaxed);
      const double before = atomic_exchange(&last, 1.0 + get_local_id(0));
      work_group_barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = (atomic_load(&chain) == 8.0f) + (atomic_load(&sum) == 4.0f) * 2 +
                              (before >= 0 && before <= 16) * 4;
    })";
  CHECK(resultOf(source) == std::vector<int>(64, 7));
}

TEST_CASE("work-items wait for copies into local memory") {
  const std::string source = R"(
    kernel void k(global int *out, global const int *in) {
      local int tile[16];
      event_t copied = async_work_group_copy(tile, in + get_group_id(0) * 16, 16, 0);
      wait_group_events(1, &copied);
      out[get_global_id(0)] = tile[15 - get_local_id(0)];
    })";
  Launch launch;
  launch.arguments = "<size=256 int range=0:1:63>\n";
  CHECK(resultOfAll(source, launch) == listOf(64, [](int g) { return g / 16 * 16 + 15 - g % 16; }));
}

TEST_CASE("a kernel has not the local memory of those whose names begin with its own") {
  const std::string source = R"(
    kernel void k(global int *out) {
      local int tile[5000];
      tile[get_local_id(0)] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      out[get_global_id(0)] = tile[15 - get_local_id(0)];
    }
    kernel void k_of_any_size(global int *out) {
      local int tile[5000];
      out[0] = tile[out[1]];
    }
    kernel void k2(global int *out) {
      local int tile[5000];
      out[0] = tile[out[1]];
    })";
  CHECK(resultOf(source) == listOf(64, [](int g) { return g / 16 * 16 + 15 - g % 16; }));
}

TEST_CASE("the last work-group may be smaller") {
  const std::string source = R"(
    kernel void k(global int *out) {
      out[get_global_id(0)] = 100 * (int)get_local_size(0) + (int)get_enqueued_local_size(0) +
                              10000 * work_group_reduce_add(1);
    })";
  Launch launch;
  launch.global = "70 1 1";
  CHECK(resultOfAll(source, launch) == listOf(70, [](int g) {
          const int size = g < 64 ? 16 : 6;
          return 10000 * size + 100 * size + 16;
        }));
}

TEST_CASE("a program that is compiled and linked in two steps is lowered when it is linked") {
  const std::string source = R"(
    int twice(int *p) { return 2 * *p; }
    kernel void k(global int *out) {
      local int shared[16];
      shared[get_local_id(0)] = get_global_id(0);
      out[get_global_id(0)] = twice(shared + get_local_id(0)) + work_group_reduce_add(1);
    })";
  Launch launch;
  launch.mode = "link";
  const std::vector<int> expected = listOf(64, [](int g) { return 2 * g + 16; });
  CHECK(resultOf(source, launch) == expected);
  CHECK(resultOf(spirvOf(source), launch) == expected);
}

TEST_CASE("a variable of one program, declared extern in another") {
  Launch launch;
  launch.mode = "link";
  const std::string use = "extern global int start; extern constant int stride;\n"
                          "kernel void k(global int *out) {\n"
                          "  out[get_global_id(0)] = start + stride * get_global_id(0);\n"
                          "}\n";
  const std::string definition = "global int start = 7; constant int stride = 3;\n";
  CHECK(resultOf(use + "//---\n" + definition, launch) ==
        listOf(64, [](int i) { return 7 + 3 * i; }));
  // Without its definition, the link fails, or the build.
  for (const char *mode : {"link", ""}) {
    launch.mode = mode;
    const Simulation simulation = runProgram(use, launch, true);
    CHECK(simulation.status == 1);
    CHECK_THAT(simulation.errors,
               Catch::Matchers::Contains("error: variable 'start' is declared extern only"));
  }
}

TEST_CASE("null pointers that are constants, in the generic address space") {
  CHECK(resultOfAll("int of(int *p) { return p ? *p : 5; }\n"
                    "kernel void k(global int *out) {\n"
                    "  int own = 3;\n"
                    "  local int shared;\n"
                    "  shared = 4;\n"
                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "  const int i = get_global_id(0);\n"
                    "  int *p = i % 3 == 0 ? (int *)(global int *)0 : i % 3 == 1 ? (int *)&own : "
                    "(int *)&shared;\n"
                    "  local int *none = 0;\n"
                    "  out[i] = of(p) * 10 + (p == (int *)none) + 2 * ((int *)none == NULL);\n"
                    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                    "}") == listOf(64, [](int i) {
          return (i % 3 == 0 ? 50 : i % 3 == 1 ? 30 : 40) + (i % 3 == 0 ? 1 : 0) + 2;
        }));
}

TEST_CASE("a list whose links are generic ends at null") {
  // Each work-item walks a list of its own, through private, local and global memory.
  CHECK(resultOfAll(R"(
    typedef struct Node { int value; struct Node *next; } Node;
    int sum(const Node *node) {
      int total = 0;
      for (; node != NULL; node = node->next)
        total += node->value;
      return total;
    }
    kernel void k(global int *out, global Node *nodes) {
      local Node shared[16];
      const int g = get_global_id(0), l = get_local_id(0);
      Node own[2];
      own[0].value = 1000 * g;
      own[0].next = g % 4 == 0 ? NULL : &own[1];
      own[1].value = 1;
      own[1].next = g % 4 == 1 ? (Node *)0 : (Node *)&shared[l];
      shared[l].value = 20;
      shared[l].next = g % 4 == 2 ? NULL : (Node *)&nodes[g];
      nodes[g].value = 300;
      nodes[g].next = NULL;
      out[g] = sum(own) + (g % 2 ? sum(NULL) : 0);
    })",
                    [] {
                      Launch launch;
                      launch.arguments = "<size=1024 int fill=0>\n";
                      return launch;
                    }()) == listOf(64, [](int g) {
          const int tails[] = {0, 1, 21, 321};
          return 1000 * g + tails[g % 4];
        }));
}

TEST_CASE("generic pointers are compared, subtracted and moved like those that they came from") {
  CHECK(resultOfAll(R"(
    int *find(int *first, int *last, int value) {
      while (first != last && *first != value)
        ++first;
      return first;
    }
    void add(int *p, int n) { *p += n; }
    kernel void k(global int *out) {
      local int shared[16];
      const int g = get_global_id(0), l = get_local_id(0);
      int own[8];
      for (int i = 0; i < 8; ++i)
        own[i] = 10 * i;
      shared[l] = l;
      out[g] = 0;
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      int *begins[2] = {own, shared};
      int *begin = begins[g & 1];
      int *end = g & 1 ? (int *)shared + 16 : (int *)own + 8;
      int *found = find(begin, end, g & 1 ? l : 10 * (g % 10));
      add(out + g, found - begin);
      add(&out[g], 100 * (found < end) + 1000 * (found == end) + 10000 * (end[-1] == *(end - 1)));
      add(g & 2 ? (int *)(out + g) : (int *)own, 100000);
    })") == listOf(64, [](int g) {
          const int at = g & 1 ? g % 16 : g % 10 < 8 ? g % 10 : 8;
          const bool isFound = (g & 1) || at < 8;
          return at + (isFound ? 100 : 1000) + 10000 + (g & 2 ? 100000 : 0);
        }));
}

TEST_CASE("components of vectors are stored in a buffer that is only written") {
  const std::string source = R"(
    kernel void k(global int *out, global int4 *some) {
      const int g = get_global_id(0);
      some[g].xyz = (int3)(g, 2 * g, 3 * g);
      some[g].w = -g;
      if (g % 2)
        some[g].yzw = (int3)(1, 2, 3);
    })";
  for (const std::string options : {"", "-cl-std=CL2.0"}) {
    Launch launch;
    launch.options = options;
    launch.arguments = "<size=1024 int wo fill=0 dump>\n";
    for (const bool compiled : {false, true}) {
      const Simulation simulation = runProgram(source, launch, compiled);
      CHECK(simulation.errors.empty());
      const std::vector<int> expected = listOf(256, [](int i) {
        const int g = i / 4, component = i % 4;
        const int first = component == 3 ? -g : (component + 1) * g;
        return component > 0 && g % 2 ? component : first;
      });
      CHECK(dumpedBuffer(simulation, "some") ==
            std::vector<double>(expected.begin(), expected.end()));
    }
  }
}

TEST_CASE("an access through a generic pointer that is null, or beyond its memory, is reported") {
  const auto errors = [](const std::string &source, bool compiled) {
    return runProgram(source, {}, compiled).errors;
  };
  for (const bool compiled : {false, true}) {
    CHECK_THAT(errors("int of(int *p) { return *p; }\n"
                      "kernel void k(global int *out) {\n"
                      "  int own = 3;\n"
                      "  int *const pointers[2] = {&own, NULL}; // the compiler knows of no null\n"
                      "  out[get_global_id(0)] = of(pointers[get_global_id(0) == 7 + out[0]]);\n"
                      "}",
                      compiled),
               Catch::Matchers::Contains("Invalid read of size 4"));
    CHECK_THAT(errors("int of(int *p, int i) { return p[i]; }\n"
                      "kernel void k(global int *out) {\n"
                      "  local int shared[16];\n"
                      "  const int l = get_local_id(0);\n"
                      "  shared[l] = l;\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  out[get_global_id(0)] = of(l == 3 ? (int *)out : (int *)shared, l + 1);\n"
                      "}",
                      compiled),
               Catch::Matchers::Contains("Invalid read of size 4 at local memory address"));
  }
}

TEST_CASE("pipes and kernels that enqueue kernels are refused by name") {
  const auto refusal = [](const std::string &source) {
    const Simulation simulation = runProgram(source, {}, true);
    CHECK(simulation.status == 1);
    return simulation.errors;
  };
  CHECK(refusal("kernel void k(global int *out, read_only pipe int p) { read_pipe(p, out); }") ==
        "input.cl:1: error: kernel 'k' uses pipes (__read_pipe_2), which the simulator has not\n\n"
        "clBuildProgram failed with -11\n");
  CHECK(refusal("kernel void k(global int *out) {\n"
                "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n"
                "                 ^{ out[0] = 1; });\n"
                "}") == "input.cl:2: error: kernel 'k' uses kernels that enqueue kernels "
                        "(get_default_queue), which the simulator has not\n\n"
                        "clBuildProgram failed with -11\n");
}

TEST_CASE("a build log names the lines of the program, whatever is declared before") {
  for (const std::string version : {"1.2", "2.0", "3.0"}) {
    INFO(version);
    Launch launch;
    launch.options = "-cl-std=CL" + version;
    const Simulation simulation = runProgram("kernel void k(global int *out) {\n"
                                             "#warning careful\n"
                                             "  out[0] = missing;\n"
                                             "}",
                                             launch, true);
    CHECK(simulation.status == 1);
    CHECK_THAT(simulation.errors, Catch::Matchers::Contains("input.cl:2:2: warning:") &&
                                      Catch::Matchers::Contains("input.cl:3:12: error:"));
  }
}

TEST_CASE("the device says what the simulator has") {
  Launch launch;
  launch.mode = "device";
  const std::string source = "kernel void k(global int *out) { out[0] = 1; }";
  const std::string same = "SPIR-V_1.0 SPIR-V_1.1 SPIR-V_1.2 SPIR-V_1.3 SPIR-V_1.4\n"
                           "generic 1, groups 1, pipes 0, queues 0, coarse 1, sub-groups 32\n"
                           "cl_khr_il_program 1\ncl_khr_subgroups ";
  const std::string sizes = "32 3 \n"; // of 70 work-items
  CHECK(runProgram(source, launch, true).output ==
        "OpenCL 1.2 (Oclgrind 21.10)\nOpenCL 1.2 (Oclgrind 21.10)\n3\n" + same + "0\n\n" + sizes);
  launch.environment = {{"AIWC_OPENCL", "3.0"}};
  CHECK(runProgram(source, launch, true).output ==
        "OpenCL 3.0 (Oclgrind 21.10)\nOpenCL 3.0 (Oclgrind 21.10)\n3\n" + same +
            "1\nballot clustered_reduce extended_types non_uniform_arithmetic non_uniform_vote "
            "rotate shuffle shuffle_relative \n" +
            sizes);
  launch.environment = {{"PATH", "/nowhere"}}; // without llvm-spirv
  CHECK(runProgram(source, launch, true).output.find("3\n\ngeneric 1") != std::string::npos);
}

TEST_CASE("a program that uses nothing of OpenCL 2 has the code of OpenCL C 1.2") {
  const std::string source = R"(
    kernel void k(global int *out) { out[get_global_id(0)] = get_global_id(0) * 3; })";
  Launch old;
  old.options = "";
  const auto codeOf = [&](const Launch &launch) {
    return runProgram(source, launch, true).profiles.front().profile.provenance.codeHash;
  };
  CHECK(codeOf(old) == codeOf({}));
}

TEST_CASE("half precision") {
  const std::string source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : enable
    constant half table[4] = {0.5h, 1.5h, -2.0h, 3.0h};
    half squared(const half *x) { return *x * *x; }
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      half own = (half)g * 0.25h;
      const half4 v = fma((half4)(own, table[g & 3], 1.0h, own), (half4)own, (half4)(0.125h));
      half sum = squared(&own) + fmax(v.y, v.z) - sqrt(own);
      for (int i = 0; i < 3; ++i)
        sum = sum / 3.0h + (sum > 2.0h ? v.x : v.w);
      out[g] = as_short(sum) + convert_short_sat(v.x * 1000.0h);
    })";
  const auto rounded = [](double x) { return aiwc::fromHalf(aiwc::toHalf(x)); };
  CHECK(resultOfAll(source) == listOf(64, [&](int g) {
          const double table[] = {0.5, 1.5, -2, 3}, own = g * 0.25;
          const double x = rounded(own * own + 0.125);
          const double y = rounded(table[g & 3] * own + 0.125), z = rounded(own + 0.125);
          double sum =
              rounded(rounded(rounded(own * own) + std::max(y, z)) - rounded(std::sqrt(own)));
          for (int i = 0; i < 3; ++i)
            sum = rounded(rounded(sum / 3) + x);
          return static_cast<int16_t>(aiwc::toHalf(sum)) +
                 static_cast<int16_t>(std::min(rounded(x * 1000), 32767.0)); // towards 0
        }));
}

TEST_CASE("dot products of integers") {
  const std::string source = R"(
    kernel void k(global int *out) {
      const int g = get_global_id(0);
      const uint p = 0x80ff7f01u * (g + 1), q = 0xfe03c281u ^ (g * 0x01020304u);
      const char4 a = as_char4(p), b = as_char4(q);
      const uchar4 c = as_uchar4(p), d = as_uchar4(q);
      const int results[] = {
          dot(a, b), (int)dot(c, d), dot(a, d), dot(c, b), dot_acc_sat(a, b, 0x7fffff00),
          (int)dot_acc_sat(c, d, 0xffffff00u), dot_acc_sat(a, d, g), dot_acc_sat(c, b, -0x7fffff00)};
      const int packed[] = {
          dot_4x8packed_ss_int(p, q), (int)dot_4x8packed_uu_uint(p, q), dot_4x8packed_su_int(p, q),
          dot_4x8packed_us_int(p, q), dot_acc_sat_4x8packed_ss_int(p, q, 0x7fffff00),
          (int)dot_acc_sat_4x8packed_uu_uint(p, q, 0xffffff00u),
          dot_acc_sat_4x8packed_su_int(p, q, g), dot_acc_sat_4x8packed_us_int(p, q, -0x7fffff00)};
      int hash = 0;
      for (int i = 0; i < 8; ++i)
        hash = hash * 31 + (results[i] == packed[i] ? results[i] : i);
      out[g] = hash;
    })";
  for (const char *version : {"CL2.0", "CL3.0"}) {
    Launch launch;
    launch.options = std::string("-cl-std=") + version;
    CHECK(resultOf(source, launch) == listOf(64, [](int g) {
            const auto item = static_cast<uint32_t>(g);
            const uint32_t p = 0x80ff7f01U * (item + 1), q = 0xfe03c281U ^ (item * 0x01020304U);
            const auto dot = [&](bool isSignedA, bool isSignedB, int64_t more, int64_t least,
                                 int64_t most) {
              int64_t sum = 0;
              for (unsigned i = 0; i < 32; i += 8) {
                const auto a = static_cast<uint8_t>(p >> i), b = static_cast<uint8_t>(q >> i);
                sum += int64_t{isSignedA ? static_cast<int8_t>(a) : a} *
                       (isSignedB ? static_cast<int8_t>(b) : b);
              }
              return static_cast<uint32_t>(std::clamp(sum + more, least, most));
            };
            constexpr int64_t kMost = 0x7fffffff, kLeast = -kMost - 1, kAll = 0xffffffff;
            const uint32_t results[] = {dot(true, true, 0, kLeast, kMost),
                                        dot(false, false, 0, 0, kAll),
                                        dot(true, false, 0, kLeast, kMost),
                                        dot(false, true, 0, kLeast, kMost),
                                        dot(true, true, 0x7fffff00, kLeast, kMost),
                                        dot(false, false, 0xffffff00, 0, kAll),
                                        dot(true, false, g, kLeast, kMost),
                                        dot(false, true, -0x7fffff00, kLeast, kMost)};
            uint32_t hash = 0;
            for (const uint32_t result : results)
              hash = hash * 31 + result;
            return hash;
          }));
  }
}
