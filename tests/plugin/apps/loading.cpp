// Loads the library of OpenCL that it is told, as language bindings do: `loading LIBRARY`. Prints
// how many platforms there are, the name of the first, and the local size that work-items see.

#include "opencl.h"

#include <dlfcn.h>

#include <cstdio>

namespace {

void *library = nullptr;

template <typename Function> Function *found(const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    std::fprintf(stderr, "no %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<Function *>(function);
}
#define FOUND(name) found<decltype(name)>(#name)

constexpr const char *kSource =
    "kernel void k(global int *x) { x[get_global_id(0)] = get_local_size(0); }";

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 || !(library = dlopen(argv[1], RTLD_NOW)))
    return 2;
  cl_uint platforms = 0;
  cl_platform_id platform = nullptr;
  app::check(FOUND(clGetPlatformIDs)(1, &platform, &platforms), "clGetPlatformIDs");
  char name[100] = "";
  app::check(FOUND(clGetPlatformInfo)(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr),
             "clGetPlatformInfo");
  cl_device_id device = nullptr;
  app::check(FOUND(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr),
             "clGetDeviceIDs");
  cl_int status = CL_SUCCESS;
  const cl_context context = FOUND(clCreateContext)(nullptr, 1, &device, nullptr, nullptr, &status);
  app::check(status, "clCreateContext");
  const cl_command_queue queue = FOUND(clCreateCommandQueue)(context, device, 0, &status);
  app::check(status, "clCreateCommandQueue");
  const char *source = kSource;
  const cl_program program =
      FOUND(clCreateProgramWithSource)(context, 1, &source, nullptr, &status);
  app::check(FOUND(clBuildProgram)(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = FOUND(clCreateKernel)(program, "k", &status);
  app::check(status, "clCreateKernel");
  cl_int values[1024] = {};
  const cl_mem buffer =
      FOUND(clCreateBuffer)(context, CL_MEM_READ_WRITE, sizeof values, nullptr, &status);
  app::check(status, "clCreateBuffer");
  app::check(FOUND(clSetKernelArg)(kernel, 0, sizeof buffer, static_cast<const void *>(&buffer)),
             "clSetKernelArg");
  const size_t global = 1024;
  app::check(FOUND(clEnqueueNDRangeKernel)(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr,
                                           nullptr),
             "clEnqueueNDRangeKernel");
  app::check(FOUND(clEnqueueReadBuffer)(queue, buffer, CL_TRUE, 0, sizeof values, values, 0,
                                        nullptr, nullptr),
             "clEnqueueReadBuffer");
  std::printf("%u platform, %s: %d %d %d\n", platforms, name, values[0], values[1], values[1023]);
  return 0;
}
