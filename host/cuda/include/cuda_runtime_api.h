// The functions of the runtime API that the simulator has (host/cuda/runtime), and those that it
// refuses by name.
#pragma once
#define __CUDA_RUNTIME_API_H__ // NOLINT(bugprone-reserved-identifier): programs test it
#pragma GCC system_header
#include "driver_types.h"

#ifdef __cplusplus
#define AIWC_DEFAULT(value) = value
extern "C" {
#else
#define AIWC_DEFAULT(value)
#endif

// Errors.
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

// The device.
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source,
                                      int destination);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

// Memory.
cudaError_t cudaMalloc(void **pointer, size_t bytes);
cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent);
cudaError_t cudaMallocManaged(void **pointer, size_t bytes,
                              unsigned int flags AIWC_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void **pointer, size_t bytes);
cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags AIWC_DEFAULT(0));
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags);
cudaError_t cudaHostUnregister(void *pointer);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFree(void *pointer);
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void *pointer);
cudaError_t cudaMemGetInfo(size_t *free, size_t *total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                              cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice,
                                size_t bytes, cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                               size_t offset AIWC_DEFAULT(0),
                               enum cudaMemcpyKind kind AIWC_DEFAULT(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset AIWC_DEFAULT(0),
                                 enum cudaMemcpyKind kind AIWC_DEFAULT(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind,
                                      cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);
cudaError_t cudaMemset(void *pointer, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes,
                            cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device);
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device,
                                 cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *descriptions,
                                 size_t count);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                    void *value);

// Streams and events. All work is done when a function returns.
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags AIWC_DEFAULT(0));
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned int flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer,
                                     size_t bytes AIWC_DEFAULT(0),
                                     unsigned int flags AIWC_DEFAULT(cudaMemAttachSingle));
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream AIWC_DEFAULT(0),
                                     unsigned int flags AIWC_DEFAULT(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
/// The time that the simulation took on the host, in milliseconds. No device takes this time.
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

// Kernels.
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                             size_t sharedBytes AIWC_DEFAULT(0),
                             cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *function,
                                void **arguments);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int blockSize, size_t sharedBytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int blockSize, size_t sharedBytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int blockSize);

// Refused with cudaErrorNotSupported and a line on standard error.
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                        void **arguments, size_t sharedBytes AIWC_DEFAULT(0),
                                        cudaStream_t stream AIWC_DEFAULT(0));
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer);
cudaError_t cudaIpcOpenMemHandle(void **pointer, cudaIpcMemHandle_t handle, unsigned int flags);
cudaError_t cudaIpcCloseMemHandle(void *pointer);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 cudaGraphNode_t *errorNode, char *log, size_t logBytes);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);

#ifdef __cplusplus
}

static inline struct cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                        size_t height) {
  cudaPitchedPtr made = {pointer, pitch, width, height};
  return made;
}
static inline struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  cudaPos made = {x, y, z};
  return made;
}
static inline struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  cudaExtent made = {width, height, depth};
  return made;
}
#endif
