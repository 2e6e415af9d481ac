// Kernels: what the compiler's host code registers and calls, and what a program asks about them.
#include "aiwc_launch.h"
#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace aiwc::cuda;

namespace {

/// CUDA's limits for compute capability 7.0.
constexpr size_t kMaxGrid[] = {2147483647, 65535, 65535}, kMaxBlock[] = {1024, 1024, 64};

struct Configuration {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
};

/// A call of a kernel inside of another's arguments is configured after it.
std::vector<Configuration> &configurations() {
  static thread_local std::vector<Configuration> instance;
  return instance;
}

void requireShape(const Simulator &simulator, const dim3 &grid, const dim3 &block) {
  const size_t groups[] = {grid.x, grid.y, grid.z}, threads[] = {block.x, block.y, block.z};
  for (int i = 0; i < 3; ++i)
    require(groups[i] > 0 && groups[i] <= kMaxGrid[i] && threads[i] > 0 &&
                threads[i] <= kMaxBlock[i],
            cudaErrorInvalidConfiguration);
  require(threads[0] * threads[1] * threads[2] <= simulator.maxBlockThreads,
          cudaErrorInvalidConfiguration);
}

/// Passes a declared argument, with the device's addresses of memory that both sides see.
cl_int setArgument(Runtime &runtime, cl_kernel kernel, cl_uint index, const void *argument,
                   size_t bytes) {
  std::vector<unsigned char> value(bytes);
  std::memcpy(value.data(), argument, bytes);
  for (size_t at = 0; at + sizeof(size_t) <= bytes; at += sizeof(size_t)) {
    size_t word = 0;
    std::memcpy(&word, &value[at], sizeof word);
    word = runtime.memory.deviceAddress(*runtime.simulator, word);
    std::memcpy(&value[at], &word, sizeof word);
  }
  return clSetKernelArg(kernel, index, bytes, value.data());
}

void setArguments(Runtime &runtime, const RuntimeKernel &kernel, void **arguments,
                  size_t sharedBytes) {
  const DeviceCode::Kernel &entry = kernel.entry;
  cl_uint index = 0;
  cl_int status = CL_SUCCESS;
  const auto pass = [&](cl_int passed) { status = status == CL_SUCCESS ? passed : status; };
  for (; index < entry.argumentBytes.size(); ++index)
    pass(setArgument(runtime, kernel.handle, index, arguments[index], entry.argumentBytes[index]));
  if (entry.hasDynamicShared) // OpenCL has no local memory of 0 bytes
    pass(clSetKernelArg(kernel.handle, index++, std::max<size_t>(sharedBytes, 1), nullptr));
  for (const auto &[space, has] : {std::pair{SymbolSpace::kGlobal, entry.hasGlobal},
                                   std::pair{SymbolSpace::kConstant, entry.hasConstant}})
    if (has) {
      const cl_mem variables = kernel.program->variables(space);
      // NOLINTNEXTLINE(bugprone-sizeof-expression): OpenCL takes the handle
      pass(clSetKernelArg(kernel.handle, index++, sizeof variables, &variables));
    }
  require(status == CL_SUCCESS, cudaErrorInvalidKernelImage);
}

/// The most of a block of the kernel, static and dynamic ones.
size_t sharedBytesFor(const RuntimeKernel &kernel, const Simulator &simulator) {
  return std::max(simulator.unaskedSharedBytes, kernel.askedSharedBytes);
}

/// The most threads of a block of the kernel.
size_t mostThreadsOf(const RuntimeKernel &kernel, const Simulator &simulator) {
  const size_t bound = kernel.entry.mostThreads;
  return bound == 0 ? simulator.maxBlockThreads : std::min(bound, simulator.maxBlockThreads);
}

void launch(Runtime &runtime, const void *function, const dim3 &grid, const dim3 &block,
            void **arguments, size_t sharedBytes, cudaStream_t stream) {
  const Simulator &simulator = *runtime.simulator;
  requireStream(runtime, stream);
  requireShape(simulator, grid, block);
  RuntimeKernel &kernel = runtime.programs.kernel(simulator, runtime.memory, function);
  const size_t most = sharedBytesFor(kernel, simulator);
  require(size_t{block.x} * block.y * block.z <= mostThreadsOf(kernel, simulator),
          cudaErrorInvalidValue);
  require(sharedBytes <= most && kernel.entry.sharedBytes <= most - sharedBytes,
          cudaErrorInvalidValue);
  require(arguments || kernel.entry.argumentBytes.empty(), cudaErrorInvalidValue);
  setArguments(runtime, kernel, arguments, sharedBytes);

  const size_t local[] = {block.x, block.y, block.z};
  const size_t global[] = {size_t{grid.x} * block.x, size_t{grid.y} * block.y,
                           size_t{grid.z} * block.z};
  const cl_uint dimensions = global[2] > 1 ? 3 : global[1] > 1 ? 2 : 1;
  const Memory::Translated translated(simulator, runtime.memory);
  const cl_int status = clEnqueueNDRangeKernel(simulator.queue, kernel.handle, dimensions, nullptr,
                                               global, local, 0, nullptr, nullptr);
  require(status == CL_SUCCESS, cudaErrorLaunchOutOfResources);
  require(clFinish(simulator.queue) == CL_SUCCESS, cudaErrorLaunchFailure);
  if (kernel.program->takeFailedAssertion())
    runtime.ofDevice = cudaErrorAssert;
}

struct FatBinary {
  unsigned int magic, version;
  const char *code;
  void *unused;
};

RuntimeProgram *program(void **handle) {
  return reinterpret_cast<RuntimeProgram *>(handle);
}

} // namespace

