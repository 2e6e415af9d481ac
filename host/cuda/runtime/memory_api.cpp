// Allocation, copies, fills and symbols. All are done when the function returns.
#include "cuda/runtime/runtime.h"

#include <algorithm>

using namespace aiwc::cuda;

namespace {

using Kind = Allocation::Kind;

/// Rows begin at multiples of this.
constexpr size_t kPitchBytes = 512;

size_t pitchOf(size_t width) {
  require(width <= SIZE_MAX - kPitchBytes, cudaErrorInvalidValue);
  return (width + kPitchBytes - 1) / kPitchBytes * kPitchBytes;
}

size_t product(size_t a, size_t b) {
  size_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), cudaErrorMemoryAllocation);
  return result;
}

void *allocate(Runtime &runtime, size_t bytes) {
  if (bytes == 0)
    return nullptr;
  return pointerTo(runtime.memory.allocate(*runtime.simulator, bytes));
}

void copy(Runtime &runtime, void *to, const void *from, size_t bytes, cudaMemcpyKind kind) {
  runtime.memory.copy(*runtime.simulator, {to, bytes}, {from, bytes}, bytes, 1, kind);
}

/// The address of the variable's byte at the offset. Fails if fewer than `bytes` follow.
void *inSymbol(Runtime &runtime, const void *symbol, size_t offset, size_t bytes) {
  if (runtime.memory.onHost(symbol)) // a managed variable
    return pointerTo(
        runtime.memory.deviceAddress(*runtime.simulator, reinterpret_cast<size_t>(symbol)) +
        offset);
  const RuntimeProgram::Symbol found =
      runtime.programs.symbol(*runtime.simulator, runtime.memory, symbol);
  require(offset <= found.bytes && bytes <= found.bytes - offset, cudaErrorInvalidValue);
  return pointerTo(found.address + offset);
}

void copy3D(Runtime &runtime, const cudaMemcpy3DParms &p) {
  require(!p.srcArray && !p.dstArray, cudaErrorNotSupported);
  const auto sliceOf = [](const cudaPitchedPtr &memory) {
    return product(memory.pitch, memory.ysize);
  };
  const auto rowsAt = [](const cudaPitchedPtr &memory, const cudaPos &position, size_t slice) {
    return static_cast<char *>(memory.ptr) + slice + position.y * memory.pitch + position.x;
  };
  const size_t toSlice = sliceOf(p.dstPtr), fromSlice = sliceOf(p.srcPtr);
  for (size_t z = 0; z < p.extent.depth; ++z)
    runtime.memory.copy(
        *runtime.simulator,
        {rowsAt(p.dstPtr, p.dstPos, product(p.dstPos.z + z, toSlice)), p.dstPtr.pitch},
        {rowsAt(p.srcPtr, p.srcPos, product(p.srcPos.z + z, fromSlice)), p.srcPtr.pitch},
        p.extent.width, p.extent.height, p.kind);
}

} // namespace

