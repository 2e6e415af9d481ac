// What an application is told of the device: `device TYPE QUESTION...` looks for a device of the
// type (cpu, gpu, accelerator, default, all), prints an answer per line, and launches the kernel
// `stream` with as many groups as there are compute units, of as many work-items as are preferred,
// or, where the question `type` finds a CPU, two groups of one.

#include "opencl.h"

#include <CL/cl_ext.h>

#include <cstring>
#include <string>

namespace {

template <typename T> T answer(cl_device_id device, cl_device_info question) {
  T value{};
  app::check(clGetDeviceInfo(device, question, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}

std::string text(cl_device_id device, cl_device_info question) {
  size_t size = 0;
  app::check(clGetDeviceInfo(device, question, 0, nullptr, &size), "clGetDeviceInfo");
  std::string value(size, '?');
  if (clGetDeviceInfo(device, question, size - 1, value.data(), nullptr) != CL_INVALID_VALUE)
    std::puts("a text fits into less than its size");
  app::check(clGetDeviceInfo(device, question, size, value.data(), nullptr), "clGetDeviceInfo");
  if (std::strlen(value.c_str()) + 1 != size)
    std::puts("a text has another length than it says");
  return value.c_str();
}

template <typename T> T ofKernel(cl_kernel kernel, cl_device_id device, cl_uint question) {
  T value{};
  app::check(clGetKernelWorkGroupInfo(kernel, device, question, sizeof value, &value, nullptr),
             "clGetKernelWorkGroupInfo");
  return value;
}

cl_device_type typeOf(const std::string &name) {
  return name == "cpu"           ? CL_DEVICE_TYPE_CPU
         : name == "gpu"         ? CL_DEVICE_TYPE_GPU
         : name == "accelerator" ? CL_DEVICE_TYPE_ACCELERATOR
         : name == "default"     ? CL_DEVICE_TYPE_DEFAULT
                                 : CL_DEVICE_TYPE_ALL;
}

} // namespace

int main(int argc, char **argv) {
  cl_platform_id platform = nullptr;
  app::check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
  cl_device_id device = nullptr;
  app::check(clGetDeviceIDs(platform, typeOf(argv[1]), 1, &device, nullptr), "clGetDeviceIDs");
  cl_device_type type = 0; // what follows looks for all types
  for (int i = 2; i < argc; ++i)
    if (std::string(argv[i]) == "type")
      type = answer<cl_device_type>(device, CL_DEVICE_TYPE);
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const cl_kernel kernel = app::createKernel(
      app::buildSource(context, "kernel void stream(global int *x) { x[get_global_id(0)] = 1; }"),
      "stream");
  size_t groups = 4, items = 16;
  for (int i = 2; i < argc; ++i) {
    const std::string question = argv[i];
    if (question == "type") {
      std::printf("type %s\n", type == CL_DEVICE_TYPE_CPU           ? "cpu"
                               : type == CL_DEVICE_TYPE_GPU         ? "gpu"
                               : type == CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
                                                                    : "several");
      if (type == CL_DEVICE_TYPE_CPU)
        groups = 2, items = 1;
    } else if (question == "units") {
      groups = answer<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
      std::printf("units %zu\n", groups);
    } else if (question == "multiple") {
      items = ofKernel<size_t>(kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
      std::printf("multiple %zu\n", items);
    } else if (question == "limits") {
      size_t sizes[3];
      app::check(
          clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, nullptr),
          "clGetDeviceInfo");
      std::printf("limits %zu %zu %zu %zu %zu\n",
                  answer<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
                  ofKernel<size_t>(kernel, device, CL_KERNEL_WORK_GROUP_SIZE), sizes[0], sizes[1],
                  sizes[2]);
    } else if (question == "local") {
      std::printf("local %zu %s\n", size_t{answer<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE)},
                  answer<cl_device_local_mem_type>(device, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL
                      ? "own"
                      : "global");
    } else if (question == "memory") {
      std::printf("memory %zu\n", size_t{answer<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE)});
    } else if (question == "clock") {
      std::printf("clock %u\n", answer<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY));
    } else if (question == "double") {
      std::printf("double %d %d\n",
                  text(device, CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") != std::string::npos,
                  answer<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0);
    } else if (question == "half") {
      cl_device_fp_config config = 0; // a question of an extension
      const cl_int status =
          clGetDeviceInfo(device, CL_DEVICE_HALF_FP_CONFIG, sizeof config, &config, nullptr);
      size_t bytes = 0;
      app::check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, 0, nullptr, &bytes),
                 "clGetDeviceInfo");
      std::vector<cl_name_version_khr> extensions(bytes / sizeof(cl_name_version_khr));
      app::check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR, bytes,
                                 extensions.data(), nullptr),
                 "clGetDeviceInfo");
      int listed = 0;
      for (const cl_name_version_khr &extension : extensions)
        listed += std::strcmp(extension.name, "cl_khr_fp16") == 0;
      std::printf("half %d %d %d %u %u\n", listed,
                  text(device, CL_DEVICE_EXTENSIONS).find("cl_khr_fp16") != std::string::npos,
                  status == CL_SUCCESS && (config & CL_FP_ROUND_TO_NEAREST) != 0,
                  answer<cl_uint>(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF),
                  answer<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF));
    } else if (question == "vectors") {
      std::printf("vectors %u %u %u\n",
                  answer<cl_uint>(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR),
                  answer<cl_uint>(device, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT),
                  answer<cl_uint>(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE));
    } else if (question == "name") {
      std::printf("name %s, vendor %s\n", text(device, CL_DEVICE_NAME).c_str(),
                  text(device, CL_DEVICE_VENDOR).c_str());
    }
  }
  app::setArgument(kernel, 0, app::createBuffer(context, groups * items * sizeof(cl_int)));
  const size_t global = groups * items;
  app::check(
      clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &items, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
  app::check(clFinish(queue), "clFinish");
  return 0;
}
