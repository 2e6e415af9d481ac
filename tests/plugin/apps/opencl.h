/// What the test applications share: the OpenCL calls that all of them make. A call that fails ends
/// the application with status 1 and a line that names it.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace app {

inline void check(cl_int status, const char *call) {
  if (status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed with %d\n", call, status);
  std::exit(1);
}

inline cl_device_id device() {
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  cl_device_id device = nullptr;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  return device;
}

inline cl_context createContext() {
  const cl_device_id chosen = device();
  cl_int status = CL_SUCCESS;
  const cl_context context = clCreateContext(nullptr, 1, &chosen, nullptr, nullptr, &status);
  check(status, "clCreateContext");
  return context;
}

inline cl_command_queue createQueue(cl_context context,
                                    cl_command_queue_properties properties = 0) {
  cl_int status = CL_SUCCESS;
  const cl_command_queue queue = clCreateCommandQueue(context, device(), properties, &status);
  check(status, "clCreateCommandQueue");
  return queue;
}

/// Builds `program`, printing the compiler's messages where it fails.
inline void build(cl_program program, const char *options) {
  const cl_device_id chosen = device();
  const cl_int status = clBuildProgram(program, 1, &chosen, options, nullptr, nullptr);
  if (status != CL_SUCCESS) {
    std::vector<char> log(1 << 16);
    clGetProgramBuildInfo(program, chosen, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s\n", log.data());
  }
  check(status, "clBuildProgram");
}

inline cl_program buildSource(cl_context context, const char *source, const char *options = "") {
  cl_int status = CL_SUCCESS;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  build(program, options);
  return program;
}

inline cl_program buildBinary(cl_context context, const std::vector<unsigned char> &binary,
                              const char *options = "") {
  const cl_device_id chosen = device();
  const size_t size = binary.size();
  const unsigned char *bytes = binary.data();
  cl_int status = CL_SUCCESS;
  const cl_program program =
      clCreateProgramWithBinary(context, 1, &chosen, &size, &bytes, nullptr, &status);
  check(status, "clCreateProgramWithBinary");
  build(program, options);
  return program;
}

inline std::vector<unsigned char> binaryOf(cl_program program) {
  size_t size = 0;
  check(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr),
        "clGetProgramInfo");
  std::vector<unsigned char> binary(size);
  unsigned char *bytes = binary.data();
  check(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr),
        "clGetProgramInfo");
  return binary;
}

inline cl_kernel createKernel(cl_program program, const char *name) {
  cl_int status = CL_SUCCESS;
  const cl_kernel kernel = clCreateKernel(program, name, &status);
  check(status, "clCreateKernel");
  return kernel;
}

inline cl_mem createBuffer(cl_context context, size_t bytes, cl_mem_flags flags = CL_MEM_READ_WRITE,
                           void *host = nullptr) {
  cl_int status = CL_SUCCESS;
  const cl_mem buffer = clCreateBuffer(context, flags, bytes, host, &status);
  check(status, "clCreateBuffer");
  return buffer;
}

template <typename Value> void setArgument(cl_kernel kernel, cl_uint index, const Value &value) {
  check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

/// Enqueues `kernel` over one dimension and waits for it.
inline void runKernel(cl_command_queue queue, cl_kernel kernel, size_t global, size_t local = 0) {
  check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, local ? &local : nullptr, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(clFinish(queue), "clFinish");
}

} // namespace app
