#include "opencl_host/opencl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

namespace aiwc::opencl {
namespace {

[[noreturn]] void failWithout(const char *function) {
  throw Error(fmt::format("the OpenCL library has no {}: expected OpenCL 1.2 or later", function));
}

/// A library that the process does not have yet.
void *openedLibrary() {
  const char *chosen = std::getenv("AIWC_OPENCL_LIBRARY");
  const std::string name = chosen && *chosen ? chosen : "libOpenCL.so.1";
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(fmt::format("{} cannot be opened: {}: expected an OpenCL library, as of the Debian "
                            "package ocl-icd-libopencl1",
                            name, dlerror()));
  return library;
}

/// The name of a function of `api()`.
const char *functionName(const void *function) {
  const char *found = "OpenCL";
  forEachFunction(api(), [&](auto entry, const char *name) {
    if (reinterpret_cast<const void *>(entry) == function)
      found = name;
  });
  return found;
}

// clang-format off
#define AIWC_STATUSES(S)                                                                           \
  S(CL_SUCCESS) S(CL_DEVICE_NOT_FOUND) S(CL_DEVICE_NOT_AVAILABLE) S(CL_COMPILER_NOT_AVAILABLE)     \
  S(CL_MEM_OBJECT_ALLOCATION_FAILURE) S(CL_OUT_OF_RESOURCES) S(CL_OUT_OF_HOST_MEMORY)              \
  S(CL_PROFILING_INFO_NOT_AVAILABLE) S(CL_MEM_COPY_OVERLAP) S(CL_IMAGE_FORMAT_MISMATCH)            \
  S(CL_IMAGE_FORMAT_NOT_SUPPORTED) S(CL_BUILD_PROGRAM_FAILURE) S(CL_MAP_FAILURE)                   \
  S(CL_MISALIGNED_SUB_BUFFER_OFFSET) S(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)               \
  S(CL_COMPILE_PROGRAM_FAILURE) S(CL_LINKER_NOT_AVAILABLE) S(CL_LINK_PROGRAM_FAILURE)              \
  S(CL_DEVICE_PARTITION_FAILED) S(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) S(CL_INVALID_VALUE)            \
  S(CL_INVALID_DEVICE_TYPE) S(CL_INVALID_PLATFORM) S(CL_INVALID_DEVICE) S(CL_INVALID_CONTEXT)      \
  S(CL_INVALID_QUEUE_PROPERTIES) S(CL_INVALID_COMMAND_QUEUE) S(CL_INVALID_HOST_PTR)                \
  S(CL_INVALID_MEM_OBJECT) S(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) S(CL_INVALID_IMAGE_SIZE)          \
  S(CL_INVALID_SAMPLER) S(CL_INVALID_BINARY) S(CL_INVALID_BUILD_OPTIONS) S(CL_INVALID_PROGRAM)     \
  S(CL_INVALID_PROGRAM_EXECUTABLE) S(CL_INVALID_KERNEL_NAME) S(CL_INVALID_KERNEL_DEFINITION)       \
  S(CL_INVALID_KERNEL) S(CL_INVALID_ARG_INDEX) S(CL_INVALID_ARG_VALUE) S(CL_INVALID_ARG_SIZE)      \
  S(CL_INVALID_KERNEL_ARGS) S(CL_INVALID_WORK_DIMENSION) S(CL_INVALID_WORK_GROUP_SIZE)             \
  S(CL_INVALID_WORK_ITEM_SIZE) S(CL_INVALID_GLOBAL_OFFSET) S(CL_INVALID_EVENT_WAIT_LIST)           \
  S(CL_INVALID_EVENT) S(CL_INVALID_OPERATION) S(CL_INVALID_GL_OBJECT) S(CL_INVALID_BUFFER_SIZE)    \
  S(CL_INVALID_MIP_LEVEL) S(CL_INVALID_GLOBAL_WORK_SIZE) S(CL_INVALID_PROPERTY)                    \
  S(CL_INVALID_IMAGE_DESCRIPTOR) S(CL_INVALID_COMPILER_OPTIONS) S(CL_INVALID_LINKER_OPTIONS)       \
  S(CL_INVALID_DEVICE_PARTITION_COUNT) S(CL_PLATFORM_NOT_FOUND_KHR)
// clang-format on

} // namespace

const Functions &api() {
  static const Functions functions = [] {
    void *const library = dlsym(RTLD_DEFAULT, "clGetPlatformIDs") ? RTLD_DEFAULT : openedLibrary();
    auto found = functionsFoundBy([&](const char *name) { return dlsym(library, name); });
    failWhereAbsent<failWithout>(found);
    return found;
  }();
  return functions;
}

std::string statusName(cl_int status) {
  switch (status) {
#define AIWC_NAME(name)                                                                            \
  case name:                                                                                       \
    return fmt::format("{} ({})", #name, status);
    AIWC_STATUSES(AIWC_NAME)
#undef AIWC_NAME
  default:
    return fmt::format("status {}", status);
  }
}

StatusError::StatusError(const void *function, cl_int status)
    : Error(fmt::format("{} failed with {}: expected CL_SUCCESS", functionName(function),
                        statusName(status))),
      status_(status) {}
StatusError::~StatusError() = default;

BuildError::BuildError(cl_int status, std::string log)
    : StatusError(fmt::format("clBuildProgram failed with {}: expected CL_SUCCESS: {}",
                              statusName(status), log),
                  status),
      log_(std::move(log)) {}
BuildError::~BuildError() = default;

void setArgument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  call(api().clSetKernelArg, kernel, index, bytes, value);
}

cl_device_id firstDevice() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  call(api().clGetPlatformIDs, 1, &platform, nullptr);
  call(api().clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  return device;
}

CommandTimes timesOf(cl_event event) {
  call(api().clWaitForEvents, 1, &event);
  const auto at = [&](cl_profiling_info what) {
    return ask<cl_ulong>(api().clGetEventProfilingInfo, what, event);
  };
  // Differences first: a clock may count from so long ago that a double has no nanoseconds left.
  const cl_ulong queued = at(CL_PROFILING_COMMAND_QUEUED);
  const auto since = [&](cl_profiling_info what) {
    return static_cast<double>(static_cast<cl_long>(at(what) - queued));
  };
  return {since(CL_PROFILING_COMMAND_START), since(CL_PROFILING_COMMAND_END)};
}

Device::Device(cl_device_id id, cl_command_queue_properties properties)
    : id_(id), context_(make(api().clCreateContext, nullptr, 1, &id_, nullptr, nullptr)),
      queue_(make(api().clCreateCommandQueue, context(), id_, properties)) {}

Owned<cl_mem> Device::buffer(size_t bytes, cl_mem_flags flags, void *host) const {
  return make(api().clCreateBuffer, context(), flags, bytes, host);
}

void Device::write(cl_mem buffer, const void *data, size_t bytes, size_t offset) const {
  call(api().clEnqueueWriteBuffer, queue(), buffer, CL_TRUE, offset, bytes, data, 0, nullptr,
       nullptr);
}

void Device::read(cl_mem buffer, void *data, size_t bytes, size_t offset) const {
  call(api().clEnqueueReadBuffer, queue(), buffer, CL_TRUE, offset, bytes, data, 0, nullptr,
       nullptr);
}

Owned<cl_program> Device::program(std::string_view source) const {
  const char *text = source.data();
  const size_t bytes = source.size();
  return make(api().clCreateProgramWithSource, context(), 1, &text, &bytes);
}

void Device::build(cl_program program, const std::string &options) const {
  const cl_int status = api().clBuildProgram(program, 1, &id_, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS)
    throw BuildError(status,
                     askText(api().clGetProgramBuildInfo, CL_PROGRAM_BUILD_LOG, program, id_));
}

Owned<cl_program> Device::built(std::string_view source, const std::string &options) const {
  Owned<cl_program> made = program(source);
  build(made.get(), options);
  return made;
}

void Device::launch(cl_kernel kernel, cl_uint dimensions, const size_t *global, const size_t *local,
                    const size_t *offset, cl_event *event) const {
  call(api().clEnqueueNDRangeKernel, queue(), kernel, dimensions, offset, global, local, 0, nullptr,
       event);
}

void Device::finish() const {
  call(api().clFinish, queue());
}

} // namespace aiwc::opencl
