// A kernel that an application launches again and again with the same arguments, and other numbers
// in a buffer:
//
//   contents FILE KERNEL ITEMS STRIDE...
//
// The kernel has a buffer of 65536 integers, which are 0 at first, and one that holds 0, STRIDE,
// 2 * STRIDE and so on, modulo 65536, for each launch another STRIDE. The sum of the first buffer
// is printed on stdout.

#include "opencl.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>

namespace {

constexpr size_t kIntegers = 65536;

} // namespace

int main(int argc, char **argv) {
  if (argc < 5)
    return 2;
  std::ifstream file(argv[1]);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  const cl_context context = app::createContext();
  const cl_kernel kernel = app::createKernel(app::buildSource(context, source.c_str()), argv[2]);
  const cl_command_queue queue = app::createQueue(context);
  constexpr size_t kBytes = kIntegers * sizeof(cl_int);
  std::vector<cl_int> values(kIntegers);
  const cl_mem results =
      app::createBuffer(context, kBytes, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.data());
  const cl_mem numbers = app::createBuffer(context, kBytes);
  app::setArgument(kernel, 0, results);
  app::setArgument(kernel, 1, numbers);
  for (int i = 4; i < argc; ++i) {
    const size_t stride = std::strtoul(argv[i], nullptr, 10);
    for (size_t at = 0; at < kIntegers; ++at)
      values[at] = static_cast<cl_int>(at * stride % kIntegers);
    app::check(clEnqueueWriteBuffer(queue, numbers, CL_TRUE, 0, kBytes, values.data(), 0, nullptr,
                                    nullptr),
               "clEnqueueWriteBuffer");
    app::runKernel(queue, kernel, std::strtoul(argv[3], nullptr, 10), 32);
  }
  app::check(
      clEnqueueReadBuffer(queue, results, CL_TRUE, 0, kBytes, values.data(), 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  std::printf("%ld\n", std::accumulate(values.begin(), values.end(), 0L));
}
