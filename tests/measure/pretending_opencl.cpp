// An OpenCL library that makes the device look less than it is, by the words in the environment
// variable AIWC_PRETEND: what it does not define here is the real library's, which it needs.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
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

template <typename Function> Function *real(Function & /*type*/, const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

/// Always less than there is, for the tests to take seconds.
cl_ulong smallMemory() {
  return cl_ulong{pretends("little_memory") ? 4U : 32U} << 20U;
}

} // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                size_t *length) {
  const cl_int status = real(clGetDeviceInfo, "clGetDeviceInfo")(device, what, size, value, length);
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

EXPORTED cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties,
                                               cl_int *status) {
  if (properties != 0 && pretends("no_profiling")) {
    *status = CL_INVALID_QUEUE_PROPERTIES;
    return nullptr;
  }
  return real(clCreateCommandQueue, "clCreateCommandQueue")(context, device, properties, status);
}

EXPORTED cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t size,
                                        void *value, size_t *length) {
  const cl_int status =
      real(clGetEventProfilingInfo, "clGetEventProfilingInfo")(event, what, size, value, length);
  if (status == CL_SUCCESS && pretends("coarse_clock")) {
    constexpr cl_ulong kStep = 1'000'000; // a millisecond
    cl_ulong nanos = 0;
    std::memcpy(&nanos, value, sizeof nanos);
    nanos = nanos / kStep * kStep;
    std::memcpy(value, &nanos, sizeof nanos);
  }
  return status;
}

EXPORTED cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                               cl_int *status) {
  constexpr size_t kRoom = 256 * 1024;
  if (size > kRoom && pretends("little_memory")) {
    *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  return real(clCreateBuffer, "clCreateBuffer")(context, flags, size, host, status);
}

EXPORTED cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                               const char *options, void(CL_CALLBACK *done)(cl_program, void *),
                               void *data) {
  if (std::strstr(options, "-D LANES") && pretends("no_memory_kernels"))
    return CL_BUILD_PROGRAM_FAILURE;
  return real(clBuildProgram, "clBuildProgram")(program, count, devices, options, done, data);
}

EXPORTED cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                       const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint count, const cl_event *events,
                                       cl_event *event) {
  static int launches = 0;
  constexpr int kEnough = 500;
  if (++launches > kEnough && pretends("fails"))
    return CL_OUT_OF_RESOURCES;
  if (pretends("small_groups") && local && local[0] > 1)
    return CL_INVALID_WORK_GROUP_SIZE;
  return real(clEnqueueNDRangeKernel, "clEnqueueNDRangeKernel")(
      queue, kernel, dimensions, offset, global, local, count, events, event);
}

EXPORTED cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                    size_t offset, size_t size, void *data, cl_uint count,
                                    const cl_event *events, cl_event *event) {
  const cl_int status = real(clEnqueueReadBuffer, "clEnqueueReadBuffer")(
      queue, buffer, blocking, offset, size, data, count, events, event);
  if (pretends("miscalculates"))
    static_cast<unsigned char *>(data)[size - 1] ^= 1U;
  return status;
}
