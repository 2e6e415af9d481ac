// threadIdx, blockIdx, blockDim, gridDim, and the barriers of a block.
#pragma once
#pragma GCC system_header
#include "aiwc_math_overloads.h"
#include "vector_types.h"

#include <stddef.h>

namespace aiwc_cuda {
AIWC_OPENCL(size_t, localId, (unsigned int), "_Z12get_local_idj");
AIWC_OPENCL(size_t, groupId, (unsigned int), "_Z12get_group_idj");
AIWC_OPENCL(size_t, localSize, (unsigned int), "_Z14get_local_sizej");
AIWC_OPENCL(size_t, groups, (unsigned int), "_Z14get_num_groupsj");
__attribute__((device, convergent)) void barrier(unsigned int flags) __asm__("_Z7barrierj");
__attribute__((device)) void fence(unsigned int flags) __asm__("_Z9mem_fencej");
constexpr unsigned int kLocalFence = 1, kGlobalFence = 2;

/// An object whose members are asked of the simulator when they are read.
#define AIWC_INDEX(type, function, whole)                                                          \
  struct type {                                                                                    \
    __declspec(property(get = getX)) unsigned int x;                                               \
    __declspec(property(get = getY)) unsigned int y;                                               \
    __declspec(property(get = getZ)) unsigned int z;                                               \
    AIWC_DEVICE unsigned int getX() { return (unsigned int)function(0); }                          \
    AIWC_DEVICE unsigned int getY() { return (unsigned int)function(1); }                          \
    AIWC_DEVICE unsigned int getZ() { return (unsigned int)function(2); }                          \
    __attribute__((device, nodebug)) operator whole() const {                                      \
      whole value = {getX(), getY(), getZ()};                                                      \
      return value;                                                                                \
    }                                                                                              \
  }
AIWC_INDEX(ThreadIndex, localId, uint3);
AIWC_INDEX(BlockIndex, groupId, uint3);
AIWC_INDEX(BlockSize, localSize, dim3);
AIWC_INDEX(GridSize, groups, dim3);
#undef AIWC_INDEX
} // namespace aiwc_cuda

extern const __device__ aiwc_cuda::ThreadIndex threadIdx;
extern const __device__ aiwc_cuda::BlockIndex blockIdx;
extern const __device__ aiwc_cuda::BlockSize blockDim;
extern const __device__ aiwc_cuda::GridSize gridDim;
#ifdef AIWC_HIPCC
extern "C" __attribute__((device, const)) unsigned int __aiwc_warp_size(void);
namespace aiwc_cuda {
/// The device's number, which is known when the program runs (lowering::placeWarpSize).
struct WarpSize {
  constexpr WarpSize() {}
  AIWC_BOTH_MEMBER constexpr WarpSize(const WarpSize &) {} // so that printf does not take it
  __attribute__((device, always_inline, nodebug)) operator int() const {
    return (int)__aiwc_warp_size();
  }
  __attribute__((host)) operator int() const {
    int lanes = 32;
    cudaDeviceGetAttribute(&lanes, aiwcDevAttrWavefrontSize, 0);
    return lanes;
  }
};
} // namespace aiwc_cuda
static constexpr aiwc_cuda::WarpSize warpSize{};
#else
static constexpr int warpSize = 32;
#endif

AIWC_DEVICE void __syncthreads() {
  aiwc_cuda::barrier(aiwc_cuda::kLocalFence | aiwc_cuda::kGlobalFence);
}
AIWC_DEVICE void __threadfence() {
  aiwc_cuda::fence(aiwc_cuda::kLocalFence | aiwc_cuda::kGlobalFence);
}
AIWC_DEVICE void __threadfence_block() {
  __threadfence();
}
AIWC_DEVICE void __threadfence_system() {
  __threadfence();
}

/// The number of threads of the block whose predicate is not 0, for all of them.
AIWC_DEVICE int __syncthreads_count(int predicate) {
  static __shared__ int count;
  const bool isFirst = threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0;
  if (isFirst)
    count = 0;
  __syncthreads();
  if (predicate)
    __sync_fetch_and_add(&count, 1);
  __syncthreads();
  const int result = count;
  __syncthreads(); // before the next call sets it to 0
  return result;
}
AIWC_DEVICE int __syncthreads_or(int predicate) {
  return __syncthreads_count(predicate) != 0;
}
AIWC_DEVICE int __syncthreads_and(int predicate) {
  return __syncthreads_count(!predicate) == 0;
}

/// The simulator has no time.
AIWC_DEVICE long long clock64() {
  return 0;
}
AIWC_DEVICE int clock() {
  return 0;
}
AIWC_DEVICE unsigned long long __globaltimer() {
  return 0;
}
AIWC_DEVICE void __nanosleep(unsigned int) {}
AIWC_DEVICE void __trap() {}
AIWC_DEVICE void __brkpt() {}

/// What <assert.h> calls. It says what failed, and leaves a sign for the runtime, which finds it by
/// its name. The kernel goes on: nothing ends it from within.
AIWC_DEVICE void __assert_fail(const char *expression, const char *file, unsigned int line,
                               const char *function) {
  printf("%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
         function, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z,
         expression);
  static __device__ int *failed; // in memory of the host
  *failed = 1;
}
