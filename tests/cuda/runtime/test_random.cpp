// Random numbers: the published generators, and distributions by their moments.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Philox gives the published numbers, on host and device") {
  const Words lines = printed(R"(
    #include <curand_kernel.h>
    __global__ void draw(unsigned *out) {
      curandStatePhilox4_32_10_t state;
      curand_init(0, 0, 0, &state);
      for (int i = 0; i < 5; ++i)
        out[i] = curand(&state);
      curand_init(0, 0, 2, &state);
      const uint4 four = curand4(&state);
      out[5] = four.x;
      out[6] = four.z;
    })",
                              R"(
    unsigned *out;
    CHECK_CUDA(cudaMallocManaged(&out, 28));
    draw<<<1, 1>>>(out);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%08x %08x %08x %08x\n", out[0], out[1], out[2], out[3]);
    printf("%d %d\n", out[5] == out[2], out[6] == out[4]);
    curandStatePhilox4_32_10_t state;
    curand_init(0, 0, 4, &state);
    printf("%d\n", curand(&state) == out[4]);)");
  // Counter 0 and key 0: the first known answer of Random123 (Salmon et al.).
  CHECK(lines == Words{"6627e8d5 e169c58d bc57ac4c 9b00dbd8", "1 1", "1"});
}

TEST_CASE("Numbers of all generators have the moments of their distributions") {
  const Words lines = printed(R"(
    #include <curand_kernel.h>
    template <typename State> __global__ void draw(double *sums) {
      State state;
      curand_init(7ull, threadIdx.x, 0, &state);
      double sum[4] = {};
      for (int i = 0; i < 400; ++i) {
        const double u = curand_uniform(&state), v = curand_normal(&state);
        sum[0] += u;
        sum[1] += u > 0 && u <= 1;
        sum[2] += v;
        sum[3] += v * v;
      }
      for (int i = 0; i < 4; ++i)
        atomicAdd(&sums[i], sum[i] / (64 * 400));
    }
    template <typename State> void show() {
      double *sums;
      CHECK_CUDA(cudaMallocManaged(&sums, 32));
      for (int i = 0; i < 4; ++i)
        sums[i] = 0;
      draw<State><<<1, 64>>>(sums);
      CHECK_CUDA(cudaDeviceSynchronize());
      // Of 25600 numbers: within five standard errors.
      printf("%d %d %d %d\n", fabs(sums[0] - 0.5) < 0.01, fabs(sums[1] - 1) < 1e-9,
             fabs(sums[2]) < 0.032, fabs(sums[3] - 1) < 0.045);
    })",
                              R"(
    show<curandState>();
    show<curandStatePhilox4_32_10_t>();
    show<curandStateMRG32k3a_t>();)");
  CHECK(lines == Words{"1 1 1 1", "1 1 1 1", "1 1 1 1"});
}

TEST_CASE("The host's generator goes on where it was, and a seed begins again") {
  const Words lines = printed("#include <curand.h>", R"(
    curandGenerator_t generator;
    float *x, first[8], again[8];
    CHECK_CUDA(cudaMalloc(&x, sizeof first));
    printf("%d\n", curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    curandSetPseudoRandomGeneratorSeed(generator, 5);
    curandGenerateUniform(generator, x, 8);
    CHECK_CUDA(cudaMemcpy(first, x, sizeof first, cudaMemcpyDeviceToHost));
    curandSetPseudoRandomGeneratorSeed(generator, 5);
    curandGenerateUniform(generator, x, 3);
    curandGenerateUniform(generator, x + 3, 5);
    CHECK_CUDA(cudaMemcpy(again, x, sizeof again, cudaMemcpyDeviceToHost));
    int same = 0;
    for (int i = 0; i < 8; ++i)
      same += first[i] == again[i];
    printf("%d %d\n", same, first[0] != first[1]);
    printf("%d\n", curandGenerateNormal(generator, x, 9, 0, 1)); // one too many
    printf("%d\n", curandSetQuasiRandomGeneratorDimensions(generator, 2)); // it is none
    curandDestroyGenerator(generator);)");
  CHECK(lines == Words{"0", "8 1", "201", "103"});
}
