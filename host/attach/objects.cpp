#include "attach/objects.h"

#include "opencl_api/answers.h"
#include "profile/source_hash.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace aiwc::attach {

namespace {

constexpr size_t kMostBytesInText = 64;

/// A value as run.json has it: of 4 and 8 bytes a number, else the bytes.
std::string valueText(const std::vector<unsigned char> &bytes) {
  if (bytes.size() > kMostBytesInText)
    return profile::sourceHash({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  std::string text = "0x";
  for (const unsigned char byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

} // namespace

cl_mem SetArgument::handle() const {
  cl_mem handle = nullptr;
  if (value.size() == sizeof(cl_mem))
    std::memcpy(&handle, value.data(), sizeof(cl_mem));
  return handle;
}

std::string Objects::deviceName(cl_device_id device) const {
  return opencl::askText(opencl_.clGetDeviceInfo, CL_DEVICE_NAME, device);
}

void Objects::addQueue(cl_command_queue handle, Queue queue) {
  queue.deviceName = deviceName(queue.device);
  const std::scoped_lock lock(mutex_);
  queues_[handle] = std::move(queue);
}

Queue Objects::queue(cl_command_queue handle) {
  const std::scoped_lock lock(mutex_);
  const auto [found, isNew] = queues_.try_emplace(handle);
  Queue &queue = found->second;
  if (isNew) {
    queue.device = opencl::askOr<cl_device_id>(nullptr, opencl_.clGetCommandQueueInfo,
                                               CL_QUEUE_DEVICE, handle);
    const auto properties = opencl::askOr<cl_command_queue_properties>(
        0, opencl_.clGetCommandQueueInfo, CL_QUEUE_PROPERTIES, handle);
    queue.isTimed = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    queue.isInOrder = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    queue.deviceName = deviceName(queue.device);
  }
  return queue;
}

void Objects::addKernel(cl_kernel handle) {
  const std::scoped_lock lock(mutex_);
  kernels_.erase(handle); // one that was released had the same handle
  kernelOf(handle);
}

void Objects::addClone(cl_kernel handle, cl_kernel of) {
  const std::scoped_lock lock(mutex_);
  AttachedKernel copy = kernelOf(of);
  kernels_[handle] = std::move(copy);
}

AttachedKernel &Objects::kernelOf(cl_kernel handle) {
  const auto [found, isNew] = kernels_.try_emplace(handle);
  AttachedKernel &kernel = found->second;
  if (!isNew)
    return kernel;
  kernel.name = opencl::askText(opencl_.clGetKernelInfo, CL_KERNEL_FUNCTION_NAME, handle);
  kernel.program =
      opencl::askOr<cl_program>(nullptr, opencl_.clGetKernelInfo, CL_KERNEL_PROGRAM, handle);
  std::string source = opencl::askText(opencl_.clGetProgramInfo, CL_PROGRAM_SOURCE, kernel.program);
  if (!source.empty()) {
    kernel.identity.sourceKind = "opencl-c";
    kernel.identity.sourceHash = profile::sourceHash(source);
    kernel.source = std::make_shared<const std::string>(std::move(source));
  } else if (std::string spirv =
                 opencl::askBytes(opencl_.clGetProgramInfo, CL_PROGRAM_IL, kernel.program);
             !spirv.empty()) {
    kernel.identity.sourceKind = "bitcode";
    kernel.source = std::make_shared<const std::string>(std::move(spirv));
    kernel.isSpirv = true;
  }
  kernel.parameters =
      opencl::askOr<cl_uint>(0, opencl_.clGetKernelInfo, CL_KERNEL_NUM_ARGS, handle);
  const auto devices =
      opencl::askOr<cl_uint>(0, opencl_.clGetProgramInfo, CL_PROGRAM_NUM_DEVICES, kernel.program);
  std::vector<cl_device_id> ids(devices);
  if (devices > 0 &&
      opencl_.clGetProgramInfo(kernel.program, CL_PROGRAM_DEVICES, devices * sizeof(cl_device_id),
                               ids.data(), nullptr) == CL_SUCCESS)
    kernel.identity.buildOptions = opencl::askText(
        opencl_.clGetProgramBuildInfo, CL_PROGRAM_BUILD_OPTIONS, kernel.program, ids[0]);
  kernel.identity.kernel = kernel.name;
  return kernel;
}

void Objects::setArgument(cl_kernel handle, cl_uint index, size_t bytes, const void *value) {
  const std::scoped_lock lock(mutex_);
  SetArgument &argument = kernelOf(handle).arguments[index];
  argument.bytes = bytes;
  argument.value.clear();
  if (value) {
    const auto *from = static_cast<const unsigned char *>(value);
    argument.value.assign(from, from + bytes);
  }
}

void Objects::setPointer(cl_kernel handle) {
  const std::scoped_lock lock(mutex_);
  kernelOf(handle).hasPointers = true;
}

AttachedKernel Objects::nextLaunch(cl_kernel handle) {
  const std::scoped_lock lock(mutex_);
  AttachedKernel kernel = kernelOf(handle);
  kernel.launches = launches_[kernel.name]++;
  return kernel;
}

void Objects::addBuffer(cl_mem handle, uint64_t bytes, cl_mem_flags flags, cl_mem parent) {
  const std::scoped_lock lock(mutex_);
  const auto of = memory_.find(parent);
  Memory memory{bytes};
  if (parent && of != memory_.end()) {
    memory.number = of->second.number;
  } else {
    memory.number = hasContent_.size();
    hasContent_.push_back(parent || (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0);
  }
  memory.isReadOnly = (flags & CL_MEM_READ_ONLY) != 0;
  memory_[handle] = memory;
}

void Objects::addImage(cl_mem handle, uint64_t bytes) {
  const std::scoped_lock lock(mutex_);
  memory_[handle] = {bytes, true, hasContent_.size()};
  hasContent_.push_back(true);
}

void Objects::written(cl_mem handle) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = memory_.find(handle); found != memory_.end())
    hasContent_[found->second.number] = true;
}

void Objects::launched(const AttachedKernel &kernel) {
  const std::scoped_lock lock(mutex_);
  for (const auto &[index, argument] : kernel.arguments)
    if (const auto found = memory_.find(argument.handle());
        found != memory_.end() && !found->second.isReadOnly)
      hasContent_[found->second.number] = true;
}

void Objects::hasUnknownFunctions() {
  const std::scoped_lock lock(mutex_);
  areAllSeen_ = false;
}

std::optional<Memory> Objects::memory(cl_mem handle) {
  const std::scoped_lock lock(mutex_);
  const auto found = memory_.find(handle);
  if (found == memory_.end())
    return std::nullopt;
  Memory memory = found->second;
  memory.hasContent = !areAllSeen_ || hasContent_[memory.number];
  return memory;
}

std::vector<run::Argument> argumentsOf(const AttachedKernel &kernel, Objects &objects) {
  std::vector<run::Argument> arguments;
  for (const auto &[index, set] : kernel.arguments) {
    if (index >= arguments.size())
      arguments.resize(index + 1);
    run::Argument &argument = arguments[index];
    argument.bytes = set.bytes;
    if (set.value.empty()) {
      argument.kind = run::Argument::Kind::kLocal;
      continue;
    }
    const cl_mem handle = set.handle();
    if (const auto memory = handle ? objects.memory(handle) : std::nullopt) {
      argument.kind = memory->isImage ? run::Argument::Kind::kImage : run::Argument::Kind::kBuffer;
      argument.bytes = memory->bytes;
      argument.allocation = memory->number;
    } else {
      argument.kind = run::Argument::Kind::kValue;
      argument.value = valueText(set.value);
    }
  }
  return arguments;
}

} // namespace aiwc::attach