// What clang calls for HIP. NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

AIWC_CUDA_API void **__hipRegisterFatBinary(const void *wrapper) {
  Runtime &runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  const auto *binary = static_cast<const FatBinary *>(wrapper);
  return reinterpret_cast<void **>(runtime.programs.add(binary->code));
}
/// The simulator may be gone, and needs none of it.
AIWC_CUDA_API void __hipUnregisterFatBinary(void **) {}

AIWC_CUDA_API void __hipRegisterFunction(void **handle, const void *function, char *,
                                         const char *name, unsigned int, void *, void *, void *,
                                         void *, int *) {
  Runtime &runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  runtime.programs.addKernel(program(handle), function, name);
}
AIWC_CUDA_API void __hipRegisterVar(void **handle, void *variable, char *, const char *name, int,
                                    size_t, int, int) {
  Runtime &runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  runtime.programs.addSymbol(program(handle), variable, name);
}
/// The host's code reads the variable's address from `pointer`, from now on.
AIWC_CUDA_API void __hipRegisterManagedVar(void **handle, void **pointer, const void *initial,
                                           const char *name, size_t bytes, unsigned int) {
  Runtime &runtime = Runtime::get();
  const std::scoped_lock lock(runtime.mutex);
  *pointer = aiwc::mapShared(bytes);
  if (!*pointer) {
    say("no memory for the variable %s", name);
    std::abort();
  }
  std::memcpy(*pointer, initial, bytes);
  program(handle)->addManaged(name, *pointer, bytes);
}

AIWC_CUDA_API unsigned int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes,
                                                      cudaStream_t stream) {
  configurations().push_back({grid, block, sharedBytes, stream});
  return 0;
}
AIWC_CUDA_API cudaError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *sharedBytes,
                                                    cudaStream_t *stream) {
  if (configurations().empty())
    return remember(cudaErrorMissingConfiguration);
  const Configuration configuration = configurations().back();
  configurations().pop_back();
  *grid = configuration.grid;
  *block = configuration.block;
  *sharedBytes = configuration.sharedBytes;
  *stream = configuration.stream;
  return cudaSuccess;
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

AIWC_CUDA_API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                                           void **arguments, size_t sharedBytes,
                                           cudaStream_t stream) {
  return answer([&](Runtime &runtime) {
    launch(runtime, function, grid, block, arguments, sharedBytes, stream);
  });
}
AIWC_CUDA_API cudaError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block,
                                          void **arguments, size_t sharedBytes,
                                          cudaStream_t stream) {
  return cudaLaunchKernel(function, grid, block, arguments, sharedBytes, stream);
}

