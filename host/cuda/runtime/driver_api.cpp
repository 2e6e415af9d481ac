// The driver API: modules, and what the runtime API does under other names.
#include "cuda.h"
#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace aiwc::cuda;

/// Device code, whose copy the simulator's programs refer to as long as the process lives.
struct CUmod_st {
  RuntimeProgram *program;
};

namespace {

bool isDriverError(int value) {
  switch (value) {
#define AIWC_ERROR(name, number) case number:
    AIWC_DRIVER_ERRORS(AIWC_ERROR)
#undef AIWC_ERROR
    return true;
  default:
    return false;
  }
}

/// The runtime API's errors have the driver's numbers, except for those that only it has.
CUresult result(cudaError_t error) {
  if (error == cudaErrorInvalidDeviceFunction || error == cudaErrorInvalidSymbol)
    return CUDA_ERROR_NOT_FOUND;
  return isDriverError(error) ? static_cast<CUresult>(error) : CUDA_ERROR_INVALID_VALUE;
}

void *pointerOf(CUdeviceptr address) {
  return pointerTo(static_cast<size_t>(address));
}

/// The one context is no object: nothing reads what a handle refers to.
CUcontext context() {
  static char instance;
  return reinterpret_cast<CUcontext>(&instance);
}

/// `most`: the bytes that there are, as far as that is known.
void load(Runtime &runtime, CUmodule *module, const char *code, size_t most) {
  constexpr char kMagic[] = "AIWCCUDA"; // before its end a text may end
  constexpr size_t kHeaderBytes = 48;
  const bool isCode = std::strncmp(code, kMagic, sizeof kMagic - 1) == 0 && kHeaderBytes <= most;
  const size_t bytes = isCode ? deviceCodeBytes(code) : 0;
  if (!isCode || bytes > most) {
    say("cuModuleLoad: the simulator takes only modules that nvcc -fatbin made under aiwc build");
    throw Failure{cudaErrorInvalidKernelImage};
  }
  auto copy = std::make_unique<std::string>(code, bytes);
  auto loaded = std::make_unique<CUmod_st>();
  loaded->program = runtime.programs.add(copy->data());
  copy.release(); // NOLINT(bugprone-unused-return-value): the program refers to it
  loaded->program->load(*runtime.simulator, runtime.memory);
  *module = loaded.release();
}

/// The arguments in a buffer, each at a multiple of its alignment: of no type more is known than
/// its size.
std::vector<void *> argumentsIn(const std::vector<size_t> &sizes, void **buffer) {
  char *begin = nullptr;
  size_t bytes = 0;
  for (; *buffer != CU_LAUNCH_PARAM_END; buffer += 2)
    if (*buffer == CU_LAUNCH_PARAM_BUFFER_POINTER)
      begin = static_cast<char *>(buffer[1]);
    else if (*buffer == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<size_t *>(buffer[1]);
    else
      throw Failure{cudaErrorInvalidValue};
  std::vector<void *> arguments;
  size_t at = 0;
  for (const size_t size : sizes) {
    const size_t alignment = std::min<size_t>(size & (0 - size), 16);
    at = (at + alignment - 1) / alignment * alignment;
    require(begin && size <= bytes && at <= bytes - size, cudaErrorInvalidValue);
    arguments.push_back(begin + at);
    at += size;
  }
  return arguments;
}

} // namespace

AIWC_CUDA_API CUresult cuInit(unsigned int) {
  return result(answer([](Runtime &) {}));
}
AIWC_CUDA_API CUresult cuDriverGetVersion(int *version) {
  return result(give(version, CUDA_VERSION));
}
AIWC_CUDA_API CUresult cuGetErrorName(CUresult error, const char **name) {
  switch (error) {
#define AIWC_ERROR(each, value)                                                                    \
  case each:                                                                                       \
    *name = #each;                                                                                 \
    return CUDA_SUCCESS;
    AIWC_DRIVER_ERRORS(AIWC_ERROR)
#undef AIWC_ERROR
  }
  *name = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
AIWC_CUDA_API CUresult cuGetErrorString(CUresult error, const char **text) {
  const bool isKnown = isDriverError(error);
  *text = isKnown ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
  return isKnown ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

AIWC_CUDA_API CUresult cuDeviceGetCount(int *count) {
  return result(cudaGetDeviceCount(count));
}
AIWC_CUDA_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  const CUresult status = result(cudaSetDevice(ordinal));
  return status == CUDA_SUCCESS ? result(give(device, ordinal)) : status;
}
AIWC_CUDA_API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t status = cudaGetDeviceProperties(&properties, device);
  if (status != cudaSuccess)
    return result(status);
  if (!name || length <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::strncpy(name, properties.name, static_cast<size_t>(length));
  name[length - 1] = '\0';
  return CUDA_SUCCESS;
}
AIWC_CUDA_API CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  cudaDeviceProp properties;
  const cudaError_t status = cudaGetDeviceProperties(&properties, device);
  return status == cudaSuccess ? result(give(bytes, properties.totalGlobalMem)) : result(status);
}
AIWC_CUDA_API CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                                            CUdevice device) {
  return result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(attribute), device));
}
AIWC_CUDA_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  return result(cudaDeviceCanAccessPeer(can, device, peer));
}

