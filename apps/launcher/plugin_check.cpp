// A program that only creates an OpenCL context, because Oclgrind loads its plugins then. The
// launcher runs it before the application to check whether the plugin loads.
//
// It links no OpenCL library, because it must use Oclgrind's runtime, which the stock launcher
// preloads, and no other implementation on the machine.

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

#include <cstdio>

namespace {

template <typename Function> Function *find(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
}

int fail(const char *what) {
  std::fprintf(stderr, "aiwc-plugin-check: %s\n", what);
  return 1;
}

} // namespace

int main() {
  const auto platforms = find<decltype(clGetPlatformIDs)>("clGetPlatformIDs");
  const auto devices = find<decltype(clGetDeviceIDs)>("clGetDeviceIDs");
  const auto create = find<decltype(clCreateContext)>("clCreateContext");
  const auto release = find<decltype(clReleaseContext)>("clReleaseContext");
  if (!platforms || !devices || !create || !release)
    return fail("Oclgrind's OpenCL runtime is not preloaded");
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (platforms(1, &platform, nullptr) != CL_SUCCESS ||
      devices(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS)
    return fail("Oclgrind's OpenCL runtime has no device");
  cl_int status = CL_SUCCESS;
  const cl_context context = create(nullptr, 1, &device, nullptr, nullptr, &status);
  if (!context || status != CL_SUCCESS)
    return fail("Oclgrind's OpenCL runtime creates no context");
  release(context);
  return 0;
}
