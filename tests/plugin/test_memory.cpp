// What kernels do with memory: n work-items, the accesses they make and the bytes these move.

#include "plugin/characterise.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Constant memory is told apart, whether a table of the program or an argument") {
  // Each work-item reads 4 bytes of the table, of the constant and of the global argument.
  const KernelRun kernel = runKernel(R"(
    constant int table[4] = {3, 1, 4, 1};
    kernel void k(constant int *c, global int *g, global int *x) {
      size_t i = get_global_id(0);
      x[i] = table[i] + c[i] + g[i];
    })",
                                     {"global=4", "counters=4", "counters=4", "buffer=16"});
  CHECK(kernel.values == std::vector<int>{3, 3, 8, 7});
  expect(kernel.profile, {{"bytes_read_constant", 32},
                          {"bytes_read_global", 16},
                          {"bytes_written_global", 16},
                          {"total_reads", 12},
                          {"memory_footprint", 16}});
}

TEST_CASE("Constant memory behind a branch is constant memory") {
  // The load is the first instruction of its block; half of the work-items get there.
  const KernelRun kernel = runKernel(R"(
    kernel void k(constant int *c, global int *x) {
      size_t i = get_global_id(0);
      if (i & 1)
        x[i] = *c;
    })",
                                     {"global=8", "local=4", "counters=1", "counters=8"});
  CHECK(kernel.values == std::vector<int>{0, 0, 2, 0, 4, 0, 6, 0});
  expect(
      kernel.profile,
      {{"bytes_read_constant", 4 * 4}, {"bytes_read_global", 0}, {"bytes_written_global", 4 * 4}});
}

TEST_CASE("Atomics are a read and a write each") {
  SECTION("in global and local memory") {
    // 2 groups of 4: an increment of the local counter each; per group one addition to the global.
    const KernelRun kernel = runKernel(R"(
      kernel void k(global int *x) {
        local int l;
        if (get_local_id(0) == 0)
          l = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        atomic_inc(&l);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0)
          atomic_add(x, l);
      })",
                                       {"global=8", "local=4", "buffer=4"});
    CHECK(kernel.values == std::vector<int>{8});
    expect(kernel.profile, {{"bytes_read_global", 4 * 2},
                            {"bytes_written_global", 4 * 2},
                            {"bytes_read_local", 4 * (8 + 2)},
                            {"bytes_written_local", 4 * (8 + 2)},
                            {"memory_footprint", 2}});
  }
  SECTION("but a compare-and-exchange that fails writes nothing") {
    const KernelRun kernel = runKernel(R"(
      kernel void k(global int *x) { atomic_cmpxchg(x, 0, 1 + (int)get_global_id(0)); })",
                                       {"global=8", "local=8", "buffer=4"});
    CHECK(kernel.values == std::vector<int>{1});
    expect(kernel.profile, {{"total_reads", 8}, {"total_writes", 1}, {"memory_footprint", 1}});
  }
  SECTION("whatever they do") {
    const KernelRun kernel = runKernel(R"(
      kernel void k(global int *x, global unsigned *u) {
        int i = get_global_id(0);
        atomic_min(x, -i); atomic_max(u, i); atomic_and(x + 1, i); atomic_or(x + 2, i);
        atomic_xor(x + 3, i); atomic_sub(x + 4, i); atomic_xchg(x + 5, i); atomic_dec(u + 1);
      })",
                                       {"global=4", "buffer=24", "counters=8"});
    expect(kernel.profile,
           {{"total_reads", 4 * 8}, {"total_writes", 4 * 8}, {"memory_footprint", 8}});
  }
}

TEST_CASE("Atomics of 64 bits") {
  const KernelRun kernel = runKernel(R"(
    #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
    kernel void k(global long *x) { atom_add(x, 3L); })",
                                     {"global=4", "local=4", "buffer=8"});
  CHECK(kernel.values == std::vector<int>{12, 0});
  expect(kernel.profile, {{"bytes_read_global", 32}, {"bytes_written_global", 32}});
}

TEST_CASE("Copies by the work-group are its accesses") {
  // Per group of 4: copy in 4 elements, every fourth of 16; copy out 4. Each work-item reads its
  // element of the one copy and writes its element of the other.
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x, global int *y) {
      local int in[4], out[4];
      event_t e = async_work_group_strided_copy(in, x + 16 * get_group_id(0), 4, 4, 0);
      wait_group_events(1, &e);
      out[get_local_id(0)] = in[get_local_id(0)] * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      e = async_work_group_copy(y + 4 * get_group_id(0), out, 4, 0);
      wait_group_events(1, &e);
    })",
                                     {"global=8", "local=4", "counters=32", "buffer=32"});
  CHECK(kernel.values == std::vector<int>{0, 8, 16, 24, 32, 40, 48, 56});
  expect(kernel.profile, {{"bytes_read_global", 32},
                          {"bytes_written_global", 32},
                          {"bytes_read_local", 64},
                          {"bytes_written_local", 64},
                          {"footprint_bytes", 32 + 32 + 16 + 16},
                          {"barriers_hit", 3 * 8}});
}

