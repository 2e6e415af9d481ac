// An application of many kinds of OpenCL objects and commands. Prints what its kernels computed.
#include <CL/cl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr const char *kSource = R"(
struct range { int from; int to; };

kernel void fill(global int *to, struct range r) {
  size_t i = get_global_id(0);
  to[i] = r.from + (int)i % (r.to - r.from);
}

kernel void sums(global const int *from, global int *to, local int *part, int rounds) {
  size_t l = get_local_id(0);
  part[l] = from[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int r = 0; r < rounds; ++r)
    for (size_t i = 0; i < get_local_size(0); ++i)
      sum += part[(i + r) % get_local_size(0)];
  to[get_global_id(0)] = sum;
}

// Takes the simulator seconds.
kernel void spin(global int *to, int rounds) {
  int x = get_global_id(0);
  for (int r = 0; r < rounds; ++r)
    x = x * 1664525 + 1013904223;
  to[get_global_id(0)] = x;
}

kernel void copy(global const int *from, global int *to) {
  to[get_global_id(0)] = from[get_global_id(0)];
}

kernel void invert(read_only image2d_t from, write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  const sampler_t nearest = CLK_FILTER_NEAREST;
  write_imagef(to, at, 1.0f - read_imagef(from, nearest, at));
}
)";

void check(cl_int result, const char *what) {
  if (result == CL_SUCCESS)
    return;
  std::printf("%s: %d\n", what, result);
  std::exit(1);
}

constexpr size_t kItems = 256, kGroup = 32;

struct Device {
  cl_device_id id = nullptr;
  cl_context context = nullptr;
  cl_program program = nullptr;
};

Device open(const char *source = kSource, const char *options = "") {
  Device device;
  cl_platform_id platform = nullptr;
  check(clGetPlatformIDs(1, &platform, nullptr), "platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device.id, nullptr), "device");
  cl_int error = 0;
  device.context = clCreateContext(nullptr, 1, &device.id, nullptr, nullptr, &error);
  check(error, "context");
  device.program = clCreateProgramWithSource(device.context, 1, &source, nullptr, &error);
  check(error, "program");
  check(clBuildProgram(device.program, 1, &device.id, options, nullptr, nullptr), "build");
  return device;
}

cl_mem buffer(const Device &device, size_t bytes) {
  cl_int error = 0;
  cl_mem made = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
  check(error, "buffer");
  return made;
}

cl_kernel kernel(const Device &device, const char *name) {
  cl_int error = 0;
  cl_kernel made = clCreateKernel(device.program, name, &error);
  check(error, name);
  return made;
}

template <typename Value> void set(cl_kernel kernel, cl_uint index, const Value &value) {
  check(clSetKernelArg(kernel, index, sizeof value, &value), "argument");
}

/// Fills a buffer and sums it up, by a queue with these properties; the program is released before
/// its kernels.
long work(cl_command_queue_properties properties, int from) {
  const Device device = open();
  cl_int error = 0;
  cl_command_queue queue = clCreateCommandQueue(device.context, device.id, properties, &error);
  check(error, "queue");
  cl_mem whole = buffer(device, 2 * kItems * sizeof(int));
  const cl_buffer_region half = {kItems * sizeof(int), kItems * sizeof(int)};
  cl_mem part =
      clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
  check(error, "sub-buffer");
  cl_mem result = buffer(device, kItems * sizeof(int));
  cl_kernel fill = kernel(device, "fill"), sums = kernel(device, "sums");
  clReleaseProgram(device.program);
  const struct { int from, to; } range = {from, from + 10};
  set(fill, 0, part);
  set(fill, 1, range);
  set(sums, 0, part);
  set(sums, 1, result);
  check(clSetKernelArg(sums, 2, kGroup * sizeof(int), nullptr), "local memory");
  const size_t items = kItems, group = kGroup;
  cl_event gate = clCreateUserEvent(device.context, &error), filled = nullptr, summed = nullptr;
  check(error, "user event");
  check(clEnqueueNDRangeKernel(queue, fill, 1, nullptr, &items, &group, 1, &gate, &filled), "fill");
  clSetUserEventStatus(gate, CL_COMPLETE);
  for (int rounds = 1; rounds <= 3; ++rounds) {
    set(sums, 3, rounds);
    const cl_event before = rounds == 1 ? filled : summed;
    check(clEnqueueNDRangeKernel(queue, sums, 1, nullptr, &items, &group, 1, &before, &summed),
          "sums");
  }
  check(clWaitForEvents(1, &summed), "wait");
  const auto *values = static_cast<const int *>(clEnqueueMapBuffer(
      queue, result, CL_TRUE, CL_MAP_READ, 0, kItems * sizeof(int), 0, nullptr, nullptr, &error));
  check(error, "map");
  long sum = 0;
  for (size_t i = 0; i < kItems; ++i)
    sum += values[i];
  check(clEnqueueUnmapMemObject(queue, result, const_cast<int *>(values), 0, nullptr, nullptr),
        "unmap");
  check(clFinish(queue), "finish");
  return sum; // nothing else is released
}

/// The number that a kernel of one work-item, launched as a task, writes to its buffer.
int resultOf(const Device &device, const char *name) {
  cl_int error = 0;
  cl_command_queue queue = clCreateCommandQueue(device.context, device.id, 0, &error);
  cl_mem to = buffer(device, sizeof(int));
  cl_kernel one = kernel(device, name);
  set(one, 0, to);
  check(clEnqueueTask(queue, one, 0, nullptr, nullptr), "task");
  int result = 0;
  check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof result, &result, 0, nullptr, nullptr),
        "read");
  return result;
}

