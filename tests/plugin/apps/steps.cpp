// A kernel that an application launches again and again with another number:
//
//   steps FILE KERNEL[,KERNEL...] ITEMS FIRST LAST [THREADS]
//
// Several kernels take turns. A kernel has a buffer of 4096 integers, which are 0 at first, and two
// numbers: ITEMS, and a step that goes from FIRST to LAST. Each of the threads has a queue and a
// buffer of its own. The sums of the buffers are printed on stdout.

#include "opencl.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>

namespace {

constexpr size_t kIntegers = 4096;

struct Steps {
  cl_int items, first, last;
};

long sumAfter(cl_context context, const std::vector<cl_kernel> &kernels, const Steps &steps) {
  static std::mutex setting; // the threads share the kernels
  std::vector<cl_int> values(kIntegers);
  cl_command_queue queue = nullptr;
  cl_mem buffer = nullptr;
  {
    const std::scoped_lock lock(setting); // Oclgrind may give two threads the same buffer
    queue = app::createQueue(context);
    buffer = app::createBuffer(context, kIntegers * sizeof(cl_int),
                               CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, values.data());
  }
  for (cl_int step = steps.first; step <= steps.last; ++step) {
    const std::scoped_lock lock(setting);
    const cl_kernel kernel = kernels[static_cast<size_t>(step - steps.first) % kernels.size()];
    app::setArgument(kernel, 0, buffer);
    app::setArgument(kernel, 1, steps.items);
    app::setArgument(kernel, 2, step);
    app::runKernel(queue, kernel, static_cast<size_t>(steps.items), 8);
  }
  app::check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, kIntegers * sizeof(cl_int),
                                 values.data(), 0, nullptr, nullptr),
             "clEnqueueReadBuffer");
  return std::accumulate(values.begin(), values.end(), 0L);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 6)
    return 2;
  std::ifstream file(argv[1]);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  const Steps steps{std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5])};
  const cl_context context = app::createContext();
  const cl_program program = app::buildSource(context, source.c_str());
  std::vector<cl_kernel> kernels;
  std::istringstream names(argv[2]);
  for (std::string name; std::getline(names, name, ',');)
    kernels.push_back(app::createKernel(program, name.c_str()));
  std::vector<long> sums(argc > 6 ? std::strtoul(argv[6], nullptr, 10) : 1);
  std::vector<std::thread> threads;
  for (long &sum : sums)
    threads.emplace_back([&] { sum = sumAfter(context, kernels, steps); });
  for (std::thread &thread : threads)
    thread.join();
  for (const long sum : sums)
    std::printf("%ld\n", sum);
}
