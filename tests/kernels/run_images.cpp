// `run_images PROGRAM LAUNCHES` runs kernels of one program on the first device and prints what
// they leave: the written image, then the buffer `out`, as hexadecimal words. A line of LAUNCHES is
//
//   KERNEL TYPE ORDER CHANNELS ADDRESSING FILTER NORMALIZED ACCESS WIDTH HEIGHT DEPTH ITEMS GROUP
//
// with the image type as in OpenCL C ("2d_array"; DEPTH is the number of layers of an array;
// "1d_buffer_cut" is a 1d_buffer whose buffer lacks the last half of a pixel of 16 bytes; "2d_same"
// is a 2d image that the kernel gets both to read and to write), numbers
// of cl.h for order, channels, addressing and filter, and for ACCESS the flags of the written
// image. The kernel's arguments are an image to read, a sampler, an image to write and `global uint
// *out`, which has 4 words for each of ITEMS work-items.

#include "plugin/apps/opencl.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace {

struct Launch {
  std::string kernel, type;
  cl_channel_order order = 0;
  cl_channel_type channels = 0;
  cl_addressing_mode addressing = 0;
  cl_filter_mode filter = 0;
  cl_bool normalized = CL_FALSE;
  cl_mem_flags access = CL_MEM_READ_WRITE;
  size_t width = 0, height = 0, depth = 0, items = 0, group = 0;
};

std::istream &operator>>(std::istream &in, Launch &launch) {
  return in >> launch.kernel >> launch.type >> launch.order >> launch.channels >>
         launch.addressing >> launch.filter >> launch.normalized >> launch.access >> launch.width >>
         launch.height >> launch.depth >> launch.items >> launch.group;
}

/// An image and the memory that it is in.
class Image {
public:
  Image(cl_context context, const Launch &launch, cl_mem_flags flags,
        std::vector<uint32_t> &words) {
    cl_image_desc description{};
    description.image_type = launch.type == "1d"         ? CL_MEM_OBJECT_IMAGE1D
                             : launch.type == "1d_array" ? CL_MEM_OBJECT_IMAGE1D_ARRAY
                             : launch.type.starts_with("2d") && launch.type != "2d_array"
                                 ? CL_MEM_OBJECT_IMAGE2D
                             : launch.type == "2d_array" ? CL_MEM_OBJECT_IMAGE2D_ARRAY
                             : launch.type == "3d"       ? CL_MEM_OBJECT_IMAGE3D
                                                         : CL_MEM_OBJECT_IMAGE1D_BUFFER;
    description.image_width = launch.width;
    description.image_height = launch.height;
    (launch.type.ends_with("array") ? description.image_array_size : description.image_depth) =
        launch.depth;
    const cl_image_format format{launch.order, launch.channels};
    cl_int status = CL_SUCCESS;
    if (launch.type == "1d_buffer_cut")
      words.resize(words.size() - 2);
    if (description.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
      buffer_ = description.buffer = app::createBuffer(context, words.size() * sizeof words[0],
                                                       flags | CL_MEM_COPY_HOST_PTR, words.data());
    // The words are the image's memory, so that it can be printed whatever its format.
    image_ = clCreateImage(context, buffer_ ? flags : flags | CL_MEM_USE_HOST_PTR, &format,
                           &description, buffer_ ? nullptr : words.data(), &status);
    app::check(status, "clCreateImage");
  }
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;
  ~Image() {
    clReleaseMemObject(image_);
    if (buffer_)
      clReleaseMemObject(buffer_);
  }

  const cl_mem &argument() const { return image_; }
  void read(cl_command_queue queue, std::vector<uint32_t> &words) const {
    if (buffer_)
      app::check(clEnqueueReadBuffer(queue, buffer_, CL_TRUE, 0, words.size() * sizeof words[0],
                                     words.data(), 0, nullptr, nullptr),
                 "clEnqueueReadBuffer");
  }

private:
  cl_mem image_ = nullptr, buffer_ = nullptr;
};

void print(const char *name, const std::vector<uint32_t> &words) {
  std::cout << "  " << name << std::hex;
  for (const uint32_t word : words)
    std::cout << ' ' << word;
  std::cout << std::dec << '\n';
}

void run(cl_context context, cl_command_queue queue, cl_program program, const Launch &launch) {
  // 16 bytes for each pixel suffice for every format. As numbers of any type the words differ.
  const size_t pixels = launch.width * launch.height * launch.depth;
  std::vector<uint32_t> in(4 * pixels), written(4 * pixels), out(4 * launch.items);
  for (size_t i = 0; i < in.size(); ++i) {
    const float value = 0.01f * static_cast<float>(i % 100);
    std::memcpy(&in[i], &value, sizeof value);
    in[i] ^= static_cast<uint32_t>(i * 2654435761u) >> 16;
    if (i % 23 == 7) // NaNs, quiet and signalling, and infinities
      in[i] = 0x7f800000 + static_cast<uint32_t>(i % 3 << 20) + static_cast<uint32_t>(i % 2 << 31);
  }
  const Image image(context, launch,
                    launch.type == "2d_same" ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY, in);
  const Image result(context, launch, launch.access, written);
  cl_int status = CL_SUCCESS;
  const cl_sampler sampler =
      clCreateSampler(context, launch.normalized, launch.addressing, launch.filter, &status);
  app::check(status, "clCreateSampler");
  const cl_mem buffer = app::createBuffer(context, out.size() * sizeof out[0]);
  const cl_kernel kernel = app::createKernel(program, launch.kernel.c_str());
  app::setArgument(kernel, 0, image.argument());
  app::setArgument(kernel, 1, sampler);
  app::setArgument(kernel, 2, launch.type == "2d_same" ? image.argument() : result.argument());
  app::setArgument(kernel, 3, buffer);
  app::runKernel(queue, kernel, launch.items, launch.group);
  result.read(queue, written);
  app::check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, out.size() * sizeof out[0], out.data(),
                                 0, nullptr, nullptr),
             "clEnqueueReadBuffer");
  std::cout << launch.kernel << '\n';
  print("result", launch.type == "2d_same" ? in : written);
  print("out", out);
  clReleaseKernel(kernel);
  clReleaseMemObject(buffer);
  clReleaseSampler(sampler);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fputs("expected: run_images PROGRAM LAUNCHES\n", stderr);
    return 2;
  }
  std::ifstream source(argv[1]), launches(argv[2]);
  const std::string text{std::istreambuf_iterator<char>(source), {}};
  const cl_context context = app::createContext();
  const cl_command_queue queue = app::createQueue(context);
  const cl_program program = app::buildSource(context, text.c_str());
  for (Launch launch; launches >> launch;)
    run(context, queue, program, launch);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
