#include "cuda/runtime/simulator.h"

#include "cuda/runtime/failure.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

namespace aiwc::cuda {

namespace {

/// While it exists, Oclgrind gives a work-group so many bytes of local memory where it would give
/// it those of NVIDIA's GPUs in OpenCL. Other threads may not read the environment then.
class LocalMemory {
public:
  explicit LocalMemory(size_t bytes) {
    if (shown_ == std::to_string(kShownByNvidia))
      setenv(kVariable, std::to_string(bytes).c_str(), 1);
  }
  LocalMemory(const LocalMemory &) = delete;
  LocalMemory &operator=(const LocalMemory &) = delete;
  ~LocalMemory() {
    if (!shown_.empty())
      setenv(kVariable, shown_.c_str(), 1);
  }
  size_t shownBytes() const { return std::strtoull(shown_.c_str(), nullptr, 10); }

private:
  static constexpr const char *kVariable = "OCLGRIND_LOCAL_MEM_SIZE";
  static constexpr size_t kShownByNvidia = size_t{48} << 10;
  static std::string valueOf(const char *variable) {
    const char *value = std::getenv(variable);
    return value ? value : "";
  }
  const std::string shown_ = valueOf(kVariable);
};

} // namespace

std::unique_ptr<Simulator> Simulator::find(size_t optInBytes) {
  auto found = std::make_unique<Simulator>();
  found->addressOfLastBuffer_ =
      reinterpret_cast<size_t (*)()>(dlsym(RTLD_DEFAULT, "aiwcAddressOfLastBuffer"));
  if (!found->addressOfLastBuffer_)
    return nullptr;
  const LocalMemory localMemory(optInBytes);
  cl_platform_id platform = nullptr;
  cl_int status = CL_SUCCESS;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &found->device, nullptr) != CL_SUCCESS)
    return nullptr;
  found->context = clCreateContext(nullptr, 1, &found->device, nullptr, nullptr, &status);
  if (status != CL_SUCCESS)
    return nullptr;
  found->queue = clCreateCommandQueue(found->context, found->device, 0, &status);
  if (status != CL_SUCCESS)
    return nullptr;
  found->maxBlockThreads = found->ask<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  found->sharedBytes = found->ask<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  const size_t shown = localMemory.shownBytes();
  found->unaskedSharedBytes = shown > 0 ? std::min(shown, found->sharedBytes) : found->sharedBytes;
  found->globalBytes = found->ask<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  return found;
}

Simulator::Buffer Simulator::create(size_t bytes, void *host) const {
  cl_int status = CL_SUCCESS;
  Buffer buffer;
  buffer.memory = clCreateBuffer(context, CL_MEM_READ_WRITE | (host ? CL_MEM_USE_HOST_PTR : 0),
                                 bytes, host, &status);
  require(status == CL_SUCCESS, cudaErrorMemoryAllocation);
  buffer.address = addressOfLastBuffer_();
  return buffer;
}

void Simulator::finish(cl_int status) const {
  require(status == CL_SUCCESS && clFinish(queue) == CL_SUCCESS, cudaErrorUnknown);
}

std::string Simulator::name() const {
  char text[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text - 1, text, nullptr);
  return text;
}

} // namespace aiwc::cuda
