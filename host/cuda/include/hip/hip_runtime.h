// The header of HIP programs.
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"
#include "hip_runtime_api.h"

#define __HIP_PLATFORM_AMD__ 1
#define __HIP_PLATFORM_HCC__ 1

#ifdef AIWC_CUDA
#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#define hipLaunchKernelGGL(kernel, grid, block, bytes, stream, ...)                                \
  (kernel)<<<dim3(grid), dim3(block), (bytes), (stream)>>>(__VA_ARGS__)

#include "../aiwc_vector_operators.h"

AIWC_ATOMIC_LOOP(atomicMin, float, unsigned int, Smaller<float>)
AIWC_ATOMIC_LOOP(atomicMax, float, unsigned int, Larger<float>)
AIWC_ATOMIC_LOOP(atomicMin, double, unsigned long long, Smaller<double>)
AIWC_ATOMIC_LOOP(atomicMax, double, unsigned long long, Larger<double>)
AIWC_DEVICE unsigned int __lane_id() {
  return (unsigned int)aiwc_cuda::threadInBlock() & (warpSize - 1);
}
AIWC_DEVICE float unsafeAtomicAdd(float *address, float value) {
  return atomicAdd(address, value);
}
AIWC_DEVICE double unsafeAtomicAdd(double *address, double value) {
  return atomicAdd(address, value);
}
AIWC_DEVICE unsigned int __bitextract_u32(unsigned int word, unsigned int from,
                                          unsigned int width) {
  return word >> (from & 31) & ((1u << (width & 31)) - 1);
}
AIWC_DEVICE unsigned long long __bitextract_u64(unsigned long long word, unsigned int from,
                                                unsigned int width) {
  return word >> (from & 63) & ((1ull << (width & 63)) - 1);
}
AIWC_DEVICE unsigned long long wall_clock64() {
  return 0;
}
#endif
