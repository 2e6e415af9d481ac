// Runs one kernel of a file: what an application does, with everything about it in the hands of the
// test that starts it.
//
//   enqueue FILE KERNEL [SETTING...] [ARGUMENT...]
//
// SETTING
//   options=TEXT   build options
//   reload         build once more from the binary that the first build gives
//   bitcode        FILE is a binary, not source
//   global=X[,Y[,Z]]   local=X[,Y[,Z]]   offset=X[,Y[,Z]]
//   times=N        how often the kernel is enqueued
// ARGUMENT, in the kernel's order
//   buffer=BYTES   a global or constant buffer of zeros
//   counters=N     a buffer of the N 32-bit integers 0, 1, 2, ...
//   same           the buffer of the argument before
//   scratch=BYTES  local memory
//   int=N float=X double=X long=N
//   struct=BYTES   a value of that size, zeros
//   image=WxH      a read-write RGBA image of 8-bit unsigned normalised channels (imageui: 32-bit
//                  unsigned channels)
//   sampler        clamping to the edge, nearest
// The last buffer's first 16 integers are printed on stdout.

#include "opencl.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using Sizes = std::vector<size_t>;

Sizes sizes(const std::string &text, char separator = ',') {
  Sizes result;
  for (const char *at = text.c_str();; ++at) {
    char *end = nullptr;
    result.push_back(std::strtoull(at, &end, 10));
    at = end;
    if (*at != separator)
      return result;
  }
}

cl_mem createImage(cl_context context, const Sizes &size, cl_channel_type type) {
  const cl_image_format format = {CL_RGBA, type};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = size[0];
  description.image_height = size[1];
  cl_int status = CL_SUCCESS;
  const cl_mem image =
      clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &status);
  app::check(status, "clCreateImage");
  return image;
}

cl_mem createZeros(cl_context context, size_t bytes) {
  std::vector<unsigned char> zeros(bytes);
  return app::createBuffer(context, bytes, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zeros.data());
}

class Application {
public:
  int run(int argc, char **argv) {
    for (int i = 3; i < argc; ++i)
      setting(argv[i]);
    load(argv[1]);
    kernel_ = app::createKernel(program_, argv[2]);
    for (int i = 3; i < argc; ++i)
      argument(argv[i]);
    const cl_command_queue queue = app::createQueue(context_);
    for (int i = 0; i < times_; ++i) {
      app::check(clEnqueueNDRangeKernel(queue, kernel_, static_cast<cl_uint>(global_.size()),
                                        offset_.empty() ? nullptr : offset_.data(), global_.data(),
                                        local_.empty() ? nullptr : local_.data(), 0, nullptr,
                                        nullptr),
                 "clEnqueueNDRangeKernel");
      app::check(clFinish(queue), "clFinish");
    }
    print(queue);
    clReleaseCommandQueue(queue);
    clReleaseKernel(kernel_);
    clReleaseProgram(program_);
    for (const cl_mem object : objects_)
      clReleaseMemObject(object);
    clReleaseContext(context_);
    return 0;
  }

private:
  /// What follows "<key>=" in a word; null for other words.
  static const char *value(const char *word, const char *key) {
    const size_t length = std::strlen(key);
    return std::strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1
                                                                       : nullptr;
  }

  void setting(const char *word) {
    if (const char *text = value(word, "options"))
      options_ = text;
    else if (const char *text = value(word, "global"))
      global_ = sizes(text);
    else if (const char *text = value(word, "local"))
      local_ = sizes(text);
    else if (const char *text = value(word, "offset"))
      offset_ = sizes(text);
    else if (const char *text = value(word, "times"))
      times_ = std::atoi(text);
    else if (std::strcmp(word, "reload") == 0)
      reload_ = true;
    else if (std::strcmp(word, "bitcode") == 0)
      bitcode_ = true;
  }

