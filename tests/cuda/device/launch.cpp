// Runs a kernel of packed device code, and prints what it left in memory. It does what the runtime
// library of CUDA programs does, in the plainest way.
//
//   launch FILE KERNEL GROUPS ITEMS SHARED ARGUMENT...
//
// KERNEL is a part of the kernel's name. An argument is i:5 (int), l:5 (long), c:5 (char), f:1.5
// (float), I:1,2 or F:1,2 (the address of a buffer of ints or floats), or s:5,@0 (a structure of
// ints and of addresses of the buffers among the arguments before it), or P:@0,@1 (a buffer of
// such). +I:1,2 makes a buffer that is no argument. All buffers, and all symbols as ints, are
// printed in the end.
#define CL_TARGET_OPENCL_VERSION 120
#include "device_code/device_code.h"

#include <CL/cl.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace aiwc::cuda;

namespace {

void check(cl_int status, const char *call) {
  if (status == CL_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed with %d\n", call, status);
  std::exit(1);
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    parts.push_back(part);
  return parts;
}

DeviceCode readDeviceCode(const char *file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parseDeviceCode(bytes);
}

uint64_t addressOf(cl_mem buffer) {
  return reinterpret_cast<size_t *>(buffer)[3];
}

struct Buffer {
  cl_mem memory = nullptr;
  size_t bytes = 0;
  bool real = false;
};

class Launch {
public:
  explicit Launch(DeviceCode code) : code_(std::move(code)) {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_int status = 0;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &status);
    check(status, "clCreateCommandQueue");
    const size_t size = code_.bitcode.size();
    const auto *binary = reinterpret_cast<const unsigned char *>(code_.bitcode.data());
    program_ = clCreateProgramWithBinary(context_, 1, &device_, &size, &binary, nullptr, &status);
    check(status, "clCreateProgramWithBinary");
    check(clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
    for (const SymbolSpace space : kSymbolSpaces)
      if (!code_.initial[indexOf(space)].empty())
        symbols_[indexOf(space)] = make(code_.initial[indexOf(space)]);
    for (const DeviceCode::Pointer &pointer : code_.pointers) {
      const uint64_t value =
          addressOf(symbols_[indexOf(pointer.targetSpace)]) + pointer.targetOffset;
      check(clEnqueueWriteBuffer(queue_, symbols_[indexOf(pointer.space)], CL_TRUE, pointer.offset,
                                 sizeof value, &value, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
  }

  void run(const std::string &name, size_t groups, size_t items, size_t shared,
           const std::vector<std::string> &arguments) {
    for (const DeviceCode::Kernel &kernel : code_.kernels)
      if (kernel.function.find(name) != std::string::npos)
        return run(kernel, groups, items, shared, arguments);
    check(3, "run");
  }

  void print() {
    for (const Buffer &buffer : buffers_)
      printValues(buffer.memory, 0, buffer.bytes, buffer.real);
    for (const DeviceCode::Symbol &symbol : code_.symbols) {
      std::printf("%s ", symbol.name.c_str());
      printValues(symbols_[indexOf(symbol.space)], symbol.offset, symbol.bytes, false);
    }
  }

private:
  cl_mem make(const std::string &bytes) {
    cl_int status = 0;
    std::string copy = bytes;
    const cl_mem memory = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         copy.size(), copy.data(), &status);
    check(status, "clCreateBuffer");
    return memory;
  }

  template <typename Value> static void append(std::string &bytes, Value value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
  }

  /// Numbers, and @N for the address of a buffer, at a multiple of its size.
  std::string structure(const std::string &text, bool real) const {
    std::string bytes;
    for (const std::string &word : split(text, ',')) {
      if (word[0] == '@') {
        bytes.resize((bytes.size() + 7) / 8 * 8);
        append<uint64_t>(bytes, addressOf(buffers_.at(std::stoul(word.substr(1))).memory));
      } else if (real) {
        append<float>(bytes, std::stof(word));
      } else {
        append<int32_t>(bytes, std::stoi(word));
      }
    }
    return bytes;
  }

  std::string valueOf(const std::string &argument) {
    const std::string text = argument.substr(2);
    std::string bytes;
    switch (argument[0]) {
    case 'c':
      append<char>(bytes, static_cast<char>(std::stoi(text)));
      return bytes;
    case 'l':
      append<int64_t>(bytes, std::stoll(text));
      return bytes;
    case 'i':
    case 's':
      return structure(text, false);
    case 'f':
      return structure(text, true);
    default:
      const std::string content = structure(text, argument[0] == 'F');
      buffers_.push_back({make(content), content.size(), argument[0] == 'F'});
      append<uint64_t>(bytes, addressOf(buffers_.back().memory));
      return bytes;
    }
  }

  void run(const DeviceCode::Kernel &description, size_t groups, size_t items, size_t shared,
           const std::vector<std::string> &arguments) {
    cl_int status = 0;
    const cl_kernel kernel = clCreateKernel(program_, description.function.c_str(), &status);
    check(status, "clCreateKernel");
    cl_uint index = 0;
    for (const std::string &argument : arguments) {
      if (argument[0] == '+') { // a buffer only
        valueOf(argument.substr(1));
        continue;
      }
      std::string value = valueOf(argument);
      const size_t size = description.argumentBytes.at(index); // padding may be missing
      if (value.size() < size)
        value.resize(size);
      check(clSetKernelArg(kernel, index++, size, value.data()), "clSetKernelArg");
    }
    if (index != description.argumentBytes.size())
      check(4, "run");
    if (description.hasDynamicShared)
      check(clSetKernelArg(kernel, index++, shared, nullptr), "clSetKernelArg");
    for (const auto &[has, space] : {std::pair{description.hasGlobal, SymbolSpace::kGlobal},
                                     std::pair{description.hasConstant, SymbolSpace::kConstant}})
      if (has)
        check(clSetKernelArg(kernel, index++, sizeof(cl_mem), &symbols_[indexOf(space)]),
              "clSetKernelArg");
    const size_t global = groups * items;
    check(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &global, &items, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
  }

  void printValues(cl_mem memory, size_t offset, size_t bytes, bool real) {
    std::vector<int32_t> values((bytes + 3) / 4);
    check(clEnqueueReadBuffer(queue_, memory, CL_TRUE, offset, bytes, values.data(), 0, nullptr,
                              nullptr),
          "clEnqueueReadBuffer");
    for (size_t i = 0; i < values.size(); ++i) {
      float number = 0;
      std::memcpy(&number, &values[i], sizeof number);
      std::printf(i == 0 ? "" : " ");
      real ? std::printf("%g", static_cast<double>(number)) : std::printf("%d", values[i]);
    }
    std::printf("\n");
  }

  DeviceCode code_;
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_mem symbols_[2] = {};
  std::vector<Buffer> buffers_;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 6)
    return 2;
  Launch launch(readDeviceCode(argv[1]));
  launch.run(argv[2], std::stoull(argv[3]), std::stoull(argv[4]), std::stoull(argv[5]),
             {argv + 6, argv + argc});
  launch.print();
  return 0;
}