/// Of the attributes, those that only hint at an order or at caches change nothing here.
AIWC_CUDA_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration,
                                              const void *function, void **arguments) {
  if (!configuration || (configuration->numAttrs > 0 && !configuration->attrs))
    return remember(cudaErrorInvalidValue);
  const cudaLaunchConfig_t &c = *configuration;
  for (unsigned int i = 0; i < c.numAttrs; ++i) {
    const cudaLaunchAttributeValue &value = c.attrs[i].val;
    if (c.attrs[i].id == cudaLaunchAttributeCooperative && value.cooperative)
      return cudaLaunchCooperativeKernel(function, c.gridDim, c.blockDim, arguments,
                                         c.dynamicSmemBytes, c.stream);
    const auto &cluster = value.clusterDim;
    if (c.attrs[i].id == cudaLaunchAttributeClusterDimension &&
        (cluster.x > 1 || cluster.y > 1 || cluster.z > 1))
      return refuse(__func__, "clusters of blocks");
  }
  return cudaLaunchKernel(function, c.gridDim, c.blockDim, arguments, c.dynamicSmemBytes, c.stream);
}

AIWC_CUDA_API cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                                const void *function) {
  return answer([&](Runtime &runtime) {
    require(attributes, cudaErrorInvalidValue);
    const Simulator &simulator = *runtime.simulator;
    const RuntimeKernel &kernel = runtime.programs.kernel(simulator, runtime.memory, function);
    *attributes = {};
    attributes->sharedSizeBytes = kernel.entry.sharedBytes;
    attributes->maxThreadsPerBlock = static_cast<int>(mostThreadsOf(kernel, simulator));
    attributes->ptxVersion = attributes->binaryVersion = 70;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(sharedBytesFor(kernel, simulator)) -
                                            static_cast<int>(kernel.entry.sharedBytes);
  });
}
AIWC_CUDA_API cudaError_t cudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute,
                                               int value) {
  return answer([&](Runtime &runtime) {
    const Simulator &simulator = *runtime.simulator;
    RuntimeKernel &kernel = runtime.programs.kernel(simulator, runtime.memory, function);
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
      return;
    const size_t asked = kernel.entry.sharedBytes + static_cast<size_t>(std::max(value, 0));
    require(attribute == cudaFuncAttributeMaxDynamicSharedMemorySize && value >= 0 &&
                asked <= simulator.sharedBytes,
            cudaErrorInvalidValue);
    kernel.askedSharedBytes = asked;
  });
}
AIWC_CUDA_API cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) {
  return answer([](Runtime &) {});
}
AIWC_CUDA_API cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig) {
  return answer([](Runtime &) {});
}

/// By threads and shared memory: the simulator has no registers.
AIWC_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int blockSize, size_t sharedBytes, unsigned int) {
  return answer([&](Runtime &runtime) {
    require(blocks && blockSize > 0, cudaErrorInvalidValue);
    const Simulator &simulator = *runtime.simulator;
    const RuntimeKernel &kernel = runtime.programs.kernel(simulator, runtime.memory, function);
    constexpr size_t kMostThreads = 2048, kMostBlocks = 32, kWarp = 32;
    const size_t threads = (static_cast<size_t>(blockSize) + kWarp - 1) / kWarp * kWarp;
    const size_t shared = kernel.entry.sharedBytes + sharedBytes;
    size_t most = static_cast<size_t>(blockSize) > mostThreadsOf(kernel, simulator)
                      ? 0
                      : kMostThreads / threads;
    if (shared > 0)
      most = std::min(most, simulator.sharedBytes / shared);
    *blocks = static_cast<int>(std::min(most, kMostBlocks));
  });
}
AIWC_CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                                        const void *function,
                                                                        int blockSize,
                                                                        size_t sharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, blockSize,
                                                                sharedBytes, 0);
}
AIWC_CUDA_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                                    const void *function,
                                                                    int blocks, int blockSize) {
  return answer([&](Runtime &runtime) {
    require(bytes && blocks > 0 && blockSize > 0, cudaErrorInvalidValue);
    const Simulator &simulator = *runtime.simulator;
    const size_t own =
        runtime.programs.kernel(simulator, runtime.memory, function).entry.sharedBytes;
    const size_t each = simulator.sharedBytes / static_cast<size_t>(blocks);
    *bytes = each > own ? each - own : 0;
  });
}