  void load(const char *path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || text.empty()) {
      std::fprintf(stderr, "%s: cannot be read\n", path);
      std::exit(1);
    }
    program_ = bitcode_ ? app::buildBinary(context_, {text.begin(), text.end()}, options_.c_str())
                        : app::buildSource(context_, text.c_str(), options_.c_str());
    if (!reload_)
      return;
    const std::vector<unsigned char> binary = app::binaryOf(program_);
    clReleaseProgram(program_);
    program_ = app::buildBinary(context_, binary, options_.c_str());
  }

  void memoryArgument(cl_mem object) {
    objects_.push_back(object);
    app::setArgument(kernel_, arguments_++, object);
  }

  void argument(const char *word) {
    if (const char *text = value(word, "buffer")) {
      const size_t bytes = sizes(text)[0];
      memoryArgument(createZeros(context_, bytes));
      shown_ = objects_.back();
      shownBytes_ = bytes;
    } else if (const char *text = value(word, "counters")) {
      std::vector<cl_int> counters(sizes(text)[0]);
      for (size_t i = 0; i < counters.size(); ++i)
        counters[i] = static_cast<cl_int>(i);
      shownBytes_ = counters.size() * sizeof(cl_int);
      memoryArgument(app::createBuffer(context_, shownBytes_,
                                       CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, counters.data()));
      shown_ = objects_.back();
    } else if (std::strcmp(word, "same") == 0 && !objects_.empty()) {
      app::setArgument(kernel_, arguments_++, objects_.back());
    } else if (const char *text = value(word, "scratch")) {
      app::check(clSetKernelArg(kernel_, arguments_++, sizes(text)[0], nullptr), "clSetKernelArg");
    } else if (const char *text = value(word, "int")) {
      app::setArgument(kernel_, arguments_++, static_cast<cl_int>(std::atoll(text)));
    } else if (const char *text = value(word, "long")) {
      app::setArgument(kernel_, arguments_++, static_cast<cl_long>(std::atoll(text)));
    } else if (const char *text = value(word, "float")) {
      app::setArgument(kernel_, arguments_++, static_cast<cl_float>(std::atof(text)));
    } else if (const char *text = value(word, "double")) {
      app::setArgument(kernel_, arguments_++, static_cast<cl_double>(std::atof(text)));
    } else if (const char *text = value(word, "struct")) {
      const std::vector<unsigned char> bytes(sizes(text)[0]);
      app::check(clSetKernelArg(kernel_, arguments_++, bytes.size(), bytes.data()),
                 "clSetKernelArg");
    } else if (const char *text = value(word, "image")) {
      memoryArgument(createImage(context_, sizes(text, 'x'), CL_UNORM_INT8));
    } else if (const char *text = value(word, "imageui")) {
      memoryArgument(createImage(context_, sizes(text, 'x'), CL_UNSIGNED_INT32));
    } else if (std::strcmp(word, "sampler") == 0) {
      cl_int status = CL_SUCCESS;
      const cl_sampler sampler =
          clCreateSampler(context_, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &status);
      app::check(status, "clCreateSampler");
      app::setArgument(kernel_, arguments_++, sampler);
    }
  }

  void print(cl_command_queue queue) const {
    if (!shown_)
      return;
    std::vector<cl_int> values(shownBytes_ / sizeof(cl_int));
    if (values.size() > 16)
      values.resize(16);
    if (values.empty())
      return;
    app::check(clEnqueueReadBuffer(queue, shown_, CL_TRUE, 0, values.size() * sizeof(cl_int),
                                   values.data(), 0, nullptr, nullptr),
               "clEnqueueReadBuffer");
    for (const cl_int value : values)
      std::printf("%d ", value);
    std::printf("\n");
  }

  cl_context context_ = app::createContext();
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  std::string options_;
  Sizes global_ = {1}, local_, offset_;
  int times_ = 1;
  bool reload_ = false, bitcode_ = false;
  cl_uint arguments_ = 0;
  std::vector<cl_mem> objects_;
  cl_mem shown_ = nullptr;
  size_t shownBytes_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: enqueue FILE KERNEL [SETTING...] [ARGUMENT...]\n");
    return 2;
  }
  return Application().run(argc, argv);
}
