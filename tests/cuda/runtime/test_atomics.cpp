// Atomic functions, by what a loop over the threads would leave.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Atomic functions of integers, in global and in shared memory") {
  const Words lines = printed(R"(
    __device__ void change(int *a, unsigned *u, unsigned long long *l, int i) {
      atomicAdd(a, i);
      atomicSub(a + 1, 1);
      atomicMin(a + 2, -i);
      atomicMax(a + 3, i);
      atomicCAS(a + 4, 0, i + 1); // the first thread's stays
      atomicExch(a + 5, 7);
      atomicInc(u, 10);     // 0, 1, ... 10, 0: modulo 11
      atomicDec(u + 1, 5);  // 0, 5, 4, ... 0: modulo 6
      atomicOr(u + 2, 1u << i);
      atomicXor(u + 3, 1u << (i & 15)); // twice each
      atomicAnd(u + 4, ~(1u << i));
      atomicAdd_block(u + 5, 0x80000000u + i);
      atomicAdd(l, 1ull << 33);
      atomicMax(l + 1, (unsigned long long)i << 40);
      atomicMin(l + 2, (unsigned long long)i + 5);
    }
    __global__ void inGlobal(int *a, unsigned *u, unsigned long long *l) {
      change(a, u, l, threadIdx.x);
    }
    __global__ void inShared(int *a, unsigned *u, unsigned long long *l) {
      __shared__ int sa[6];
      __shared__ unsigned su[6];
      __shared__ unsigned long long sl[3];
      const int i = threadIdx.x;
      if (i < 6) {
        sa[i] = a[i];
        su[i] = u[i];
        sl[i % 3] = l[i % 3];
      }
      __syncthreads();
      change(sa, su, sl, i);
      __syncthreads();
      if (i < 6) {
        a[i] = sa[i];
        u[i] = su[i];
        l[i % 3] = sl[i % 3];
      }
    })",
                              R"(
    int *a;
    unsigned *u;
    unsigned long long *l;
    CHECK_CUDA(cudaMallocManaged(&a, 24));
    CHECK_CUDA(cudaMallocManaged(&u, 24));
    CHECK_CUDA(cudaMallocManaged(&l, 24));
    for (int kernel = 0; kernel < 2; ++kernel) {
      for (int i = 0; i < 6; ++i)
        a[i] = u[i] = 0;
      u[4] = 0xffffffff;
      l[0] = l[1] = 0;
      l[2] = 100;
      if (kernel == 0)
        inGlobal<<<1, 32>>>(a, u, l);
      else
        inShared<<<1, 32>>>(a, u, l);
      CHECK_CUDA(cudaDeviceSynchronize());
      for (int i = 0; i < 6; ++i)
        printf("%d ", a[i]);
      printf("%u %u %x %x %x %u ", u[0], u[1], u[2], u[3], u[4], u[5]);
      printf("%llx %llx %llu\n", l[0], l[1], l[2]);
    })");
  // 0 + ... + 31 = 496; 32 = 2 * 11 + 10; of 32 = 5 * 6 + 2 steps the last two give 5 and 4.
  const std::string expected = "496 -32 -31 31 1 7 10 4 ffffffff 0 0 496 4000000000 1f0000000000 5";
  CHECK(lines == Words{expected, expected});
}

TEST_CASE("Atomic functions of floats are exact sums of halves") {
  const Words lines = printed(R"(
    __global__ void add(float *f, double *d, float *before) {
      before[threadIdx.x] = atomicAdd(f, 0.5f);
      atomicAdd(d, 0.25);
      atomicExch(f + 1, 3.0f);
    })",
                              R"(
    float *f, *before;
    double *d;
    CHECK_CUDA(cudaMallocManaged(&f, 8));
    CHECK_CUDA(cudaMallocManaged(&before, 64 * sizeof(float)));
    CHECK_CUDA(cudaMallocManaged(&d, 8));
    f[0] = f[1] = 0;
    *d = 1;
    add<<<1, 64>>>(f, d, before);
    CHECK_CUDA(cudaDeviceSynchronize());
    float sum = 0;
    for (int i = 0; i < 64; ++i)
      sum += before[i];
    printf("%g %g %g %g\n", f[0], *d, f[1], sum);)");
  CHECK(lines == Words{"32 17 3 1008"}); // 0.5 * (0 + ... + 63)
}

TEST_CASE("An atomic sum in the last half of an odd number of halves") {
  const Words lines = printed(R"(
    #include <cuda_fp16.h>
    #include <cuda_bf16.h>
    __global__ void add(__half *h, __half *managed, __nv_bfloat16 *b) {
      atomicAdd(h + 2, __float2half(0.5f));
      atomicAdd(managed + 4, __float2half(2.0f));
      atomicAdd(b, __float2bfloat16(0.25f));
    })",
                              R"(
    __half *h, *managed;
    __nv_bfloat16 *b;
    CHECK_CUDA(cudaMalloc(&h, 6));
    CHECK_CUDA(cudaMallocManaged(&managed, 10));
    CHECK_CUDA(cudaMalloc(&b, 2));
    CHECK_CUDA(cudaMemset(h, 0, 6));
    CHECK_CUDA(cudaMemset(b, 0, 2));
    managed[4] = __half(1.0f);
    add<<<2, 2>>>(h, managed, b);
    CHECK_CUDA(cudaDeviceSynchronize());
    __half last;
    __nv_bfloat16 only;
    CHECK_CUDA(cudaMemcpy(&last, h + 2, 2, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(&only, b, 2, cudaMemcpyDeviceToHost));
    printf("%g %g %g\n", (float)last, (float)managed[4], (float)only);)");
  CHECK(lines == Words{"2 9 1"});
}