AIWC_CUDA_API cudaError_t cudaMalloc(void **pointer, size_t bytes) {
  return answer([&](Runtime &runtime) {
    require(pointer, cudaErrorInvalidValue);
    *pointer = allocate(runtime, bytes);
  });
}
AIWC_CUDA_API cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t) {
  return cudaMalloc(pointer, bytes);
}
AIWC_CUDA_API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width,
                                          size_t height) {
  return answer([&](Runtime &runtime) {
    require(pointer && pitch, cudaErrorInvalidValue);
    *pitch = pitchOf(width);
    *pointer = allocate(runtime, product(*pitch, height));
  });
}
AIWC_CUDA_API cudaError_t cudaMalloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  return answer([&](Runtime &runtime) {
    require(pointer, cudaErrorInvalidValue);
    const size_t pitch = pitchOf(extent.width);
    void *memory = allocate(runtime, product(product(pitch, extent.height), extent.depth));
    *pointer = {memory, pitch, extent.width, extent.height};
  });
}
AIWC_CUDA_API cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags) {
  return answer([&](Runtime &runtime) {
    require(pointer && bytes > 0 && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost),
            cudaErrorInvalidValue);
    *pointer = runtime.memory.allocateShared(*runtime.simulator, bytes, Kind::kManaged, flags);
  });
}
AIWC_CUDA_API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return answer([&](Runtime &runtime) {
    require(pointer, cudaErrorInvalidValue);
    *pointer = bytes == 0
                   ? nullptr
                   : runtime.memory.allocateShared(*runtime.simulator, bytes, Kind::kPinned, flags);
  });
}
AIWC_CUDA_API cudaError_t cudaMallocHost(void **pointer, size_t bytes) {
  return cudaHostAlloc(pointer, bytes, cudaHostAllocDefault);
}
AIWC_CUDA_API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags) {
  return answer([&](Runtime &runtime) { runtime.memory.share(pointer, bytes, flags); });
}
AIWC_CUDA_API cudaError_t cudaHostUnregister(void *pointer) {
  return answer([&](Runtime &runtime) {
    runtime.memory.free(*runtime.simulator, pointer, {Kind::kRegistered},
                        cudaErrorHostMemoryNotRegistered);
  });
}
AIWC_CUDA_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int) {
  return answer([&](Runtime &runtime) {
    require(device && runtime.memory.onHost(host), cudaErrorInvalidValue);
    *device =
        pointerTo(runtime.memory.deviceAddress(*runtime.simulator, reinterpret_cast<size_t>(host)));
  });
}
AIWC_CUDA_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
  return answer([&](Runtime &runtime) {
    const Memory::Range *range = runtime.memory.onHost(host);
    require(flags && range, cudaErrorInvalidValue);
    *flags = range->value.flags;
  });
}
AIWC_CUDA_API cudaError_t cudaFree(void *pointer) {
  return answer([&](Runtime &runtime) {
    if (pointer)
      runtime.memory.free(*runtime.simulator, pointer, {Kind::kDevice, Kind::kManaged},
                          cudaErrorInvalidValue);
  });
}
AIWC_CUDA_API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t) {
  return cudaFree(pointer);
}
AIWC_CUDA_API cudaError_t cudaFreeHost(void *pointer) {
  return answer([&](Runtime &runtime) {
    if (pointer)
      runtime.memory.free(*runtime.simulator, pointer, {Kind::kPinned}, cudaErrorInvalidValue);
  });
}
AIWC_CUDA_API cudaError_t cudaMemGetInfo(size_t *free, size_t *total) {
  return answer([&](Runtime &runtime) {
    require(free && total, cudaErrorInvalidValue);
    *total = runtime.simulator->globalBytes;
    *free = *total - std::min(*total, runtime.memory.bytes());
  });
}
AIWC_CUDA_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                                   const void *pointer) {
  return answer([&](Runtime &runtime) {
    require(attributes, cudaErrorInvalidValue);
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, const_cast<void *>(pointer)};
    const size_t onDevice =
        runtime.memory.deviceAddress(*runtime.simulator, reinterpret_cast<size_t>(pointer));
    const Memory::Range *range = runtime.memory.onDevice(pointerTo(onDevice));
    if (!range)
      return;
    const bool isHosts =
        range->value.kind == Kind::kPinned || range->value.kind == Kind::kRegistered;
    attributes->type = range->value.kind == Kind::kManaged ? cudaMemoryTypeManaged
                       : isHosts                           ? cudaMemoryTypeHost
                                                           : cudaMemoryTypeDevice;
    attributes->device = 0;
    attributes->devicePointer = pointerTo(onDevice);
    attributes->hostPointer =
        range->value.host ? static_cast<char *>(range->value.host) + (onDevice - range->begin)
                          : nullptr;
  });
}

AIWC_CUDA_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind kind) {
  return answer([&](Runtime &runtime) { copy(runtime, to, from, bytes, kind); });
}
AIWC_CUDA_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                          cudaMemcpyKind kind, cudaStream_t stream) {
  return answer([&](Runtime &runtime) {
    requireStream(runtime, stream);
    copy(runtime, to, from, bytes, kind);
  });
}
AIWC_CUDA_API cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch,
                                       size_t width, size_t height, cudaMemcpyKind kind) {
  return answer([&](Runtime &runtime) {
    require(width <= toPitch && width <= fromPitch, cudaErrorInvalidPitchValue);
    runtime.memory.copy(*runtime.simulator, {to, toPitch}, {from, fromPitch}, width, height, kind);
  });
}
AIWC_CUDA_API cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                                            size_t fromPitch, size_t width, size_t height,
                                            cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
