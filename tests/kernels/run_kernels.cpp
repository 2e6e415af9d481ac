// `run_kernels PROGRAM LAUNCHES [OPTIONS [SECONDS]]` builds a program with options, runs kernels of
// it on the first device and prints what they leave in their buffers.
//
// PROGRAM is a file, or a folder that has a program NAME.cl for each kernel. There the first run
// leaves the binary of each program as NAME.bc, which later runs take: compiling OpenCL C takes
// longer than running a short kernel.
//
// A line of LAUNCHES has a kernel's name, its NDRange of two dimensions, global size first, and its
// arguments, as in `name 24 1 8 1 same`:
//   -      those of all kernels but
//   same   of a kernel of random_memory.cpp, whose second buffer is the first one, too
//   apart  the same, whose second buffer is another one
//   128    the same, whose second buffer is the first one from this byte on
//
// A kernel that runs for so many seconds, 60 by default, ends the program by SIGALRM. Its name is
// the last that is printed. With 0 seconds, programs are built and no kernel is run.

#include "plugin/apps/opencl.h"

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

/// The pair of random_kernel.cpp, as OpenCL C lays it out.
struct Pair {
  cl_int kind;
  alignas(8) cl_long weight;
  cl_float place[2];
};

template <typename Value> class Buffer {
public:
  Buffer(cl_context context, std::vector<Value> values) : values_(std::move(values)) {
    cl_int status = CL_SUCCESS;
    memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             values_.size() * sizeof(Value), values_.data(), &status);
    app::check(status, "clCreateBuffer");
  }
  ~Buffer() { clReleaseMemObject(memory_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  void pass(cl_kernel kernel, cl_uint argument) const {
    app::check(clSetKernelArg(kernel, argument, sizeof memory_, &memory_), "clSetKernelArg");
  }
  const std::vector<Value> &read(cl_command_queue queue) {
    app::check(clEnqueueReadBuffer(queue, memory_, CL_TRUE, 0, values_.size() * sizeof(Value),
                                   values_.data(), 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
    return values_;
  }

  /// The buffer from a byte on; the caller releases it.
  cl_mem part(size_t begin) const {
    const cl_buffer_region region{begin, values_.size() * sizeof(Value) - begin};
    cl_int status = CL_SUCCESS;
    const cl_mem part = clCreateSubBuffer(memory_, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                          &region, &status);
    app::check(status, "clCreateSubBuffer");
    return part;
  }

private:
  std::vector<Value> values_;
  cl_mem memory_ = nullptr;
};

constexpr size_t kPixelBytes = 4;

/// An image of 6 pixels a row whose memory can be printed.
class Picture {
public:
  Picture(cl_context context, cl_channel_order order, cl_channel_type type,
          std::vector<cl_uchar> values)
      : values_(std::move(values)) {
    const cl_image_format format{order, type};
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = 6;
    description.image_height = values_.size() / kPixelBytes / description.image_width;
    cl_int status = CL_SUCCESS;
    memory_ = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, &format, &description,
                            values_.data(), &status);
    app::check(status, "clCreateImage");
  }
  ~Picture() { clReleaseMemObject(memory_); }
  Picture(const Picture &) = delete;
  Picture &operator=(const Picture &) = delete;

  void pass(cl_kernel kernel, cl_uint argument) const {
    app::setArgument(kernel, argument, memory_);
  }
  std::vector<int> values() const { return {values_.begin(), values_.end()}; }

private:
  std::vector<cl_uchar> values_;
  cl_mem memory_ = nullptr;
};

void print(const Pair &pair) {
  std::cout << pair.kind << '/' << pair.weight << '/' << pair.place[0] << '/' << pair.place[1];
}
template <typename Value> void print(Value value) {
  if (std::isnan(static_cast<double>(value))) { // with sign and payload
    const auto wide = static_cast<double>(value);
    uint64_t bits = 0;
    std::memcpy(&bits, &wide, sizeof bits);
    std::cout << "nan:" << bits;
  } else
    std::cout << value;
}

template <typename Value> void print(const char *name, const std::vector<Value> &values) {
  std::cout << "  " << name;
  for (const Value &value : values) {
    std::cout << ' ';
    print(value);
  }
  std::cout << '\n';
}

template <typename Value, typename Make> std::vector<Value> values(size_t count, Make make) {
  std::vector<Value> made;
  for (size_t i = 0; i < count; ++i)
    made.push_back(make(static_cast<int>(i)));
  return made;
}

void run(cl_context context, cl_command_queue queue, cl_kernel kernel, const size_t (&global)[2],
         const size_t (&local)[2]) {
  const size_t items = global[0] * global[1], group = local[0] * local[1];
  Buffer in(context, values<cl_int>(items + 1, [](int i) { return i - 9; }));
  Buffer real(context, values<cl_float>(items, [](int i) { return 0.5f * float(i) - 2; }));
  Buffer out(context, std::vector<cl_uint>(items));
  Buffer counts(context, std::vector<cl_int>(4));
  Buffer precise(context, values<cl_double>(items, [](int i) { return 0.3 * i - 3; }));
  Buffer pairs(context, values<Pair>(items, [](int i) {
                 return Pair{i * 3 - 20, i * -5000000001L, {float(i) * 0.25f, 1}};
               }));
  in.pass(kernel, 0);
  real.pass(kernel, 1);
  out.pass(kernel, 2);
  counts.pass(kernel, 3);
  precise.pass(kernel, 4);
  pairs.pass(kernel, 5);
  app::check(clSetKernelArg(kernel, 6, group * sizeof(cl_int), nullptr), "clSetKernelArg");
  app::check(clSetKernelArg(kernel, 7, group * sizeof(cl_float), nullptr), "clSetKernelArg");
  const Picture picture(
      context, CL_RGBA, CL_UNORM_INT8,
      values<cl_uchar>(kPixelBytes * items, [](int i) { return i * 37 + i / 5; }));
  const Picture canvas(context, CL_RG, CL_SNORM_INT16, std::vector<cl_uchar>(kPixelBytes * items));
  cl_int status = CL_SUCCESS;
  const cl_sampler filter =
      clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &status);
  app::check(status, "clCreateSampler");
  cl_uint arguments = 0;
  app::check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr),
             "clGetKernelInfo");
  if (arguments > 8) { // large kernels have no images
    picture.pass(kernel, 8);
    app::setArgument(kernel, 9, filter);
    canvas.pass(kernel, 10);
  }
  app::check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
             "clEnqueueNDRangeKernel");
  app::check(clFinish(queue), "clFinish");
  print("real", real.read(queue));
  print("out", out.read(queue));
  print("counts", counts.read(queue));
  print("precise", precise.read(queue));
  print("pairs", pairs.read(queue));
  print("canvas", canvas.values());
  clReleaseSampler(filter);
}

