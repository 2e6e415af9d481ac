// What crosses between host and device: `transfers COMMAND...` carries out the commands in order on
// one buffer of 64 integers. "kernel" separates what the test looks at.

#include "opencl.h"

#include <cstring>
#include <string>

namespace {

constexpr size_t kBytes = 64 * sizeof(cl_int);
constexpr const char *kSource = R"(
  constant int table[8] = {1, 2, 3, 5, 8, 13, 21, 34};
  kernel void touch(global int *x) { int i = get_global_id(0); x[i] += table[i & 7]; }
)";

struct State {
  cl_context context = app::createContext();
  cl_command_queue queue = app::createQueue(context);
  cl_program program = app::buildSource(context, kSource);
  cl_kernel kernel = app::createKernel(program, "touch");
  cl_mem buffer = app::createBuffer(context, kBytes), other = app::createBuffer(context, kBytes);
  std::vector<cl_int> host = std::vector<cl_int>(64, 7);
  void *mapped = nullptr;
};

void write(State &s) {
  app::check(clEnqueueWriteBuffer(s.queue, s.buffer, CL_TRUE, 0, kBytes, s.host.data(), 0, nullptr,
                                  nullptr),
             "clEnqueueWriteBuffer");
}

void read(State &s) {
  app::check(clEnqueueReadBuffer(s.queue, s.buffer, CL_TRUE, 0, kBytes, s.host.data(), 0, nullptr,
                                 nullptr),
             "clEnqueueReadBuffer");
}

// 3 rows of 16 bytes, 32 bytes apart on the device and dense on the host.
constexpr size_t kOrigin[] = {0, 0, 0}, kRegion[] = {16, 3, 1};

void writeRectangle(State &s) {
  app::check(clEnqueueWriteBufferRect(s.queue, s.buffer, CL_TRUE, kOrigin, kOrigin, kRegion, 32, 0,
                                      16, 0, s.host.data(), 0, nullptr, nullptr),
             "clEnqueueWriteBufferRect");
}

void readRectangle(State &s) {
  app::check(clEnqueueReadBufferRect(s.queue, s.buffer, CL_TRUE, kOrigin, kOrigin, kRegion, 32, 0,
                                     16, 0, s.host.data(), 0, nullptr, nullptr),
             "clEnqueueReadBufferRect");
}

void map(State &s, cl_map_flags flags) {
  cl_int status = CL_SUCCESS;
  s.mapped =
      clEnqueueMapBuffer(s.queue, s.buffer, CL_TRUE, flags, 32, 64, 0, nullptr, nullptr, &status);
  app::check(status, "clEnqueueMapBuffer");
}

void unmap(State &s) {
  app::check(clEnqueueUnmapMemObject(s.queue, s.buffer, s.mapped, 0, nullptr, nullptr),
             "clEnqueueUnmapMemObject");
  app::check(clFinish(s.queue), "clFinish");
}

void fill(State &s, const cl_int *pattern, size_t patternBytes, size_t offset, size_t bytes) {
  app::check(clEnqueueFillBuffer(s.queue, s.buffer, pattern, patternBytes, offset, bytes, 0,
                                 nullptr, nullptr),
             "clEnqueueFillBuffer");
  app::check(clFinish(s.queue), "clFinish");
}

void fillAll(State &s) {
  const cl_int pattern = 5;
  fill(s, &pattern, sizeof pattern, 0, kBytes);
}

/// The first half of the buffer with the integer that the host's memory holds.
void fillHalf(State &s) {
  fill(s, s.host.data(), sizeof(cl_int), 0, kBytes / 2);
}

/// An integer behind that half.
void writeBehind(State &s) {
  app::check(clEnqueueWriteBuffer(s.queue, s.buffer, CL_TRUE, kBytes / 2, sizeof(cl_int),
                                  s.host.data(), 0, nullptr, nullptr),
             "clEnqueueWriteBuffer");
}

void copy(State &s) {
  app::check(clEnqueueCopyBuffer(s.queue, s.buffer, s.other, 0, 0, kBytes, 0, nullptr, nullptr),
             "clEnqueueCopyBuffer");
  app::check(clFinish(s.queue), "clFinish");
}

void copyRectangle(State &s) {
  app::check(clEnqueueCopyBufferRect(s.queue, s.buffer, s.other, kOrigin, kOrigin, kRegion, 32, 0,
                                     32, 0, 0, nullptr, nullptr),
             "clEnqueueCopyBufferRect");
  app::check(clFinish(s.queue), "clFinish");
}

void create(State &s, cl_mem_flags flags) {
  app::createBuffer(s.context, kBytes, CL_MEM_READ_WRITE | flags, s.host.data());
}

