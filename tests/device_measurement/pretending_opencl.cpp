// An OpenCL library that makes the device look less than it is, by the words in the environment
// variable AIWC_PRETEND: what it does not define here is the real library's, which it needs.
#include "opencl_api/definition.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

/// Whether AIWC_PRETEND has the word.
bool pretends(const char *word) {
  const char *words = std::getenv("AIWC_PRETEND");
  return words &&
         (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

const aiwc::opencl::Functions &real() {
  static const auto functions =
      aiwc::opencl::functionsFoundBy([](const char *name) { return dlsym(RTLD_NEXT, name); });
  return functions;
}

/// Always less than there is, for the tests to take seconds.
cl_ulong smallMemory() {
  return cl_ulong{pretends("little_memory") ? 4U : 32U} << 20U;
}

} // namespace

AIWC_OPENCL_FUNCTION(clGetDeviceInfo, device, what, size, value, length) {
  const cl_int status = real().clGetDeviceInfo(device, what, size, value, length);
  if (status != CL_SUCCESS || !value)
    return status;
  if (what == CL_DEVICE_DOUBLE_FP_CONFIG && pretends("no_fp64"))
    std::memset(value, 0, size);
  if (what == CL_DEVICE_QUEUE_PROPERTIES && pretends("no_profiling"))
    std::memset(value, 0, size);
  if (what == CL_DEVICE_GLOBAL_MEM_SIZE || what == CL_DEVICE_MAX_MEM_ALLOC_SIZE) {
    const cl_ulong little = smallMemory();
    std::memcpy(value, &little, sizeof little);
  }
  if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && pretends("small_groups")) {
    const size_t one = 1;
    std::memcpy(value, &one, sizeof one);
  }
  return status;
}

AIWC_OPENCL_FUNCTION(clCreateCommandQueue, context, device, properties, status) {
  if (properties != 0 && pretends("no_profiling")) {
    *status = CL_INVALID_QUEUE_PROPERTIES;
    return nullptr;
  }
  return real().clCreateCommandQueue(context, device, properties, status);
}

AIWC_OPENCL_FUNCTION(clGetEventProfilingInfo, event, what, size, value, length) {
  const cl_int status = real().clGetEventProfilingInfo(event, what, size, value, length);
  if (status == CL_SUCCESS && pretends("coarse_clock")) {
    constexpr cl_ulong kStep = 1'000'000; // a millisecond
    cl_ulong nanos = 0;
    std::memcpy(&nanos, value, sizeof nanos);
    nanos = nanos / kStep * kStep;
    std::memcpy(value, &nanos, sizeof nanos);
  }
  return status;
}

AIWC_OPENCL_FUNCTION(clCreateBuffer, context, flags, size, host, status) {
  constexpr size_t kRoom = 256 * 1024;
  if (size > kRoom && pretends("little_memory")) {
    *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  return real().clCreateBuffer(context, flags, size, host, status);
}

AIWC_OPENCL_FUNCTION(clBuildProgram, program, count, devices, options, done, data) {
  if (std::strstr(options, "-D LANES") && pretends("no_memory_kernels"))
    return CL_BUILD_PROGRAM_FAILURE;
  return real().clBuildProgram(program, count, devices, options, done, data);
}

AIWC_OPENCL_FUNCTION(clEnqueueNDRangeKernel, queue, kernel, dimensions, offset, global, local,
                     count, events, event) {
  static int launches = 0;
  constexpr int kEnough = 500;
  if (++launches > kEnough && pretends("fails"))
    return CL_OUT_OF_RESOURCES;
  if (pretends("small_groups") && local && local[0] > 1)
    return CL_INVALID_WORK_GROUP_SIZE;
  return real().clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count,
                                       events, event);
}

AIWC_OPENCL_FUNCTION(clEnqueueReadBuffer, queue, buffer, blocking, offset, size, data, count,
                     events, event) {
  const cl_int status =
      real().clEnqueueReadBuffer(queue, buffer, blocking, offset, size, data, count, events, event);
  if (pretends("miscalculates"))
    static_cast<unsigned char *>(data)[size - 1] ^= 1U;
  return status;
}