AIWC_CUDA_API CUresult cuDevicePrimaryCtxRetain(CUcontext *created, CUdevice device) {
  return cuCtxCreate(created, 0, device);
}
AIWC_CUDA_API CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return result(cudaSetDevice(device));
}
AIWC_CUDA_API CUresult cuCtxCreate(CUcontext *created, unsigned int, CUdevice device) {
  const CUresult status = result(cudaSetDevice(device));
  return status == CUDA_SUCCESS ? result(give(created, context())) : status;
}
AIWC_CUDA_API CUresult cuCtxDestroy(CUcontext destroyed) {
  return destroyed == context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
AIWC_CUDA_API CUresult cuCtxGetCurrent(CUcontext *current) {
  return result(give(current, context()));
}
AIWC_CUDA_API CUresult cuCtxSetCurrent(CUcontext current) {
  return !current || current == context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
AIWC_CUDA_API CUresult cuCtxPushCurrent(CUcontext current) {
  return cuCtxSetCurrent(current);
}
AIWC_CUDA_API CUresult cuCtxPopCurrent(CUcontext *current) {
  return current ? result(give(current, context())) : CUDA_SUCCESS;
}
AIWC_CUDA_API CUresult cuCtxGetDevice(CUdevice *device) {
  return result(give(device, 0));
}
AIWC_CUDA_API CUresult cuCtxSynchronize() {
  return result(cudaDeviceSynchronize());
}

AIWC_CUDA_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return result(answer([&](Runtime &runtime) {
    require(module && image, cudaErrorInvalidValue);
    load(runtime, module, static_cast<const char *>(image), SIZE_MAX);
  }));
}
AIWC_CUDA_API CUresult cuModuleLoad(CUmodule *module, const char *path) {
  return result(answer([&](Runtime &runtime) {
    require(module && path, cudaErrorInvalidValue);
    std::ifstream file(path, std::ios::binary);
    require(file.is_open(), cudaErrorFileNotFound);
    const std::string image{std::istreambuf_iterator<char>(file), {}};
    load(runtime, module, image.c_str(), image.size());
  }));
}
AIWC_CUDA_API CUresult cuModuleUnload(CUmodule module) {
  delete module;
  return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
AIWC_CUDA_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                                           const char *name) {
  return result(answer([&](Runtime &runtime) {
    require(function && name, cudaErrorInvalidValue);
    require(module, cudaErrorInvalidResourceHandle);
    RuntimeKernel *kernel = module->program->kernel(name);
    require(kernel, cudaErrorInvalidDeviceFunction);
    // From here on a function like those of the host's code.
    runtime.programs.addKernel(module->program, kernel, name);
    *function = reinterpret_cast<CUfunction>(kernel);
  }));
}
AIWC_CUDA_API CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module,
                                         const char *name) {
  return result(answer([&](Runtime &) {
    require(name, cudaErrorInvalidValue);
    require(module, cudaErrorInvalidResourceHandle);
    const RuntimeProgram::Symbol *symbol = module->program->symbol(name);
    require(symbol, cudaErrorInvalidSymbol);
    if (address)
      *address = symbol->address;
    if (bytes)
      *bytes = symbol->bytes;
  }));
}

