// An application that launches kernels as the runtimes of SYCL (AdaptiveCpp), Julia (OpenCL.jl) and
// HIP (chipStar) do: `compiled_forms sycl|julia|hip FILE.spv` prints what the kernels leave.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr size_t kItems = 64, kGroup = 16;
constexpr cl_int kFactor = 3;

void check(cl_int status, const char *call) {
  if (status == CL_SUCCESS)
    return;
  std::printf("%s: %d\n", call, status);
  std::exit(1);
}

class Runtime {
public:
  explicit Runtime(const char *file) {
    check(clGetPlatformIDs(1, &platform_, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform_, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, &status);
    check(status, "clCreateCommandQueueWithProperties");
    std::ifstream stream(file, std::ios::binary);
    const std::string il(std::istreambuf_iterator<char>(stream), {});
    program_ = clCreateProgramWithIL(context_, il.data(), il.size(), &status);
    check(status, "clCreateProgramWithIL");
    check(clBuildProgram(program_, 1, &device_, "-cl-uniform-work-group-size", nullptr, nullptr),
          "clBuildProgram");
  }

  cl_command_queue queue() const { return queue_; }
  template <typename Function> Function function(const char *name) const {
    return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform_, name));
  }
  cl_int *shared() const {
    cl_int status = CL_SUCCESS;
    auto *memory = static_cast<cl_int *>(function<clSharedMemAllocINTEL_fn>(
        "clSharedMemAllocINTEL")(context_, device_, nullptr, kItems * sizeof(cl_int), 0, &status));
    check(status, "clSharedMemAllocINTEL");
    return memory;
  }
  cl_int *ofDevice() const {
    cl_int status = CL_SUCCESS;
    auto *memory = static_cast<cl_int *>(function<clDeviceMemAllocINTEL_fn>(
        "clDeviceMemAllocINTEL")(context_, device_, nullptr, kItems * sizeof(cl_int), 0, &status));
    check(status, "clDeviceMemAllocINTEL");
    return memory;
  }
  void copy(void *to, const void *from, size_t bytes) const {
    check(function<clEnqueueMemcpyINTEL_fn>("clEnqueueMemcpyINTEL")(queue_, CL_TRUE, to, from,
                                                                    bytes, 0, nullptr, nullptr),
          "clEnqueueMemcpyINTEL");
  }
  void *svm(size_t bytes) const { return clSVMAlloc(context_, CL_MEM_READ_WRITE, bytes, 0); }
  cl_kernel kernel(const char *name) const {
    cl_int status = CL_SUCCESS;
    cl_kernel made = clCreateKernel(program_, name, &status);
    check(status, "clCreateKernel");
    for (const cl_kernel_exec_info access : {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                             CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                             CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL}) {
      const cl_bool yes = CL_TRUE;
      check(clSetKernelExecInfo(made, access, sizeof yes, &yes), "clSetKernelExecInfo");
    }
    return made;
  }
  void launch(cl_kernel kernel, size_t items, size_t group) const {
    check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, &group, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
  }

private:
  cl_platform_id platform_ = nullptr;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

template <typename Value> void set(cl_kernel kernel, cl_uint index, const Value &value) {
  check(clSetKernelArg(kernel, index, sizeof value, &value), "clSetKernelArg");
}

void print(const cl_int *values) {
  for (size_t i = 0; i < kItems; ++i)
    std::printf("%d ", values[i]);
  std::printf("\n");
}

void sycl(const Runtime &runtime) {
  cl_int *values = runtime.shared();
  for (size_t i = 0; i < kItems; ++i)
    values[i] = static_cast<cl_int>(i);
  cl_kernel exchange = runtime.kernel("exchange");
  struct {
    void *address;
  } wrapped{values};
  set(exchange, 0, cl_ulong{60});
  set(exchange, 1, wrapped);
  set(exchange, 2, kFactor);
  runtime.launch(exchange, kItems, kGroup);
  print(values);
  cl_kernel fill = runtime.kernel("fill");
  check(runtime.function<clSetKernelArgMemPointerINTEL_fn>("clSetKernelArgMemPointerINTEL")(fill, 0,
                                                                                            values),
        "clSetKernelArgMemPointerINTEL");
  runtime.launch(fill, kGroup, kGroup);
  print(values);
}

struct Array {
  void *address;
  cl_ulong mostBytes, sizes[1], length;
};

void julia(const Runtime &runtime) {
  cl_int *in = runtime.shared();
  for (size_t i = 0; i < kItems; ++i)
    in[i] = static_cast<cl_int>(i);
  cl_int *out = runtime.ofDevice();
  std::array<cl_int, kItems> values{};
  runtime.copy(out, values.data(), sizeof values);
  cl_kernel scale = runtime.kernel("scale");
  set(scale, 0, Array{out, sizeof values, {kItems}, kItems});
  set(scale, 1, Array{in, sizeof values, {50}, 50});
  set(scale, 2, kFactor);
  runtime.launch(scale, kItems, kGroup);
  runtime.copy(values.data(), out, sizeof values);
  print(values.data());
}

void hip(const Runtime &runtime) {
  const auto copy = [&](void *to, const void *from, size_t bytes) {
    check(clEnqueueSVMMemcpy(runtime.queue(), CL_TRUE, to, from, bytes, 0, nullptr, nullptr),
          "clEnqueueSVMMemcpy");
  };
  const auto setPointer = [](cl_kernel kernel, cl_uint index, void *address) {
    check(clSetKernelArgSVMPointer(kernel, index, address), "clSetKernelArgSVMPointer");
  };
  void *info = runtime.svm(3 * sizeof(cl_ulong));
  cl_kernel sizeOfFactor = runtime.kernel("size_of_factor");
  setPointer(sizeOfFactor, 0, info);
  runtime.launch(sizeOfFactor, 1, 1);
  cl_ulong bytes = 0;
  copy(&bytes, info, sizeof bytes);
  void *factor = runtime.svm(bytes);
  copy(factor, &kFactor, bytes);
  cl_kernel bind = runtime.kernel("bind_factor");
  setPointer(bind, 0, factor);
  runtime.launch(bind, 1, 1);
  std::array<cl_int, kItems> values{};
  for (size_t i = 0; i < kItems; ++i)
    values[i] = static_cast<cl_int>(i);
  void *memory = runtime.svm(sizeof values);
  copy(memory, values.data(), sizeof values);
  cl_kernel scale = runtime.kernel("scale");
  void *all[] = {memory, factor};
  check(clSetKernelExecInfo(scale, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof all, all),
        "clSetKernelExecInfo");
  setPointer(scale, 0, memory);
  check(clSetKernelArg(scale, 1, kGroup * sizeof(cl_int), nullptr), "clSetKernelArg");
  runtime.launch(scale, kItems, kGroup);
  copy(values.data(), memory, sizeof values);
  print(values.data());
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const Runtime runtime(argv[2]);
  const std::string form = argv[1];
  if (form == "sycl")
    sycl(runtime);
  else if (form == "julia")
    julia(runtime);
  else
    hip(runtime);
  return 0;
}