/// Launches a kernel of a program whose header is gone once the program is built. `waits`: whoever
/// opens the header then waits for one that writes it.
int withoutHeader(bool waits) {
  std::remove("header.h"); // a run before has left one that waits
  std::FILE *header = std::fopen("header.h", "w");
  std::fputs("#define NUMBER 7\n", header);
  std::fclose(header);
  const Device device = open("#include \"header.h\"\n"
                             "kernel void set(global int *to) { *to = NUMBER; }",
                             "-I.");
  std::remove("header.h");
  if (waits)
    check(mkfifo("header.h", 0600), "mkfifo");
  return resultOf(device, "set");
}

int spin() {
  const Device device = open();
  cl_int error = 0;
  cl_command_queue queue = clCreateCommandQueue(device.context, device.id, 0, &error);
  check(error, "queue");
  cl_mem to = buffer(device, kGroup * sizeof(int));
  cl_kernel one = kernel(device, "spin");
  const int rounds = 1'500'000;
  set(one, 0, to);
  set(one, 1, rounds);
  const size_t items = kGroup;
  check(clEnqueueNDRangeKernel(queue, one, 1, nullptr, &items, &items, 0, nullptr, nullptr),
        "spin");
  int result = 0;
  check(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof result, &result, 0, nullptr, nullptr),
        "read");
  return result;
}

