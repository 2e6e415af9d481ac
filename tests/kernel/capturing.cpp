// A plain OpenCL program that captures a launch of its own, in the layout of the OpenCL Intercept
// Layer (its option CaptureReplay): `capturing FOLDER` makes FOLDER/Enqueue_N_KERNEL for each of
// two launches. Ends with status 77 if there is no OpenCL device.
//
// It knows nothing of our readers: what stands in the files is what the layer's documents say.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr const char *kSource = R"(
typedef struct { float factor; int shift; } Plan;
kernel void blend(global const float *in, global float *out, global int *counts, Plan plan,
                local float *tile, global int *nothing) {
  const int i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i] * plan.factor;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = native_sin(tile[get_local_size(0) - 1 - l]) + SHIFT;
  if (in[i] > 0)
    atomic_inc(&counts[(i + plan.shift) & 15]);
}
kernel void add(global int *x, global const int *same, uint n) {
  if (get_global_id(0) < n)
    x[get_global_id(0)] += same[get_global_id(0)];
}
)";
constexpr const char *kOptions = "-D SHIFT=0.5f";

void check(cl_int status, const char *call) {
  if (status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed with %d\n", call, status);
  std::exit(1);
}

void write(const std::filesystem::path &file, const void *bytes, size_t count) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary)
      .write(static_cast<const char *>(bytes), static_cast<std::streamsize>(count));
}
void write(const std::filesystem::path &file, const std::string &text) {
  write(file, text.data(), text.size());
}

struct Buffer {
  cl_uint index;
  cl_mem memory;
  size_t bytes;
  unsigned number; ///< of the allocation
};

class Capturing {
public:
  explicit Capturing(std::filesystem::path folder) : folder_(std::move(folder)) {
    cl_platform_id platform = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr) != CL_SUCCESS)
      std::exit(77);
    cl_int status = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &status);
    check(status, "clCreateCommandQueue");
    const char *source = kSource;
    program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program_, 1, &device_, kOptions, nullptr, nullptr), "clBuildProgram");
  }

  void begin(unsigned number, const char *kernel) {
    number_ = number;
    name_ = kernel;
    cl_int status = CL_SUCCESS;
    kernel_ = clCreateKernel(program_, kernel, &status);
    check(status, "clCreateKernel");
    capture_ = folder_ / ("Enqueue_" + std::to_string(number) + "_" + kernel);
    buffers_.clear();
    write(capture_ / "kernel.cl", std::string(kSource) + '\0'); // as the layer writes it
    write(capture_ / "buildOptions.txt", std::string(kOptions) + "\n");
    write(capture_ / "kernelName.txt", kernel);
    write(capture_ / "enqueueNumber.txt", std::to_string(number) + "\n");
  }

  template <typename Value> void set(cl_uint index, const Value &value) {
    check(clSetKernelArg(kernel_, index, sizeof value, &value), "clSetKernelArg");
    write(capture_ / ("Argument" + std::to_string(index) + ".bin"), &value, sizeof value);
  }
  template <typename Value>
  void buffer(cl_uint index, const std::vector<Value> &values, unsigned number) {
    cl_int status = CL_SUCCESS;
    const size_t bytes = values.size() * sizeof(Value);
    const cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                         const_cast<Value *>(values.data()), &status);
    check(status, "clCreateBuffer");
    sameBuffer(index, {index, memory, bytes, number});
  }
  void sameBuffer(cl_uint index, Buffer buffer) {
    set(index, buffer.memory);
    buffer.index = index;
    buffers_.push_back(buffer);
  }
  void local(cl_uint index, size_t bytes) {
    check(clSetKernelArg(kernel_, index, bytes, nullptr), "clSetKernelArg");
    write(capture_ / ("Local" + std::to_string(index) + ".txt"), std::to_string(bytes));
  }
  const Buffer &last() const { return buffers_.back(); }

  void launch(size_t global, size_t local) {
    write(capture_ / "worksizes.txt",
          std::to_string(global) + " \n" + std::to_string(local) + " \n0 \n");
    dump("Pre");
    check(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, local ? &local : nullptr, 0,
                                 nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
    dump("Post");
  }

private:
  void dump(const char *when) {
    for (const Buffer &buffer : buffers_) {
      std::vector<char> bytes(buffer.bytes);
      check(clEnqueueReadBuffer(queue_, buffer.memory, CL_TRUE, 0, bytes.size(), bytes.data(), 0,
                                nullptr, nullptr),
            "clEnqueueReadBuffer");
      char file[200];
      std::snprintf(file, sizeof file, "Enqueue_%04u_Kernel_%s_Arg_%u_Buffer_%04u.bin", number_,
                    name_, buffer.index, buffer.number);
      write(capture_ / when / file, bytes.data(), bytes.size());
    }
  }

  std::filesystem::path folder_, capture_;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  unsigned number_ = 0;
  const char *name_ = "";
  std::vector<Buffer> buffers_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Capturing capturing(argv[1]);
  constexpr size_t kItems = 128;
  std::vector<float> in(kItems);
  std::vector<int> numbers(kItems);
  for (size_t i = 0; i < kItems; ++i) {
    in[i] = static_cast<float>(static_cast<int>(i * 37 % 64) - 32) / 16;
    numbers[i] = static_cast<int>(i * i);
  }
  struct {
    float factor;
    int shift;
  } plan = {0.25F, 3};
  capturing.begin(9, "blend");
  capturing.buffer(0, in, 0);
  capturing.buffer(1, std::vector<float>(kItems), 1);
  capturing.buffer(2, std::vector<int>(16), 2);
  capturing.set(3, plan);
  capturing.local(4, 32 * sizeof(float));
  capturing.set(5, cl_mem{nullptr});
  capturing.launch(kItems, 32);
  // Two arguments that are one buffer, and a local size that is left to OpenCL.
  capturing.begin(12, "add");
  capturing.buffer(0, numbers, 3);
  capturing.sameBuffer(1, capturing.last());
  capturing.set(2, cl_uint{100});
  capturing.launch(kItems, 0);
  return 0;
}
