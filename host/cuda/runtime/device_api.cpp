// The one device, as the simulator describes it.
#include "cuda/runtime/runtime.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <utility>

using namespace aiwc::cuda;

namespace {

void requireDevice(int device) {
  require(device == 0, cudaErrorInvalidDevice);
}

int toInt(uint64_t value) {
  return static_cast<int>(std::min<uint64_t>(value, INT_MAX));
}

/// `__CUDA_ARCH__` of the program's code.
std::atomic<int> architecture = 700;

} // namespace

/// CUDA C++ Programming Guide, technical specifications per compute capability.
size_t aiwc::cuda::mostSharedBytes() {
  constexpr std::pair<int, size_t> kKibibytes[] = {{1200, 99}, {900, 227}, {890, 99}, {870, 163},
                                                   {860, 99},  {800, 163}, {750, 64}, {0, 96}};
  for (const auto &[from, kibibytes] : kKibibytes)
    if (architecture >= from)
      return kibibytes << 10;
  return 0;
}

namespace {

/// What OpenCL does not tell is what compute capability 7.0 has.
cudaDeviceProp describe(const Simulator &simulator) {
  cudaDeviceProp p{};
  const std::string name = simulator.name();
  std::memcpy(p.name, name.data(), std::min(name.size(), sizeof p.name - 1));
  std::memcpy(p.gcnArchName, "gfx000", 7);
  p.totalGlobalMem = simulator.globalBytes;
  p.sharedMemPerBlock = simulator.unaskedSharedBytes;
  p.sharedMemPerBlockOptin = p.sharedMemPerMultiprocessor = simulator.sharedBytes;
  if (p.sharedMemPerBlockOptin > p.sharedMemPerBlock && architecture >= 800)
    p.sharedMemPerMultiprocessor += p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = INT_MAX;
  p.maxThreadsPerBlock = toInt(simulator.maxBlockThreads);
  const int block[] = {1024, 1024, 64}, grid[] = {INT_MAX, 65535, 65535};
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = std::min(block[i], p.maxThreadsPerBlock);
    p.maxGridSize[i] = grid[i];
  }
  p.clockRate = toInt(uint64_t{1000} * simulator.ask<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY));
  p.totalConstMem = simulator.ask<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  p.major = architecture / 100;
  p.minor = architecture / 10 % 10;
  p.textureAlignment = p.texturePitchAlignment = p.surfaceAlignment = 512;
  p.multiProcessorCount = toInt(simulator.ask<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  p.deviceOverlap = p.concurrentKernels = p.computePreemptionSupported = 1;
  p.asyncEngineCount = 2;
  p.canMapHostMemory = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.concurrentManagedAccess = 0;
  p.canUseHostPointerForRegisteredMem = 1;
  p.memoryClockRate = p.clockRate;
  p.memoryBusWidth = 256;
  p.l2CacheSize = toInt(simulator.ask<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

/// HIP's: 64 if the device that the simulator shows has that many, else CUDA's.
int wavefrontSize(const Simulator &simulator) {
  constexpr cl_device_info kMostSubGroups = 0x105c; // OpenCL 2.1's CL_DEVICE_MAX_NUM_SUB_GROUPS
  const uint64_t most = simulator.ask<cl_uint>(kMostSubGroups);
  return most * 64 == simulator.maxBlockThreads ? 64 : 32;
}

int attributeOf(const cudaDeviceProp &p, cudaDeviceAttr attribute) {
  switch (attribute) {
  case cudaDevAttrMaxThreadsPerBlock:
    return p.maxThreadsPerBlock;
  case cudaDevAttrMaxBlockDimX:
    return p.maxThreadsDim[0];
  case cudaDevAttrMaxBlockDimY:
    return p.maxThreadsDim[1];
  case cudaDevAttrMaxBlockDimZ:
    return p.maxThreadsDim[2];
  case cudaDevAttrMaxGridDimX:
    return p.maxGridSize[0];
  case cudaDevAttrMaxGridDimY:
    return p.maxGridSize[1];
  case cudaDevAttrMaxGridDimZ:
    return p.maxGridSize[2];
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return toInt(p.sharedMemPerBlock);
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return toInt(p.sharedMemPerMultiprocessor);
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return toInt(p.sharedMemPerBlockOptin);
  case cudaDevAttrReservedSharedMemoryPerBlock:
    return toInt(p.reservedSharedMemPerBlock);
  case cudaDevAttrTotalConstantMemory:
    return toInt(p.totalConstMem);
  case cudaDevAttrWarpSize:
    return p.warpSize;
  case cudaDevAttrMaxPitch:
    return toInt(p.memPitch);
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return p.regsPerBlock;
  case cudaDevAttrClockRate:
    return p.clockRate;
  case cudaDevAttrTextureAlignment:
  case cudaDevAttrSurfaceAlignment:
    return toInt(p.textureAlignment);
  case cudaDevAttrMultiProcessorCount:
    return p.multiProcessorCount;
  case cudaDevAttrMemoryClockRate:
    return p.memoryClockRate;
  case cudaDevAttrGlobalMemoryBusWidth:
    return p.memoryBusWidth;
  case cudaDevAttrL2CacheSize:
    return p.l2CacheSize;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return p.maxThreadsPerMultiProcessor;
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return p.maxBlocksPerMultiProcessor;
  case cudaDevAttrComputeCapabilityMajor:
    return p.major;
  case cudaDevAttrComputeCapabilityMinor:
    return p.minor;
  case cudaDevAttrSingleToDoublePrecisionPerfRatio:
    return p.singleToDoublePrecisionPerfRatio;
  case cudaDevAttrAsyncEngineCount:
    return p.asyncEngineCount;
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrComputePreemptionSupported:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrMemoryPoolsSupported:
    return 1;
  default:
    return 0; // what the simulator does not have
  }
}

bool isAttribute(cudaDeviceAttr attribute) {
  switch (attribute) {
#define AIWC_ATTRIBUTE(name, value) case name:
    AIWC_CUDA_ATTRIBUTES(AIWC_ATTRIBUTE)
#undef AIWC_ATTRIBUTE
    return true;
  }
  return false;
}

cudaError_t succeed() {
  return answer([](Runtime &) {});
}

} // namespace

AIWC_CUDA_API cudaError_t cudaGetDeviceCount(int *count) {
  if (count)
    *count = 0; // also where there is no simulator
  return give(count, 1);
}
AIWC_CUDA_API cudaError_t cudaGetDevice(int *device) {
  return give(device, 0);
}
AIWC_CUDA_API cudaError_t cudaSetDevice(int device) {
  return answer([&](Runtime &) { requireDevice(device); });
}
AIWC_CUDA_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device) {
  return answer([&](Runtime &runtime) {
    require(properties, cudaErrorInvalidValue);
    requireDevice(device);
    *properties = describe(*runtime.simulator);
  });
}
AIWC_CUDA_API cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device) {
  return answer([&](Runtime &runtime) {
    require(value && isAttribute(attribute), cudaErrorInvalidValue);
    requireDevice(device);
    *value = attribute == aiwcDevAttrWavefrontSize
                 ? wavefrontSize(*runtime.simulator)
                 : attributeOf(describe(*runtime.simulator), attribute);
  });
}
AIWC_CUDA_API cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *) {
  return give(device, 0);
}
AIWC_CUDA_API cudaError_t cudaSetValidDevices(int *, int) {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaSetDeviceFlags(unsigned int) {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  return give(flags, 0u);
}
AIWC_CUDA_API cudaError_t cudaDeviceSynchronize() {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaThreadSynchronize() {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaThreadExit() {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) {
  return succeed();
}
/// The program's memory stays: its addresses are of no use to it, and it is about to end.
AIWC_CUDA_API cudaError_t cudaDeviceReset() {
  {
    Runtime &runtime = Runtime::get();
    const std::scoped_lock lock(runtime.mutex);
    runtime.ofDevice = cudaSuccess;
  }
  const cudaError_t status = succeed();
  forgetLastError();
  return status;
}
AIWC_CUDA_API cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  // The defaults that CUDA documents.
  return give(value, limit == cudaLimitStackSize        ? size_t{1024}
                     : limit == cudaLimitPrintfFifoSize ? size_t{1} << 20
                     : limit == cudaLimitMallocHeapSize ? size_t{8} << 20
                                                        : size_t{0});
}
AIWC_CUDA_API cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  return give(config, cudaFuncCachePreferNone);
}
AIWC_CUDA_API cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  return give(config, cudaSharedMemBankSizeFourByte);
}
AIWC_CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return answer([&](Runtime &) {
    for (int *bound : {least, greatest})
      if (bound)
        *bound = 0;
  });
}
AIWC_CUDA_API cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
  return answer([&](Runtime &) {
    constexpr char kId[] = "0000:00:00.0";
    require(id && length >= static_cast<int>(sizeof kId), cudaErrorInvalidValue);
    requireDevice(device);
    std::memcpy(id, kId, sizeof kId);
  });
}
AIWC_CUDA_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *) {
  return give(device, 0);
}
AIWC_CUDA_API cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  return give(can, 0);
}
AIWC_CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return answer([](Runtime &) { throw Failure{cudaErrorInvalidDevice}; });
}
AIWC_CUDA_API cudaError_t cudaDeviceDisablePeerAccess(int) {
  return answer([](Runtime &) { throw Failure{cudaErrorInvalidDevice}; });
}
AIWC_CUDA_API cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
  return give(value, 0);
}
AIWC_CUDA_API cudaError_t cudaDriverGetVersion(int *version) {
  return give(version, CUDART_VERSION);
}
AIWC_CUDA_API cudaError_t cudaRuntimeGetVersion(int *version) {
  return give(version, CUDART_VERSION);
}
AIWC_CUDA_API cudaError_t cudaProfilerStart() {
  return succeed();
}
AIWC_CUDA_API cudaError_t cudaProfilerStop() {
  return succeed();
}

/// Called before main() by programs that are built for a later compute capability than 7.0.
AIWC_CUDA_API int aiwcShowComputeCapability(int of) {
  return architecture = std::max<int>(architecture, of);
}