TEST_CASE("Pixels are accesses to global memory") {
  SECTION("of 4 bytes, with a sampler") {
    const KernelRun kernel = runKernel(R"(
      kernel void k(read_only image2d_t in, write_only image2d_t out, sampler_t s) {
        int2 p = (int2)(get_global_id(0), get_global_id(1));
        write_imagef(out, p, 1.0f - read_imagef(in, s, p));
      })",
                                       {"global=8,4", "image=8x4", "image=8x4", "sampler"});
    expect(kernel.profile, {{"bytes_read_global", 4 * 32},
                            {"bytes_written_global", 4 * 32},
                            {"total_writes", 32},
                            {"footprint_bytes", 2 * 4 * 32},
                            {"fp_ops", 4 * 32}});
  }
  SECTION("of 16 bytes, without") {
    const KernelRun kernel = runKernel(R"(
      kernel void k(read_only image2d_t in, write_only image2d_t out) {
        int2 p = (int2)(get_global_id(0), get_global_id(1));
        write_imageui(out, p, read_imageui(in, p) + 1);
      })",
                                       {"global=4,4", "imageui=4x4", "imageui=4x4"});
    expect(kernel.profile, {{"bytes_read_global", 16 * 16},
                            {"bytes_written_global", 16 * 16},
                            {"total_writes", 16},
                            {"footprint_bytes", 2 * 16 * 16}});
  }
  SECTION("as halves") {
    const KernelRun kernel = runKernel(R"(
      #pragma OPENCL EXTENSION cl_khr_fp16 : enable
      kernel void k(read_only image2d_t in, write_only image2d_t out, global int *x) {
        int2 p = (int2)(get_global_id(0), 0);
        half4 pixel = read_imageh(in, p);
        write_imageh(out, p, 1.0h - pixel);
        x[p.x] = as_ushort4(pixel).x == as_ushort((half)read_imagef(in, p).x);
      })",
                                       {"global=4", "image=8x4", "image=8x4", "buffer=16"});
    CHECK(kernel.values == std::vector<int>{1, 1, 1, 1});
    expect(kernel.profile, {{"bytes_read_global", 2 * 4 * 4},
                            {"bytes_written_global", (4 + 4) * 4},
                            {"fp_ops_f16", 4 * 4}});
  }
  SECTION("four of them where the sampler interpolates") {
    // In the middle between 4 pixels of 4 bytes. Oclgrind interpolates in three dimensions whatever
    // the image has, but each pixel counts once.
    const KernelRun kernel = runKernel(R"(
      constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                             CLK_FILTER_LINEAR;
      kernel void k(read_only image2d_t in, global float *x) {
        size_t i = get_global_id(0);
        x[i] = read_imagef(in, s, (float2)(i + 1.0f, 1.0f)).x;
      })",
                                       {"global=4", "image=8x4", "buffer=16"});
    expect(kernel.profile, {{"bytes_read_global", 4 * 4 * 4},
                            {"bytes_written_global", 4 * 4},
                            {"footprint_bytes", 4 * (2 * 5) + 16}});
  }
  SECTION("and its size is none") {
    const KernelRun kernel = runKernel(R"(
      kernel void k(read_only image2d_t in, global int *x) {
        x[0] = get_image_width(in) * 100 + get_image_height(in);
      })",
                                       {"global=1", "image=8x4", "buffer=4"});
    CHECK(kernel.values == std::vector<int>{804});
    expect(kernel.profile, {{"total_reads", 0}, {"total_writes", 1}});
  }
}

TEST_CASE("Half precision in memory has two bytes") {
  const KernelRun kernel = runKernel(R"(
    kernel void k(global half *x, global half *y) {
      size_t i = get_global_id(0);
      vstore_half(vload_half(i, x), i, y);
      vstore_half4(vload_half4(i, x), i, y + 16);
    })",
                                     {"global=4", "counters=16", "buffer=64"});
  expect(kernel.profile, {{"bytes_read_global", 4 * (2 + 8)},
                          {"bytes_written_global", 4 * (2 + 8)},
                          {"total_reads", 8},
                          {"total_writes", 8}});
}