/// Reads the buffer, releases it, and writes to a new one from the memory that the old one was in:
/// what `free` takes back, `malloc` hands out again.
void recycle(State &s) {
  cl_int status = CL_SUCCESS;
  const void *inside = clEnqueueMapBuffer(s.queue, s.buffer, CL_TRUE, CL_MAP_READ, 0, kBytes, 0,
                                          nullptr, nullptr, &status);
  app::check(status, "clEnqueueMapBuffer");
  app::check(
      clEnqueueUnmapMemObject(s.queue, s.buffer, const_cast<void *>(inside), 0, nullptr, nullptr),
      "clEnqueueUnmapMemObject");
  read(s);
  app::setArgument(s.kernel, 0, s.other); // which holds the buffer otherwise
  clReleaseMemObject(s.buffer);
  void *input = std::malloc(kBytes);
  for (int tries = 0; input != inside && tries < 1000; ++tries)
    input = std::malloc(kBytes);
  if (input != inside) {
    std::fprintf(stderr, "transfers: the buffer's memory was not handed out again\n");
    std::exit(1);
  }
  std::memset(input, 1, kBytes);
  s.buffer = app::createBuffer(s.context, kBytes);
  app::check(
      clEnqueueWriteBuffer(s.queue, s.buffer, CL_TRUE, 0, kBytes, input, 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
}

/// The buffer is one that lies in the host's memory from now on.
void useHost(State &s) {
  s.buffer =
      app::createBuffer(s.context, kBytes, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, s.host.data());
}

/// From where such a buffer lies into the other one.
void writeOther(State &s) {
  app::check(clEnqueueWriteBuffer(s.queue, s.other, CL_TRUE, 0, kBytes, s.host.data(), 0, nullptr,
                                  nullptr),
             "clEnqueueWriteBuffer");
}

void readElsewhere(State &s) {
  std::vector<cl_int> elsewhere(s.host.size());
  app::check(clEnqueueReadBuffer(s.queue, s.buffer, CL_TRUE, 0, kBytes, elsewhere.data(), 0,
                                 nullptr, nullptr),
             "clEnqueueReadBuffer");
}

/// The whole buffer in 16 pieces of the same bytes, all of them from one place.
void writeStaged(State &s) {
  constexpr size_t kPieces = 16;
  for (size_t i = 0; i < kPieces; ++i)
    app::check(clEnqueueWriteBuffer(s.queue, s.buffer, CL_TRUE, i * kBytes / kPieces,
                                    kBytes / kPieces, s.host.data(), 0, nullptr, nullptr),
               "clEnqueueWriteBuffer");
}

/// 8 x 8 pixels of 4 bytes.
cl_mem createImage(const State &s, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description = {};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 8;
  cl_int status = CL_SUCCESS;
  const cl_mem image = clCreateImage(s.context, flags, &format, &description, host, &status);
  app::check(status, "clCreateImage");
  return image;
}

// 4 x 3 pixels, 1 and 2 from the corner.
constexpr size_t kPixels[] = {1, 2, 0}, kImageRegion[] = {4, 3, 1};

void writeImage(State &s) {
  app::check(clEnqueueWriteImage(s.queue, createImage(s), CL_TRUE, kPixels, kImageRegion, 0, 0,
                                 s.host.data(), 0, nullptr, nullptr),
             "clEnqueueWriteImage");
}

void readImage(State &s) {
  app::check(clEnqueueReadImage(s.queue, createImage(s), CL_TRUE, kPixels, kImageRegion, 0, 0,
                                s.host.data(), 0, nullptr, nullptr),
             "clEnqueueReadImage");
}

void mapImage(State &s) {
  cl_int status = CL_SUCCESS;
  size_t rowPitch = 0;
  clEnqueueMapImage(s.queue, createImage(s), CL_TRUE, CL_MAP_READ, kPixels, kImageRegion, &rowPitch,
                    nullptr, 0, nullptr, nullptr, &status);
  app::check(status, "clEnqueueMapImage");
}

void fillImage(State &s) {
  const cl_uint colour[4] = {1, 2, 3, 4};
  app::check(clEnqueueFillImage(s.queue, createImage(s), colour, kPixels, kImageRegion, 0, nullptr,
                                nullptr),
             "clEnqueueFillImage");
  app::check(clFinish(s.queue), "clFinish");
}

void copyImage(State &s) {
  const cl_mem image = createImage(s);
  app::check(clEnqueueCopyImage(s.queue, image, createImage(s), kPixels, kPixels, kImageRegion, 0,
                                nullptr, nullptr),
             "clEnqueueCopyImage");
  app::check(clEnqueueCopyBufferToImage(s.queue, s.buffer, image, 0, kPixels, kImageRegion, 0,
                                        nullptr, nullptr),
             "clEnqueueCopyBufferToImage");
  app::check(clFinish(s.queue), "clFinish");
}

void writePart(State &s) {
  cl_int status = CL_SUCCESS;
  const cl_buffer_region region = {128, 64};
  const cl_mem part = clCreateSubBuffer(s.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                        &region, &status);
  app::check(status, "clCreateSubBuffer");
  app::check(
      clEnqueueWriteBuffer(s.queue, part, CL_TRUE, 16, 32, s.host.data(), 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
}

void migrate(State &s) {
  app::check(clEnqueueMigrateMemObjects(s.queue, 1, &s.buffer, 0, 0, nullptr, nullptr),
             "clEnqueueMigrateMemObjects");
  app::check(clEnqueueBarrierWithWaitList(s.queue, 0, nullptr, nullptr),
             "clEnqueueBarrierWithWaitList");
  app::check(clFinish(s.queue), "clFinish");
}

/// What the next command that waits has carried out.
void kernelLater(State &s) {
  app::setArgument(s.kernel, 0, s.buffer);
  const size_t global = 64;
  app::check(
      clEnqueueNDRangeKernel(s.queue, s.kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr),
      "clEnqueueNDRangeKernel");
}

void writeLater(State &s) {
  app::check(clEnqueueWriteBuffer(s.queue, s.buffer, CL_FALSE, 0, kBytes, s.host.data(), 0, nullptr,
                                  nullptr),
             "clEnqueueWriteBuffer");
}

void kernel(State &s) {
  app::setArgument(s.kernel, 0, s.buffer);
  app::runKernel(s.queue, s.kernel, 64);
}

/// A launch of global size 0.
void launchNothing(State &s) {
  app::setArgument(s.kernel, 0, s.buffer);
  app::runKernel(s.queue, s.kernel, 0);
}

void release(State &s) {
  clReleaseMemObject(s.buffer);
  clReleaseMemObject(s.other);
  clReleaseKernel(s.kernel);
  clReleaseProgram(s.program);
  clReleaseCommandQueue(s.queue);
  clReleaseContext(s.context);
}

bool carryOut(State &s, const std::string &command) {
  if (command == "write")
    write(s);
  else if (command == "read")
    read(s);
  else if (command == "write-rectangle")
    writeRectangle(s);
  else if (command == "read-rectangle")
    readRectangle(s);
  else if (command == "map-read")
    map(s, CL_MAP_READ);
  else if (command == "map-write")
    map(s, CL_MAP_WRITE);
  else if (command == "map-invalidate")
    map(s, CL_MAP_WRITE_INVALIDATE_REGION);
  else if (command == "map-both")
    map(s, CL_MAP_READ | CL_MAP_WRITE);
  else if (command == "unmap")
    unmap(s);
  else if (command == "fill")
    fillAll(s);
  else if (command == "fill-half")
    fillHalf(s);
  else if (command == "write-behind")
    writeBehind(s);
  else if (command == "copy")
    copy(s);
  else if (command == "copy-rectangle")
    copyRectangle(s);
  else if (command == "create")
    create(s, CL_MEM_COPY_HOST_PTR);
  else if (command == "use")
    create(s, CL_MEM_USE_HOST_PTR);
  else if (command == "recycle")
    recycle(s);
  else if (command == "use-host")
    useHost(s);
  else if (command == "write-other")
    writeOther(s);
  else if (command == "read-elsewhere")
    readElsewhere(s);
  else if (command == "write-staged")
    writeStaged(s);
  else if (command == "write-image")
    writeImage(s);
  else if (command == "read-image")
    readImage(s);
  else if (command == "create-image")
    createImage(s, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, s.host.data());
  else if (command == "map-image")
    mapImage(s);
  else if (command == "fill-image")
    fillImage(s);
  else if (command == "copy-image")
    copyImage(s);
  else if (command == "write-part")
    writePart(s);
  else if (command == "allocate-host")
    s.buffer = app::createBuffer(s.context, kBytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
  else if (command == "migrate")
    migrate(s);
  else if (command == "kernel-later")
    kernelLater(s);
  else if (command == "launch-nothing")
    launchNothing(s);
  else if (command == "write-later")
    writeLater(s);
  else if (command == "kernel")
    kernel(s);
  else if (command == "release")
    release(s);
  else
    return false;
  return true;
}

} // namespace

int main(int argc, char **argv) {
  State state;
  for (int i = 1; i < argc; ++i)
    if (!carryOut(state, argv[i])) {
      std::fprintf(stderr, "transfers: %s is no command\n", argv[i]);
      return 2;
    }
  return 0;
}