AIWC_CUDA_API CUresult cuLaunchKernel(CUfunction function, unsigned int gridX, unsigned int gridY,
                                      unsigned int gridZ, unsigned int blockX, unsigned int blockY,
                                      unsigned int blockZ, unsigned int sharedBytes,
                                      CUstream stream, void **arguments, void **buffer) {
  std::vector<void *> unpacked;
  const cudaError_t status = answer([&](Runtime &runtime) {
    require(!arguments || !buffer, cudaErrorInvalidValue);
    if (buffer)
      unpacked = argumentsIn(
          runtime.programs.kernel(*runtime.simulator, runtime.memory, function).entry.argumentBytes,
          buffer);
  });
  if (status != cudaSuccess)
    return result(status);
  return result(cudaLaunchKernel(function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                                 buffer ? unpacked.data() : arguments, sharedBytes, stream));
}
AIWC_CUDA_API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                                   int blockSize,
                                                                   size_t sharedBytes) {
  return result(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, blockSize, sharedBytes));
}
AIWC_CUDA_API CUresult cuOccupancyMaxPotentialBlockSize(int *gridSize, int *blockSize,
                                                        CUfunction function,
                                                        CUoccupancyB2DSize sharedOfBlock,
                                                        size_t sharedBytes, int limit) {
  const auto shared = [&](int size) { return sharedOfBlock ? sharedOfBlock(size) : sharedBytes; };
  return result(
      cudaOccupancyMaxPotentialBlockSizeVariableSMem(gridSize, blockSize, function, shared, limit));
}

AIWC_CUDA_API CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes) {
  static_assert(sizeof(CUdeviceptr) == sizeof(void *));
  return result(cudaMalloc(reinterpret_cast<void **>(pointer), bytes));
}
AIWC_CUDA_API CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags) {
  return result(cudaMallocManaged(reinterpret_cast<void **>(pointer), bytes, flags));
}
AIWC_CUDA_API CUresult cuMemFree(CUdeviceptr pointer) {
  return result(cudaFree(pointerOf(pointer)));
}
AIWC_CUDA_API CUresult cuMemAllocHost(void **pointer, size_t bytes) {
  return result(cudaMallocHost(pointer, bytes));
}
AIWC_CUDA_API CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags) {
  return result(cudaHostAlloc(pointer, bytes, flags));
}
AIWC_CUDA_API CUresult cuMemFreeHost(void *pointer) {
  return result(cudaFreeHost(pointer));
}
AIWC_CUDA_API CUresult cuMemGetInfo(size_t *free, size_t *total) {
  return result(cudaMemGetInfo(free, total));
}
AIWC_CUDA_API CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes) {
  return cuMemcpyHtoDAsync(to, from, bytes, nullptr);
}
AIWC_CUDA_API CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes) {
  return cuMemcpyDtoHAsync(to, from, bytes, nullptr);
}
AIWC_CUDA_API CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return result(cudaMemcpy(pointerOf(to), pointerOf(from), bytes, cudaMemcpyDeviceToDevice));
}
AIWC_CUDA_API CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes,
                                         CUstream stream) {
  return result(cudaMemcpyAsync(pointerOf(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
AIWC_CUDA_API CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes,
                                         CUstream stream) {
  return result(cudaMemcpyAsync(to, pointerOf(from), bytes, cudaMemcpyDeviceToHost, stream));
}
AIWC_CUDA_API CUresult cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t bytes) {
  return result(cudaMemset(pointerOf(pointer), value, bytes));
}

AIWC_CUDA_API CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  return result(cudaStreamCreateWithFlags(stream, flags));
}
AIWC_CUDA_API CUresult cuStreamDestroy(CUstream stream) {
  return result(cudaStreamDestroy(stream));
}
AIWC_CUDA_API CUresult cuStreamSynchronize(CUstream stream) {
  return result(cudaStreamSynchronize(stream));
}
AIWC_CUDA_API CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  return result(cudaEventCreateWithFlags(event, flags));
}
AIWC_CUDA_API CUresult cuEventDestroy(CUevent event) {
  return result(cudaEventDestroy(event));
}
AIWC_CUDA_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  return result(cudaEventRecord(event, stream));
}
AIWC_CUDA_API CUresult cuEventSynchronize(CUevent event) {
  return result(cudaEventSynchronize(event));
}
AIWC_CUDA_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return result(cudaEventElapsedTime(milliseconds, start, end));
}
