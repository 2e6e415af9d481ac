// Kernels that run while the host has mapped buffers: `mapped COMMAND...` carries out the commands
// in order and prints the buffers. There are two buffers of 256 integers, `a` and `b`, and `s`, the
// bytes 512 to 767 of `a`.
//   map:BUFFER:FLAGS:OFFSET:BYTES   FLAGS: r, w, rw, or i (for writing, without the contents)
//   unmap:BUFFER                    what was mapped of it last
//   replace:BUFFER                  releases it, mapped or not, and creates another
//   copy:FROM:TO[:TIMES]            adds 1 on the way, one work-item per integer
//   stray:FROM:TO                   the same of many work-groups, of which one makes a misaligned
//   write

#include "opencl.h"

#include <cstring>
#include <map>
#include <sstream>
#include <string>

namespace {

constexpr size_t kIntegers = 256, kBytes = kIntegers * sizeof(cl_int);
constexpr cl_buffer_region kPart = {512, 256};
constexpr const char *kSource = R"(
  kernel void copy(global const int *from, global int *to) {
    const size_t i = get_global_id(0);
    to[i] = from[i] + 1;
  }
  kernel void stray(global const int *from, global int *to) {
    const size_t i = get_global_id(0);
    int sum = 0;
    for (size_t j = 0; j < 16; ++j)
      sum += from[64 + (i + 7 * j) % 128];
    if (i % 64 == 0)
      sum += from[0];
    to[64 + i % 128] = sum;
    if (i == get_global_size(0) - 50)
      *(global int *)((global char *)to + 2) = 1;
  }
)";

using Words = std::vector<std::string>;

class Application {
public:
  Application() {
    for (const char *name : {"a", "b"})
      create(name);
    cl_int status = CL_SUCCESS;
    buffers_["s"] = clCreateSubBuffer(buffers_["a"], CL_MEM_READ_WRITE,
                                      CL_BUFFER_CREATE_TYPE_REGION, &kPart, &status);
    app::check(status, "clCreateSubBuffer");
  }

  void carryOut(const Words &words) {
    const std::string &command = words[0];
    if (command == "map")
      map(words[1], words[2], std::stoul(words[3]), std::stoul(words[4]));
    else if (command == "unmap")
      unmap(words[1]);
    else if (command == "replace")
      replace(words[1]);
    else
      run(words);
  }

  void print() {
    for (const char *name : {"a", "b"}) {
      std::vector<cl_int> values(kIntegers);
      app::check(clEnqueueReadBuffer(queue_, buffers_[name], CL_TRUE, 0, kBytes, values.data(), 0,
                                     nullptr, nullptr),
                 "clEnqueueReadBuffer");
      std::printf("%s", name);
      for (const cl_int value : values)
        std::printf(" %d", value);
      std::printf("\n");
    }
  }

private:
  void create(const std::string &name) {
    std::vector<cl_int> values(kIntegers);
    for (size_t i = 0; i < kIntegers; ++i)
      values[i] = static_cast<cl_int>(i * 3);
    buffers_[name] = app::createBuffer(context_, kBytes, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       values.data());
  }

  void map(const std::string &name, const std::string &how, size_t offset, size_t bytes) {
    const std::map<std::string, cl_map_flags> flags = {{"r", CL_MAP_READ},
                                                       {"w", CL_MAP_WRITE},
                                                       {"rw", CL_MAP_READ | CL_MAP_WRITE},
                                                       {"i", CL_MAP_WRITE_INVALIDATE_REGION}};
    cl_int status = CL_SUCCESS;
    mapped_[name].push_back(clEnqueueMapBuffer(queue_, buffers_[name], CL_TRUE, flags.at(how),
                                               offset, bytes, 0, nullptr, nullptr, &status));
    app::check(status, "clEnqueueMapBuffer");
  }

  void unmap(const std::string &name) {
    app::check(
        clEnqueueUnmapMemObject(queue_, buffers_[name], mapped_[name].back(), 0, nullptr, nullptr),
        "clEnqueueUnmapMemObject");
    app::check(clFinish(queue_), "clFinish");
    mapped_[name].pop_back();
  }

  void replace(const std::string &name) {
    app::check(clReleaseMemObject(buffers_[name]), "clReleaseMemObject");
    create(name);
  }

  void run(const Words &words) {
    const cl_kernel kernel = app::createKernel(program_, words[0].c_str());
    app::setArgument(kernel, 0, buffers_[words[1]]);
    app::setArgument(kernel, 1, buffers_[words[2]]);
    for (int left = words.size() > 3 ? std::stoi(words[3]) : 1; left > 0; --left)
      if (words[0] == "stray")
        app::runKernel(queue_, kernel, 8192, 8);
      else
        app::runKernel(queue_, kernel, words[1] == "s" || words[2] == "s" ? 64 : kIntegers, 8);
    clReleaseKernel(kernel);
  }

  cl_context context_ = app::createContext();
  cl_command_queue queue_ = app::createQueue(context_);
  cl_program program_ = app::buildSource(context_, kSource);
  std::map<std::string, cl_mem> buffers_;
  std::map<std::string, std::vector<void *>> mapped_;
};

} // namespace

int main(int argc, char **argv) {
  Application application;
  for (int i = 1; i < argc; ++i) {
    std::istringstream command(argv[i]);
    Words words;
    for (std::string word; std::getline(command, word, ':');)
      words.push_back(word);
    application.carryOut(words);
  }
  application.print();
  return 0;
}
