// The device that a program sees.

#include "cuda/runtime/cuda_program.h"

#include <catch2/catch.hpp>

using namespace aiwc::test;

TEST_CASE("Properties and attributes say the same") {
  const Words lines = printed("__global__ void nothing() {}", R"(
    int count = -1, device = -1, value = -1, blocks = 0, grid = 0, size = 0;
    cudaDeviceProp properties;
    CHECK_CUDA(cudaGetDeviceCount(&count));
    CHECK_CUDA(cudaGetDevice(&device));
    CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
    printf("%d %d %d\n", count, device, properties.warpSize);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    printf("%d %d\n", value > 0, value == properties.multiProcessorCount);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    printf("%d\n", value == properties.maxThreadsPerBlock);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrSurfaceAlignment, 0));
    printf("%d\n", value == (int)properties.surfaceAlignment);
    CHECK_CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMaxTexture2DWidth, 0)); // there are none
    printf("%d\n", value);
    printf("%s\n", cudaGetErrorName(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0)));
    // 2048 threads of a multiprocessor are 8 blocks of 256.
    CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 256, 0));
    CHECK_CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &size, nothing));
    printf("%d %d\n", blocks, grid * size == 2048 * properties.multiProcessorCount);
    printf("%s\n", cudaGetErrorName(cudaSetDevice(1)));
    printf("%s\n", cudaGetErrorString(cudaErrorInvalidDevice));
    size_t free, total, before;
    void *memory;
    CHECK_CUDA(cudaMemGetInfo(&before, &total));
    CHECK_CUDA(cudaMalloc(&memory, 1000));
    CHECK_CUDA(cudaMemGetInfo(&free, &total));
    printf("%d\n", (int)(before - free));)");
  CHECK(lines == Words{"1 0 32", "1 1", "1", "1", "0", "cudaErrorInvalidValue", "8 1",
                       "cudaErrorInvalidDevice", "invalid device ordinal", "1000"});
}

TEST_CASE("A program outside of the simulator is told how to start it, once") {
  const CudaProgram program(R"(
    __global__ void nothing() {}
    int main() {
      int count = -1;
      printf("%s\n", cudaGetErrorName(cudaGetDeviceCount(&count)));
      void *memory;
      cudaMalloc(&memory, 4);
      nothing<<<1, 1>>>();
      printf("%d %s\n", count, cudaGetErrorName(cudaGetLastError()));
    })");
  const Outcome outcome = program.runAlone();
  CHECK(outcome.status == 0);
  CHECK(outcome.out == "cudaErrorNoDevice\n0 cudaErrorNoDevice\n");
  CHECK_THAT(outcome.err, Catch::StartsWith("aiwc: this program was built by aiwc build and runs "
                                            "in the simulator: aiwc run -- "));
  CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
}

TEST_CASE("The API works in destructors of static objects") {
  const Words lines = printed(R"(
    __global__ void set(int *x) { *x = 3; }
    struct Holder {
      int *memory = nullptr;
      Holder() { CHECK_CUDA(cudaMalloc(&memory, sizeof(int))); }
      ~Holder() {
        int value = 0;
        CHECK_CUDA(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
        printf("%d\n", value);
        CHECK_CUDA(cudaFree(memory));
      }
    } holder;)",
                              "set<<<1, 1>>>(holder.memory);");
  CHECK(lines == Words{"3"});
}
