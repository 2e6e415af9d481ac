// The runtime API's functions for C++: typed pointers, symbols and kernels.
#pragma once
#pragma GCC system_header
#include "cuda_runtime_api.h"

template <typename Value> static inline cudaError_t cudaMalloc(Value **pointer, size_t bytes) {
  return cudaMalloc((void **)pointer, bytes);
}
template <typename Value>
static inline cudaError_t cudaMallocManaged(Value **pointer, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)pointer, bytes, flags);
}
template <typename Value>
static inline cudaError_t cudaMallocHost(Value **pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
static inline cudaError_t cudaMallocHost(void **pointer, size_t bytes, unsigned int flags) {
  return cudaHostAlloc(pointer, bytes, flags);
}
template <typename Value>
static inline cudaError_t cudaHostAlloc(Value **pointer, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void **)pointer, bytes, flags);
}
template <typename Value>
static inline cudaError_t cudaHostGetDevicePointer(Value **device, void *host, unsigned int flags) {
  return cudaHostGetDevicePointer((void **)device, host, flags);
}
template <typename Value>
static inline cudaError_t cudaMallocPitch(Value **pointer, size_t *pitch, size_t width,
                                          size_t height) {
  return cudaMallocPitch((void **)pointer, pitch, width, height);
}
template <typename Value>
static inline cudaError_t cudaMallocAsync(Value **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)pointer, bytes, stream);
}
template <typename Value>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, Value *pointer,
                                                   size_t bytes = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void *)pointer, bytes, flags);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

// CUDA 13's way to name a processor.
static inline cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes,
                                               cudaMemLocation to, unsigned int,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(
      pointer, bytes, to.type == cudaMemLocationTypeDevice ? to.id : cudaCpuDeviceId, stream);
}
static inline cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation at) {
  return cudaMemAdvise(pointer, bytes, advice,
                       at.type == cudaMemLocationTypeDevice ? at.id : cudaCpuDeviceId);
}

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                               unsigned long long = 0) {
  return cudaGraphInstantiate(executable, graph, 0, 0, 0);
}

template <typename Value>
static inline cudaError_t cudaMemcpyToSymbol(const Value &symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}
template <typename Value>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const Value &symbol, const void *from, size_t bytes, size_t offset = 0,
                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}
template <typename Value>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, const Value &symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}
template <typename Value>
static inline cudaError_t
cudaMemcpyFromSymbolAsync(void *to, const Value &symbol, size_t bytes, size_t offset = 0,
                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}
template <typename Value>
static inline cudaError_t cudaGetSymbolAddress(void **address, const Value &symbol) {
  return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <typename Value>
static inline cudaError_t cudaGetSymbolSize(size_t *bytes, const Value &symbol) {
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}

// Addresses of symbols, which HIP's programs pass.
template <typename Value>
static inline cudaError_t cudaMemcpyToSymbol(Value *&&symbol, const void *from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void *)symbol, from, bytes, offset, kind);
}
template <typename Value>
static inline cudaError_t cudaMemcpyFromSymbol(void *to, Value *&&symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void *)symbol, bytes, offset, kind);
}
template <typename Value>
static inline cudaError_t cudaGetSymbolAddress(void **address, Value *&&symbol) {
  return cudaGetSymbolAddress(address, (const void *)symbol);
}

template <typename Function>
static inline cudaError_t cudaLaunchKernel(Function *function, dim3 grid, dim3 block,
                                           void **arguments, size_t sharedBytes = 0,
                                           cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
#if __cplusplus >= 201103L
namespace aiwc_cuda {
/// Arguments as the kernel's parameters have their types.
template <typename... Parameters>
static inline cudaError_t launchBy(const cudaLaunchConfig_t *configuration, const void *function,
                                   Parameters... arguments) {
  void *pointers[] = {(void *)&arguments..., nullptr};
  return cudaLaunchKernelExC(configuration, function, pointers);
}
} // namespace aiwc_cuda
template <typename... Parameters, typename... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *configuration,
                                             void (*function)(Parameters...),
                                             Arguments &&...arguments) {
  return aiwc_cuda::launchBy<Parameters...>(configuration, (const void *)function,
                                            static_cast<Arguments &&>(arguments)...);
}
#endif
template <typename Function>
static inline cudaError_t cudaLaunchCooperativeKernel(Function *function, dim3 grid, dim3 block,
                                                      void **arguments, size_t sharedBytes = 0,
                                                      cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, sharedBytes,
                                     stream);
}
template <typename Function>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                                Function *function) {
  return cudaFuncGetAttributes(attributes, (const void *)function);
}
template <typename Function>
static inline cudaError_t cudaFuncSetAttribute(Function *function, cudaFuncAttribute attribute,
                                               int value) {
  return cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <typename Function>
static inline cudaError_t cudaFuncSetCacheConfig(Function *function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void *)function, config);
}
template <typename Function>
static inline cudaError_t cudaFuncSetSharedMemConfig(Function *function,
                                                     cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <typename Function>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *function, int blockSize,
                                              size_t sharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, blockSize,
                                                       sharedBytes);
}
template <typename Function>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, Function *function, int blockSize, size_t sharedBytes, unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function,
                                                                blockSize, sharedBytes, flags);
}

template <typename Function>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                                    Function *function, int blocks,
                                                                    int blockSize) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks,
                                                   blockSize);
}

/// The size of block, at most `limit`, with which the most threads of a multiprocessor are active,
/// and the number of such blocks that fill the device.
template <typename SharedBytes, typename Function>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *gridSize, int *blockSize, Function function,
                                               SharedBytes sharedBytes, int limit = 0) {
  cudaFuncAttributes attributes;
  int processors = 0;
  cudaError_t status = cudaFuncGetAttributes(&attributes, (const void *)function);
  if (status == cudaSuccess)
    status = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
  if (status != cudaSuccess)
    return status;
  if (limit <= 0 || limit > attributes.maxThreadsPerBlock)
    limit = attributes.maxThreadsPerBlock;
  int best = 0;
  for (int size = limit / 32 * 32; size > 0; size -= 32) {
    int blocks = 0;
    status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)function, size,
                                                           (size_t)sharedBytes(size));
    if (status != cudaSuccess)
      return status;
    if (blocks * size > best) {
      best = blocks * size;
      *blockSize = size;
      *gridSize = blocks * processors;
    }
  }
  return cudaSuccess;
}
namespace aiwc_cuda {
struct SameBytes {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
} // namespace aiwc_cuda
template <typename Function>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize, Function function,
                                   size_t sharedBytes = 0, int limit = 0) {
  aiwc_cuda::SameBytes same = {sharedBytes};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(gridSize, blockSize, function, same, limit);
}
template <typename Function>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *gridSize, int *blockSize, Function function,
                                            size_t sharedBytes = 0, int limit = 0,
                                            unsigned int = cudaOccupancyDefault) {
  return cudaOccupancyMaxPotentialBlockSize(gridSize, blockSize, function, sharedBytes, limit);
}
