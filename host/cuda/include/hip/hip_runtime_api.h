// HIP's names of the runtime API: each is CUDA's function, type or constant. aiwc_hip_names.h,
// which the build makes, has those that differ in their beginning only.
#pragma once
#pragma GCC system_header
#include "../cuda.h"
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
#define hipErrorNotFound cudaErrorSymbolNotFound
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
// Modules: their errors have the driver API's numbers, which are the runtime API's.
typedef CUmodule hipModule_t;
typedef CUfunction hipFunction_t;
typedef void *hipDeviceptr_t;
#define HIP_LAUNCH_PARAM_BUFFER_POINTER CU_LAUNCH_PARAM_BUFFER_POINTER
#define HIP_LAUNCH_PARAM_BUFFER_SIZE CU_LAUNCH_PARAM_BUFFER_SIZE
#define HIP_LAUNCH_PARAM_END CU_LAUNCH_PARAM_END
static inline hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
  return (hipError_t)cuModuleLoad(module, path);
}
static inline hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return (hipError_t)cuModuleLoadData(module, image);
}
static inline hipError_t hipModuleUnload(hipModule_t module) {
  return (hipError_t)cuModuleUnload(module);
}
static inline hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module,
                                              const char *name) {
  return (hipError_t)cuModuleGetFunction(function, module, name);
}
static inline hipError_t hipModuleGetGlobal(hipDeviceptr_t *address, size_t *bytes,
                                            hipModule_t module, const char *name) {
  CUdeviceptr found = 0;
  const hipError_t error = (hipError_t)cuModuleGetGlobal(&found, bytes, module, name);
  if (!error && address)
    *address = (hipDeviceptr_t)found;
  return error;
}
static inline hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int gridX,
                                               unsigned int gridY, unsigned int gridZ,
                                               unsigned int blockX, unsigned int blockY,
                                               unsigned int blockZ, unsigned int sharedBytes,
                                               hipStream_t stream, void **arguments,
                                               void **buffer) {
  return (hipError_t)cuLaunchKernel(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                                    sharedBytes, stream, arguments, buffer);
}
#ifdef AIWC_CUDA
#include "../aiwc_launch.h"
#endif
#ifdef __cplusplus
#include "../aiwc_api_templates.h"
#define HIP_SYMBOL(symbol) symbol
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#endif