TEST_CASE("Vectors are one access of all their elements") {
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x, global int *y) {
      size_t i = get_global_id(0);
      vstore3(vload3(i, x) + 1, i, y);
    })",
                                     {"global=4", "counters=12", "buffer=48"});
  CHECK(kernel.values == std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  expect(kernel.profile, {{"total_reads", 4},
                          {"total_writes", 4},
                          {"bytes_read_global", 48},
                          {"bytes_written_global", 48},
                          {"footprint_bytes", 96},
                          {"simd_width_max", 3},
                          {"int_ops", 4 * 3}});
}

TEST_CASE("Structures by value and arrays of a work-item are private") {
  // The copies move 48 bytes in and out. Private: both ends of the copies, two members of s, one
  // element of b.
  const KernelRun kernel = runKernel(R"(
    typedef struct { int a, b, c, d; } Small;
    typedef struct { int v[12]; } Big;
    kernel void k(global Big *x, global Big *y, Small s) {
      Big b = x[get_global_id(0)];
      b.v[s.a & 3] = s.d;
      y[get_global_id(0)] = b;
    })",
                                     {"global=4", "counters=48", "buffer=192", "struct=16"});
  CHECK(kernel.values == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 13, 14, 15});
  expect(kernel.profile, {{"bytes_read_global", 4 * 48},
                          {"bytes_written_global", 4 * 48},
                          {"total_reads", 4},
                          {"total_writes", 4},
                          {"footprint_bytes", 2 * 4 * 48},
                          {"private_accesses", 4 * (2 + 2 + 1)}});
}

TEST_CASE("Arrays that loops count through are in registers") {
  const std::string source = R"(
    kernel void k(global int *x) {
      int a[4];
      for (int i = 0; i < 4; ++i)
        a[i] = x[i];
      int sum = 0;
      for (int i = 0; i < 4; ++i)
        sum = 3 * sum + a[3 - i];
      x[4 + get_global_id(0)] = sum;
    })";
  const KernelRun kernel = runKernel(source, {"global=4", "counters=8"});
  constexpr int kSum = ((3 * 3 + 2) * 3 + 1) * 3;
  CHECK(kernel.values == std::vector<int>{0, 1, 2, 3, kSum, kSum, kSum, kSum});
  expect(kernel.profile, {{"private_accesses", 0}, {"total_reads", 4 * 4}, {"total_writes", 4}});
}

TEST_CASE("The initial values of a private array are read from constant memory") {
  // A copy of 32 bytes, a store and a load of an element: 3 private accesses a work-item.
  const KernelRun kernel = runKernel(R"(
    kernel void k(global int *x) {
      int a[8] = {5, 3, 8, 1, 9, 2, 7, 4};
      int i = get_global_id(0);
      a[(x[i] + 1) & 7] = i;
      x[i] = a[x[i] & 7];
    })",
                                     {"global=4", "local=4", "counters=4"});
  CHECK(kernel.values == std::vector<int>{5, 3, 8, 1});
  expect(kernel.profile, {{"private_accesses", 4 * 3},
                          {"bytes_read_constant", 4 * 32},
                          {"bytes_read_global", 4 * 4},
                          {"memory_footprint", 4 + 1},
                          {"footprint_bytes", 16 + 32}});
}

TEST_CASE("Double precision is 8 bytes and 64-bit work") {
  // 3 reads and a write; an addition and a multiplication in the fma, one more multiplication.
  const KernelRun kernel = runKernel(R"(
    kernel void k(global double *x, global double *y, double a) {
      size_t i = get_global_id(0);
      y[i] = fma(x[i], x[i + 4], y[i]) * a;
    })",
                                     {"global=4", "buffer=64", "buffer=32", "double=2"});
  expect(kernel.profile, {{"bytes_read_global", 4 * 3 * 8},
                          {"bytes_written_global", 4 * 8},
                          {"fp_add", 4},
                          {"fp_mul", 8},
                          {"fp_ops_f64", 12},
                          {"fp_ops_f32", 0}});
}

TEST_CASE("printf reads its format from constant memory") {
  // "<%d>\n" has 5 characters and the terminator.
  const Characterised result = characterise(
      KernelFile("kernel void k(global int *x) { printf(\"<%d>\\n\", x[get_global_id(0)]); }")
          .enqueue({"global=3", "counters=3"}));
  result.succeeded();
  CHECK(result.outcome.out == "<0>\n<1>\n<2>\n0 1 2 \n");
  CHECK(result["k_0"].complete);
  expect(result["k_0"], {{"bytes_read_constant", 3 * 6}, {"bytes_read_global", 3 * 4}});
}