AIWC_CUDA_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters) {
  return answer([&](Runtime &runtime) {
    require(parameters, cudaErrorInvalidValue);
    copy3D(runtime, *parameters);
  });
}
AIWC_CUDA_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *parameters, cudaStream_t) {
  return cudaMemcpy3D(parameters);
}
AIWC_CUDA_API cudaError_t cudaMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice,
                                         size_t bytes) {
  return answer([&](Runtime &runtime) {
    require(toDevice == 0 && fromDevice == 0, cudaErrorInvalidDevice);
    copy(runtime, to, from, bytes, cudaMemcpyDeviceToDevice);
  });
}
AIWC_CUDA_API cudaError_t cudaMemcpyPeerAsync(void *to, int toDevice, const void *from,
                                              int fromDevice, size_t bytes, cudaStream_t) {
  return cudaMemcpyPeer(to, toDevice, from, fromDevice, bytes);
}

AIWC_CUDA_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                                             size_t offset, cudaMemcpyKind kind) {
  return answer([&](Runtime &runtime) {
    copy(runtime, inSymbol(runtime, symbol, offset, bytes), from, bytes, kind);
  });
}
AIWC_CUDA_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from,
                                                  size_t bytes, size_t offset, cudaMemcpyKind kind,
                                                  cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
AIWC_CUDA_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                               size_t offset, cudaMemcpyKind kind) {
  return answer([&](Runtime &runtime) {
    copy(runtime, to, inSymbol(runtime, symbol, offset, bytes), bytes, kind);
  });
}
AIWC_CUDA_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
AIWC_CUDA_API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  return answer([&](Runtime &runtime) {
    require(address, cudaErrorInvalidValue);
    *address = inSymbol(runtime, symbol, 0, 0);
  });
}
AIWC_CUDA_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
  return answer([&](Runtime &runtime) {
    require(bytes, cudaErrorInvalidValue);
    *bytes = runtime.programs.symbol(*runtime.simulator, runtime.memory, symbol).bytes;
  });
}

AIWC_CUDA_API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width,
                                       size_t height) {
  return answer([&](Runtime &runtime) {
    runtime.memory.fill(*runtime.simulator, pointer, pitch, static_cast<unsigned char>(value),
                        width, height);
  });
}
AIWC_CUDA_API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width,
                                            size_t height, cudaStream_t) {
  return cudaMemset2D(pointer, pitch, value, width, height);
}
AIWC_CUDA_API cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
  return cudaMemset2D(pointer, bytes, value, bytes, 1);
}
AIWC_CUDA_API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t) {
  return cudaMemset(pointer, value, bytes);
}
AIWC_CUDA_API cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return answer([&](Runtime &runtime) {
    const size_t slice = product(pointer.pitch, pointer.ysize);
    for (size_t z = 0; z < extent.depth; ++z)
      runtime.memory.fill(*runtime.simulator, static_cast<char *>(pointer.ptr) + product(z, slice),
                          pointer.pitch, static_cast<unsigned char>(value), extent.width,
                          extent.height);
  });
}
AIWC_CUDA_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent,
                                            cudaStream_t) {
  return cudaMemset3D(pointer, value, extent);
}

// Hints, which change nothing.
AIWC_CUDA_API cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int) {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t) {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t, unsigned int) {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  return answer([&](Runtime &) {
    require(pool, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    *pool = nullptr;
  });
}
AIWC_CUDA_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
AIWC_CUDA_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t) {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
  return answer([](Runtime &) {});
}

/// Called by programs whose device code has atomic functions of 16 bits (aiwc_narrow_floats.h),
/// before they allocate anything.
AIWC_CUDA_API bool aiwcAllocateWholeWords() {
  aiwc::cuda::allocateWholeWords();
  return true;
}
