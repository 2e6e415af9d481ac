// A kernel that an application launches again and again, with other memory each time:
//
//   layouts FILE KERNEL LAUNCH...
//
// Each LAUNCH has the kernel's arguments with commas between them: `1:256` is buffer 1 of two, from
// byte 256 on; `16x4` is an image of 16 x 4 pixels of four bytes each. A buffer has 4096 integers,
// which are 0 at first; so are the pixels. 64 work-items in groups of 32 run.

#include "opencl.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace {

constexpr size_t kBytes = 4096 * sizeof(cl_int);

cl_mem part(cl_mem buffer, size_t begin) {
  if (begin == 0)
    return buffer;
  const cl_buffer_region region{begin, kBytes - begin};
  cl_int status = CL_SUCCESS;
  const cl_mem part =
      clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
  app::check(status, "clCreateSubBuffer");
  return part;
}

cl_mem image(cl_context context, size_t width, size_t height) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc extent{};
  extent.image_type = CL_MEM_OBJECT_IMAGE2D;
  extent.image_width = width;
  extent.image_height = height;
  std::vector<cl_uchar> pixels(width * height * 4);
  cl_int status = CL_SUCCESS;
  const cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                     &extent, pixels.data(), &status);
  app::check(status, "clCreateImage");
  return image;
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argv[1]);
  const std::string source((std::istreambuf_iterator<char>(file)), {});
  const cl_context context = app::createContext();
  const cl_kernel kernel = app::createKernel(app::buildSource(context, source.c_str()), argv[2]);
  const cl_command_queue queue = app::createQueue(context);
  std::vector<cl_int> zeros(kBytes / sizeof(cl_int));
  std::vector<cl_mem> buffers;
  for (int i = 0; i < 2; ++i)
    buffers.push_back(
        app::createBuffer(context, kBytes, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zeros.data()));
  for (int i = 3; i < argc; ++i) {
    cl_uint argument = 0;
    for (char *at = argv[i];; ++at) {
      const size_t first = std::strtoul(at, &at, 10);
      const bool isImage = *at == 'x';
      const size_t second = std::strtoul(at + 1, &at, 10);
      app::setArgument(kernel, argument++,
                       isImage ? image(context, first, second) : part(buffers[first], second));
      if (*at == '\0')
        break;
    }
    app::runKernel(queue, kernel, 64, 32);
  }
}