/// Copies a buffer of `items`, which the host has written.
long copy(size_t items) {
  const Device device = open();
  cl_int error = 0;
  cl_command_queue queue = clCreateCommandQueue(device.context, device.id, 0, &error);
  check(error, "queue");
  cl_mem from = buffer(device, items * sizeof(int)), to = buffer(device, items * sizeof(int));
  std::vector<int> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = static_cast<int>(i);
  check(clEnqueueWriteBuffer(queue, from, CL_TRUE, 0, items * sizeof(int), values.data(), 0,
                             nullptr, nullptr),
        "write");
  cl_kernel one = kernel(device, "copy");
  set(one, 0, from);
  set(one, 1, to);
  check(clEnqueueNDRangeKernel(queue, one, 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
        "copy");
  int last = 0;
  check(clEnqueueReadBuffer(queue, to, CL_TRUE, (items - 1) * sizeof(int), sizeof last, &last, 0,
                            nullptr, nullptr),
        "read");
  return last;
}

/// Launches a kernel with an instruction that the device has and the simulator has not.
int assembly() {
  const Device device = open("kernel void assembly(global int *to) {\n"
                             "  int x = 7;\n"
                             "  __asm__ volatile(\"\" : \"+r\"(x));\n"
                             "  *to = x;\n"
                             "}");
  return resultOf(device, "assembly");
}

void touch(const char *file) {
  std::fclose(std::fopen(file, "w"));
}

/// Goes on in a child, which this process does not wait for. `atWork`: not before the child has
/// launched kernels. The child ends when there is a file "go".
void leaveWork(bool atWork) {
  int ready[2];
  check(pipe(ready), "pipe");
  if (fork() == 0) {
    close(ready[0]);
    if (!atWork)
      close(ready[1]);
    work(0, 1);
    close(ready[1]);
    while (access("go", F_OK) != 0)
      usleep(20'000);
    work(0, 2);
    touch("ended");
    std::exit(0);
  }
  close(ready[1]);
  char nothing = 0;
  if (read(ready[0], &nothing, 1) != 0)
    std::exit(1);
}

float images() {
  const Device device = open();
  cl_int error = 0;
  cl_command_queue queue = clCreateCommandQueue(device.context, device.id, 0, &error);
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  cl_image_desc form{};
  form.image_type = CL_MEM_OBJECT_IMAGE2D;
  form.image_width = form.image_height = 8;
  std::vector<float> pixels(8 * 8 * 4, 0.25F);
  cl_mem from =
      clCreateImage(device.context, CL_MEM_COPY_HOST_PTR, &format, &form, pixels.data(), &error);
  check(error, "image");
  cl_mem to = clCreateImage(device.context, CL_MEM_WRITE_ONLY, &format, &form, nullptr, &error);
  check(error, "image");
  cl_kernel invert = kernel(device, "invert");
  set(invert, 0, from);
  set(invert, 1, to);
  const size_t size[3] = {8, 8, 1}, origin[3] = {};
  check(clEnqueueNDRangeKernel(queue, invert, 2, nullptr, size, nullptr, 0, nullptr, nullptr),
        "invert");
  check(clEnqueueReadImage(queue, to, CL_TRUE, origin, size, 0, 0, pixels.data(), 0, nullptr,
                           nullptr),
        "read");
  return pixels[0];
}

} // namespace

#ifdef AIWC_TEST_IS_MODULE
extern "C" __attribute__((visibility("default"))) int application(int argc, char **argv) {
#else
int main(int argc, char **argv) {
#endif
  const std::string what = argc > 1 ? argv[1] : "all";
  if (what == "die") {
    work(0, 1);
    std::abort();
  }
  if (what == "copy") {
    std::printf("copied %ld\n", copy(256));
    std::printf("copied %ld\n", copy(size_t{1} << 20));
    return 0;
  }
  if (what == "assembly") {
    std::printf("assembly %d\n", assembly());
    std::printf("in order %ld\n", work(0, 1));
    return 0;
  }
  if (what == "leave" || what == "leave at work") {
    leaveWork(what == "leave at work");
    return 5;
  }
  if (what == "kill") {
    std::printf("in order %ld\n", work(0, 1));
    std::fflush(stdout);
    raise(SIGKILL);
  }
  if (what == "exec again") {
    std::printf("in order %ld\n", work(0, 1));
    std::fflush(stdout);
    execl(argv[0], argv[0], "copy", nullptr);
  }
  if (what == "header") {
    std::printf("header %d\n", withoutHeader(false));
    return 0;
  }
  if (what == "waiting header")
    std::printf("header %d\n", withoutHeader(true));
  if (what == "spin" || what == "spin and wait")
    std::printf("spun %d\n", spin());
  std::printf("in order %ld\n", work(0, 1));
  if (what == "wait" || what == "spin and wait") { // for a line on standard input
    std::fflush(stdout);
    std::getchar();
    std::printf("goes on %ld\n", work(0, 2));
    touch("ended");
  }
  if (what == "exec") {
    std::fflush(stdout);
    execl("/bin/echo", "echo", "replaced", nullptr);
  }
  if (what != "all")
    return 0;
  std::printf("out of order %ld\n", work(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 2));
  std::printf("profiled %ld\n", work(CL_QUEUE_PROFILING_ENABLE, 3));
  long sums[3] = {};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([i, &sums] { sums[i] = work(0, 4 + i); });
  for (std::thread &thread : threads)
    thread.join();
  std::printf("threads %ld %ld %ld\n", sums[0], sums[1], sums[2]);
  std::printf("images %g\n", static_cast<double>(images()));
  return 0;
}