/// A kernel of random_memory.cpp.
void runOnMemory(cl_context context, cl_command_queue queue, cl_kernel kernel,
                 const size_t (&global)[2], const size_t (&local)[2], const std::string &second) {
  const size_t items = global[0] * global[1], group = local[0] * local[1];
  constexpr size_t kSlice = 32, kLargestOffset = 384;
  const size_t bytes = kSlice * (items + 2) + kLargestOffset;
  const auto content = [](int i) { return static_cast<cl_uchar>(i * 31 + i / 7); };
  Buffer a(context, values<cl_uchar>(bytes, content));
  Buffer apart(context, values<cl_uchar>(bytes, content));
  Buffer c(context, values<cl_uint>(2 * items, [](int i) { return cl_uint(i) * 7 % 19; }));
  // Whoever loops so often never ends.
  Buffer bounds(context, std::vector<cl_ulong>(4, cl_ulong{1} << 62));
  Buffer in(context, values<cl_uint>(items, [](int i) { return cl_uint(i) * 11 % 23; }));
  Buffer counts(context, std::vector<cl_int>(4));
  a.pass(kernel, 0);
  cl_mem part = nullptr;
  if (second == "same") {
    a.pass(kernel, 1);
  } else if (second == "apart") {
    apart.pass(kernel, 1);
  } else {
    part = a.part(std::stoul(second));
    app::setArgument(kernel, 1, part);
  }
  c.pass(kernel, 2);
  bounds.pass(kernel, 3);
  in.pass(kernel, 4);
  counts.pass(kernel, 5);
  app::check(clSetKernelArg(kernel, 6, group * sizeof(cl_uint), nullptr), "clSetKernelArg");
  app::check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, global, local, 0, nullptr, nullptr),
             "clEnqueueNDRangeKernel");
  app::check(clFinish(queue), "clFinish");
  const auto numbers = [](const std::vector<cl_uchar> &bytes) {
    return std::vector<int>(bytes.begin(), bytes.end());
  };
  print("a", numbers(a.read(queue)));
  print("apart", numbers(apart.read(queue)));
  print("c", c.read(queue));
  print("bounds", bounds.read(queue));
  print("counts", counts.read(queue));
  if (part)
    clReleaseMemObject(part);
}

template <typename Content> Content contents(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The program of a kernel in a folder.
cl_program programIn(const std::filesystem::path &folder, const std::string &kernel,
                     cl_context context, const char *options) {
  const std::filesystem::path file = folder / (kernel + ".bc");
  if (std::filesystem::exists(file))
    return app::buildBinary(context, contents<std::vector<unsigned char>>(file), options);
  const auto source = contents<std::string>(folder / (kernel + ".cl"));
  const cl_program built = app::buildSource(context, source.c_str(), options);
  const std::vector<unsigned char> binary = app::binaryOf(built);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char *>(binary.data()),
             static_cast<std::streamsize>(binary.size()));
  return built;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || argc > 5) {
    std::fputs("expected: run_kernels PROGRAM LAUNCHES [OPTIONS [SECONDS]]\n", stderr);
    return 2;
  }
  const std::filesystem::path program = argv[1];
  const char *const options = argc > 3 ? argv[3] : "";
  const bool isFolder = std::filesystem::is_directory(program);
  std::ifstream launches(argv[2]);
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const cl_program shared =
      isFolder ? nullptr
               : app::buildSource(context, contents<std::string>(program).c_str(), options);
  std::cout.precision(17);
  std::string name, arguments;
  size_t global[2], local[2];
  const unsigned secondsPerKernel = argc > 4 ? static_cast<unsigned>(std::atoi(argv[4])) : 60;
  while (launches >> name >> global[0] >> global[1] >> local[0] >> local[1] >> arguments) {
    std::cout << name << std::endl; // also if the kernel never ends
    alarm(secondsPerKernel);
    const cl_program own = isFolder ? programIn(program, name, context, options) : nullptr;
    if (secondsPerKernel == 0) {
      if (own)
        clReleaseProgram(own);
      continue;
    }
    const cl_kernel kernel = app::createKernel(isFolder ? own : shared, name.c_str());
    if (arguments == "-")
      run(context, queue, kernel, global, local);
    else
      runOnMemory(context, queue, kernel, global, local, arguments);
    clReleaseKernel(kernel);
    if (own)
      clReleaseProgram(own);
  }
  if (shared)
    clReleaseProgram(shared);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
