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

TEST_CASE("A block has 48 KiB of shared memory, and up to 96 if the program asks for more") {
  const Words lines = printed(R"(
    extern __shared__ int shared[];
    __global__ void last(int words, int *out) {
      shared[words - 1 - threadIdx.x] = threadIdx.x;
      __syncthreads();
      out[threadIdx.x] = shared[words - 64 + threadIdx.x];
    }
    __global__ void unasked() {})",
                              R"(
    cudaDeviceProp p;
    CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
    printf("%zu %zu %zu\n", p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor);
    const auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
    CHECK_CUDA(cudaFuncSetAttribute(last, most, 96 << 10));
    printf("%s\n", cudaGetErrorName(cudaFuncSetAttribute(last, most, (96 << 10) + 4)));
    int *out;
    CHECK_CUDA(cudaMallocManaged(&out, 64 * sizeof *out));
    cudaGetLastError(); // forget it
    unasked<<<1, 64, 48 << 10>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    unasked<<<1, 64, (48 << 10) + 4>>>();
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    last<<<2, 64, 96 << 10>>>((96 << 10) / sizeof(int), out);
    CHECK_CUDA(cudaDeviceSynchronize());
    printf("%d %d\n", out[0], out[63]);
    last<<<1, 64, (96 << 10) + 4>>>(64, out);
    printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    const char *set = getenv("OCLGRIND_LOCAL_MEM_SIZE"); // what programs that it starts have
    printf("%s\n", set ? set : "");)");
  CHECK(lines == Words{"49152 98304 98304", "cudaErrorInvalidValue", "cudaSuccess",
                       "cudaErrorInvalidValue", "63 0", "cudaErrorInvalidValue", "49152"});
}

TEST_CASE("The device has what programs expect of each GPU, and copies beside kernels, both ways "
          "at once") {
  const Words lines = printed("", R"(
    cudaDeviceProp p;
    CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
    const auto has = [](cudaDeviceAttr attribute) {
      int value = -1;
      CHECK_CUDA(cudaDeviceGetAttribute(&value, attribute, 0));
      return value;
    };
    printf("%d %d %d %d\n", p.deviceOverlap, p.asyncEngineCount, p.concurrentKernels, p.computePreemptionSupported);
    printf("%d %d %d %d\n", has(cudaDevAttrGpuOverlap), has(cudaDevAttrAsyncEngineCount),
           has(cudaDevAttrConcurrentKernels), has(cudaDevAttrComputePreemptionSupported));
    printf("%d %d %d\n", p.unifiedAddressing, p.managedMemory, p.canMapHostMemory);
    printf("%d %d %d\n", has(cudaDevAttrUnifiedAddressing), has(cudaDevAttrManagedMemory),
           has(cudaDevAttrCanMapHostMemory));)");
  CHECK(lines == Words{"1 2 1 1", "1 2 1 1", "1 1 1", "1 1 1"});
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

TEST_CASE("A warp of HIP has as many lanes as the device, under both engines") {
  const CudaProgram program(R"(
    #include <hip/hip_runtime.h>
    #include <hipcub/hipcub.hpp>
    __global__ void warps(unsigned long long *ballots, unsigned long long *alike, int *numbers, int *sums) {
      const int t = threadIdx.x;
      int sum = t;
      for (int distance = warpSize / 2; distance > 0; distance /= 2)
        sum += __shfl_down(sum, distance);
      if (t % warpSize == 0)
        sums[t / warpSize] = sum;
      ballots[t] = __ballot(t % 3 == 0);
      alike[t] = t % 2 ? __activemask() : __match_any_sync(~0ull, t % 5);
      numbers[t] = (int)__lane_id() + 1000 * __shfl(t, warpSize - 1) + 200000 * __any(t == 100) + 400000 * __all(t < 64);
      numbers[128 + t] = __shfl_xor(t, 1, 16) + 1000 * __shfl_sync(~0ull, t, 3, 8);
      __shared__ typename hipcub::BlockReduce<int, 128>::TempStorage storage; // whose warps have 32
      sum = hipcub::BlockReduce<int, 128>(storage).Sum(t);
      int halves, all;
      __match_all_sync(~0ull, t % warpSize < 32, &halves);
      const bool whole = __match_all_sync(~0ull, 7, &all) == __activemask();
      __syncwarp(~0ull);
      const unsigned total = __reduce_add_sync(~0ull, (unsigned)t);
      if (t == 0)
        sums[4] = sum, sums[5] = total, sums[6] = halves + 2 * (all && whole);
    }
    int main() {
      hipDeviceProp_t properties;
      hipGetDeviceProperties(&properties, 0);
      int lanes, *numbers, *sums, wrong = 0;
      hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, 0);
      unsigned long long *ballots, *alike;
      hipMallocManaged(&ballots, 1024), hipMallocManaged(&alike, 1024);
      hipMallocManaged(&numbers, 1024), hipMallocManaged(&sums, 28);
      hipLaunchKernelGGL(warps, dim3(1), dim3(128), 0, 0, ballots, alike, numbers, sums);
      if (hipDeviceSynchronize() != hipSuccess)
        puts("failed");
      for (int t = 0; t < 128; ++t) {
        const int first = t / lanes * lanes, behind = first + lanes;
        unsigned long long thirds = 0, same = 0;
        for (int i = 0; i < lanes; ++i) {
          const int u = first + i;
          thirds |= (unsigned long long)(u % 3 == 0) << i;
          same |= (unsigned long long)(t % 2 ? u % 2 == 1 : u % 2 == 0 && u % 5 == t % 5) << i;
        }
        wrong += ballots[t] != thirds || alike[t] != same;
        wrong += numbers[t] != t % lanes + 1000 * (behind - 1) + 200000 * (first <= 100 && 100 < behind) + 400000 * (behind <= 64);
        wrong += numbers[128 + t] != (t ^ 1) + 1000 * (t / 8 * 8 + 3);
      }
      printf("%d %d %d: %d %d, %d wrong, %d %d %d\n", properties.warpSize, lanes, (int)warpSize, sums[0], sums[1], wrong, sums[4],
             sums[5], sums[6]);
    })",
                            "program.hip");
  for (const std::string engine : {"compiled", "interpreter"}) {
    const auto printedAs = [&](const std::string &device) {
      return program.runWith(engine, {"--aiwc-as", device}).succeeded().outcome.out;
    };
    CHECK(printedAs("mi210") == "64 64 64: 2016 6112, 0 wrong, 8128 2016 2\n");
    CHECK(printedAs("h200-sxm") == "32 32 32: 496 1520, 0 wrong, 8128 496 3\n");
  }
}
