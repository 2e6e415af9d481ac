// HIP's names of the runtime API: each is CUDA's function, type or constant. aiwc_hip_names.h,
// which the build makes, has those that differ in their beginning only.
#pragma once
#pragma GCC system_header
#include "../cuda_runtime_api.h"

#include <aiwc_hip_names.h>

#ifndef AIWC_CUDA
typedef cudaError_t hipError_t;
typedef cudaStream_t hipStream_t;
#endif
#define hipCtxSynchronize cudaDeviceSynchronize
#define hipDeviceAttributeMemoryBusWidth cudaDevAttrGlobalMemoryBusWidth
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeWarpSize aiwcDevAttrWavefrontSize
#define hipDeviceAttribute_t cudaDeviceAttr
#define hipDeviceProp_t cudaDeviceProp
#define hipErrorInvalidHandle cudaErrorInvalidResourceHandle
#define hipErrorNotInitialized cudaErrorInitializationError
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipFuncCache_t cudaFuncCache
#define hipHostFree cudaFreeHost
#define hipHostMalloc cudaHostAlloc
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocWriteCombined cudaHostAllocWriteCombined
#define hipLimit_t cudaLimit
#define hipPointerAttribute_t cudaPointerAttributes

static inline hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  const hipError_t error = cudaGetDeviceProperties(properties, device);
  return error ? error
               : cudaDeviceGetAttribute(&properties->warpSize, hipDeviceAttributeWarpSize, device);
}
#ifdef AIWC_CUDA
#include "../aiwc_launch.h"
#endif
#ifdef __cplusplus
#include "../aiwc_api_templates.h"
#define HIP_SYMBOL(symbol) symbol
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#endif
