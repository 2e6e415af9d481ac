// The driver API, as far as it has a counterpart in the runtime API: devices, memory, streams,
// events and modules, which `nvcc -fatbin` makes. Its values are the runtime API's.
#pragma once
#define __cuda_cuda_h__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "cuda_runtime.h"

#define AIWC_DRIVER_ERRORS(ERROR)                                                                  \
  ERROR(CUDA_SUCCESS, 0)                                                                           \
  ERROR(CUDA_ERROR_INVALID_VALUE, 1)                                                               \
  ERROR(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                               \
  ERROR(CUDA_ERROR_NOT_INITIALIZED, 3)                                                             \
  ERROR(CUDA_ERROR_DEINITIALIZED, 4)                                                               \
  ERROR(CUDA_ERROR_NO_DEVICE, 100)                                                                 \
  ERROR(CUDA_ERROR_INVALID_DEVICE, 101)                                                            \
  ERROR(CUDA_ERROR_INVALID_IMAGE, 200)                                                             \
  ERROR(CUDA_ERROR_INVALID_CONTEXT, 201)                                                           \
  ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU, 209)                                                         \
  ERROR(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 217)                                                   \
  ERROR(CUDA_ERROR_INVALID_SOURCE, 300)                                                            \
  ERROR(CUDA_ERROR_FILE_NOT_FOUND, 301)                                                            \
  ERROR(CUDA_ERROR_INVALID_HANDLE, 400)                                                            \
  ERROR(CUDA_ERROR_NOT_FOUND, 500)                                                                 \
  ERROR(CUDA_ERROR_NOT_READY, 600)                                                                 \
  ERROR(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                           \
  ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                   \
  ERROR(CUDA_ERROR_LAUNCH_TIMEOUT, 702)                                                            \
  ERROR(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, 704)                                               \
  ERROR(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, 705)                                                   \
  ERROR(CUDA_ERROR_ASSERT, 710)                                                                    \
  ERROR(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712)                                            \
  ERROR(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, 713)                                                \
  ERROR(CUDA_ERROR_LAUNCH_FAILED, 719)                                                             \
  ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, 720)                                              \
  ERROR(CUDA_ERROR_NOT_PERMITTED, 800)                                                             \
  ERROR(CUDA_ERROR_NOT_SUPPORTED, 801)                                                             \
  ERROR(CUDA_ERROR_UNKNOWN, 999)
typedef enum cudaError_enum {
#define AIWC_ERROR(name, value) name = value,
  AIWC_DRIVER_ERRORS(AIWC_ERROR)
#undef AIWC_ERROR
} CUresult;

typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef struct CUuuid_st CUuuid;
typedef size_t (*CUoccupancyB2DSize)(int blockSize);

// cudaDeviceAttr's values.
typedef enum CUdevice_attribute_enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY = 9,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_MAX_PITCH = 11,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_REGISTERS_PER_BLOCK = 12,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
  CU_DEVICE_ATTRIBUTE_GPU_OVERLAP = 15,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT = 17,
  CU_DEVICE_ATTRIBUTE_INTEGRATED = 18,
  CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 19,
  CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH = 27,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT = 28,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
  CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT = 30,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS = 31,
  CU_DEVICE_ATTRIBUTE_ECC_ENABLED = 32,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
  CU_DEVICE_ATTRIBUTE_TCC_DRIVER = 35,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
  CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT = 40,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH = 42,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS = 43,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
  CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR = 82,
  CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
  CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED = 90,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
  CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH = 96,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
  CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115
} CUdevice_attribute;
typedef enum CUcomputemode_enum {
  CU_COMPUTEMODE_DEFAULT = 0,
  CU_COMPUTEMODE_PROHIBITED = 2,
  CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3
} CUcomputemode;
typedef enum CUctx_flags_enum {
  CU_CTX_SCHED_AUTO = 0,
  CU_CTX_SCHED_SPIN = 1,
  CU_CTX_SCHED_YIELD = 2,
  CU_CTX_SCHED_BLOCKING_SYNC = 4,
  CU_CTX_MAP_HOST = 8
} CUctx_flags;
typedef enum CUstream_flags_enum {
  CU_STREAM_DEFAULT = 0,
  CU_STREAM_NON_BLOCKING = 1
} CUstream_flags;
typedef enum CUevent_flags_enum {
  CU_EVENT_DEFAULT = 0,
  CU_EVENT_BLOCKING_SYNC = 1,
  CU_EVENT_DISABLE_TIMING = 2
} CUevent_flags;
#define CU_MEM_ATTACH_GLOBAL cudaMemAttachGlobal
#define CU_MEMHOSTALLOC_PORTABLE cudaHostAllocPortable
#define CU_MEMHOSTALLOC_DEVICEMAP cudaHostAllocMapped
#define CU_LAUNCH_PARAM_END ((void *)0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);

CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetName(char *name, int length, CUdevice device);
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);

// There is one context; threads push and pop it in vain.
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxPushCurrent(CUcontext context);
CUresult cuCtxPopCurrent(CUcontext *context);
CUresult cuCtxGetDevice(CUdevice *device);
CUresult cuCtxSynchronize(void);

CUresult cuModuleLoad(CUmodule *module, const char *path);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleUnload(CUmodule module);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                        unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                        unsigned int blockZ, unsigned int sharedBytes, CUstream stream,
                        void **arguments, void **buffer);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int blockSize, size_t sharedBytes);
CUresult cuOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedOfBlock, size_t sharedBytes,
                                          int limit);

CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemAllocHost(void **pointer, size_t bytes);
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void *pointer);
CUresult cuMemGetInfo(size_t *free, size_t *total);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t bytes);

CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
CUresult cuStreamDestroy(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuEventCreate(CUevent *event, unsigned int flags);
CUresult cuEventDestroy(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
#ifdef __cplusplus
}

/// CUDA 13's way to say what a context shall have.
struct CUctxCreateParams {
  void *execAffinityParams;
  int numExecAffinityParams;
  void *cigParams;
};
static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned int flags,
                                   CUdevice device) {
  return cuCtxCreate(context, flags, device);
}
#endif
