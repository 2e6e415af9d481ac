#include "measure/opencl.h"

#include "measure/statistics.h"
#include "text/text.h"

#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace aiwc::measure {

namespace {

constexpr double kNanosPerSecond = 1e9;

template <typename Function> void find(void *library, const char *name, Function &function) {
  void *symbol = dlsym(library, name);
  if (!symbol)
    throw Error(fmt::format("the OpenCL library has no {}: expected OpenCL 1.2 or later", name));
  function = reinterpret_cast<Function>(symbol);
}

} // namespace

NoRoom::~NoRoom() = default;
Unsupported::~Unsupported() = default;

const OpenCl &OpenCl::get() {
  static const OpenCl functions;
  return functions;
}

OpenCl::OpenCl() {
  const char *chosen = std::getenv("AIWC_OPENCL_LIBRARY");
  const std::string name = chosen && *chosen ? chosen : "libOpenCL.so.1";
  void *library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw Error(fmt::format("{} cannot be opened: {}: expected an OpenCL library, as of the Debian "
                            "package ocl-icd-libopencl1",
                            text::printable(name, 200), text::printable(dlerror(), 200)));
  find(library, "clGetPlatformIDs", getPlatformIDs);
  find(library, "clGetPlatformInfo", getPlatformInfo);
  find(library, "clGetDeviceIDs", getDeviceIDs);
  find(library, "clGetDeviceInfo", getDeviceInfo);
  find(library, "clCreateContext", createContext);
  find(library, "clReleaseContext", releaseContext);
  find(library, "clCreateCommandQueue", createCommandQueue);
  find(library, "clReleaseCommandQueue", releaseCommandQueue);
  find(library, "clCreateBuffer", createBuffer);
  find(library, "clReleaseMemObject", releaseMemObject);
  find(library, "clCreateProgramWithSource", createProgramWithSource);
  find(library, "clBuildProgram", buildProgram);
  find(library, "clGetProgramBuildInfo", getProgramBuildInfo);
  find(library, "clReleaseProgram", releaseProgram);
  find(library, "clCreateKernel", createKernel);
  find(library, "clReleaseKernel", releaseKernel);
  find(library, "clSetKernelArg", setKernelArg);
  find(library, "clGetKernelWorkGroupInfo", getKernelWorkGroupInfo);
  find(library, "clEnqueueNDRangeKernel", enqueueNDRangeKernel);
  find(library, "clEnqueueReadBuffer", enqueueReadBuffer);
  find(library, "clEnqueueWriteBuffer", enqueueWriteBuffer);
  find(library, "clGetEventProfilingInfo", getEventProfilingInfo);
  find(library, "clReleaseEvent", releaseEvent);
  find(library, "clWaitForEvents", waitForEvents);
  find(library, "clFinish", finish);
}

namespace {

/// The text that `ask(size, value, &length)` gives, without the NUL at its end.
template <typename Ask> std::string textOf(const Ask &ask) {
  size_t length = 0;
  if (ask(0, nullptr, &length) != CL_SUCCESS || length == 0)
    return "";
  std::string text(length, '\0');
  if (ask(length, text.data(), nullptr) != CL_SUCCESS)
    return "";
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::string deviceText(const OpenCl &cl, cl_device_id id, cl_device_info what) {
  const std::string text = textOf([&](size_t size, void *value, size_t *length) {
    return cl.getDeviceInfo(id, what, size, value, length);
  });
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// 0 if the device does not say.
template <typename Value>
Value deviceValue(const OpenCl &cl, cl_device_id id, cl_device_info what) {
  Value value = {};
  if (cl.getDeviceInfo(id, what, sizeof value, &value, nullptr) != CL_SUCCESS)
    return {};
  return value;
}

DeviceFacts factsOf(const OpenCl &cl, cl_device_id id, const std::string &platform) {
  constexpr double kGhzPerMhz = 1e-3;
  // Of OpenCL 2 and cl_khr_fp16; older headers lack them.
  constexpr cl_device_info kHalfConfiguration = 0x1033;
  DeviceFacts facts;
  facts.id = id;
  facts.platform = platform;
  facts.name = deviceText(cl, id, CL_DEVICE_NAME);
  facts.board = deviceText(cl, id, CL_DEVICE_BOARD_NAME_AMD);
  facts.vendor = deviceText(cl, id, CL_DEVICE_VENDOR);
  facts.driver = deviceText(cl, id, CL_DRIVER_VERSION);
  facts.extensions = " " + deviceText(cl, id, CL_DEVICE_EXTENSIONS) + " ";
  facts.type = deviceValue<cl_device_type>(cl, id, CL_DEVICE_TYPE);
  const auto integer = [&](cl_device_info what) {
    return static_cast<double>(deviceValue<cl_uint>(cl, id, what));
  };
  const auto large = [&](cl_device_info what) {
    return static_cast<double>(deviceValue<cl_ulong>(cl, id, what));
  };
  facts.computeUnits =
      std::max<size_t>(deviceValue<cl_uint>(cl, id, CL_DEVICE_MAX_COMPUTE_UNITS), 1);
  facts.clockGhz = integer(CL_DEVICE_MAX_CLOCK_FREQUENCY) * kGhzPerMhz;
  facts.memoryBytes = large(CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.largestBuffer = large(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.cacheBytes = large(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  facts.lineBytes = integer(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  facts.localBytes = large(CL_DEVICE_LOCAL_MEM_SIZE);
  facts.workGroupSize =
      std::max<size_t>(deviceValue<size_t>(cl, id, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1);
  facts.vectorWidth =
      std::max<size_t>(deviceValue<cl_uint>(cl, id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT), 1);
  facts.unifiedMemory = deviceValue<cl_bool>(cl, id, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE;
  facts.profiling = (deviceValue<cl_command_queue_properties>(cl, id, CL_DEVICE_QUEUE_PROPERTIES) &
                     CL_QUEUE_PROFILING_ENABLE) != 0;
  const auto doubles = deviceValue<cl_device_fp_config>(cl, id, CL_DEVICE_DOUBLE_FP_CONFIG);
  facts.fp64 = doubles != 0;
  facts.fusesFp64 = (doubles & CL_FP_FMA) != 0;
  facts.fusesFp32 =
      (deviceValue<cl_device_fp_config>(cl, id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA) != 0;
  facts.fp16 = facts.extensions.find(" cl_khr_fp16 ") != std::string::npos;
  facts.fusesFp16 =
      facts.fp16 && (deviceValue<cl_device_fp_config>(cl, id, kHalfConfiguration) & CL_FP_FMA) != 0;
  return facts;
}

} // namespace

std::vector<DeviceFacts> openClDevices() {
  const OpenCl &cl = OpenCl::get();
  cl_uint count = 0;
  if (cl.getPlatformIDs(0, nullptr, &count) != CL_SUCCESS)
    return {};
  std::vector<cl_platform_id> platforms(count);
  if (count == 0 || cl.getPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS)
    return {};
  std::vector<DeviceFacts> devices;
  for (const cl_platform_id platform : platforms) {
    const std::string name = textOf([&](size_t size, void *value, size_t *length) {
      return cl.getPlatformInfo(platform, CL_PLATFORM_NAME, size, value, length);
    });
    if (cl.getDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> ids(count);
    if (cl.getDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) != CL_SUCCESS)
      continue;
    for (const cl_device_id id : ids)
      devices.push_back(factsOf(cl, id, name));
  }
  return devices;
}

void Kernel::setBytes(cl_uint index, size_t bytes, const void *value) const {
  const cl_int status = OpenCl::get().setKernelArg(kernel_.get(), index, bytes, value);
  if (status != CL_SUCCESS)
    throw Error(fmt::format("kernel {}: clSetKernelArg {} failed with status {}: expected 0", name_,
                            index, status));
}

void Kernel::argument(cl_uint index, const Buffer &buffer) {
  const cl_mem memory = buffer.memory_.get();
  // NOLINTNEXTLINE(bugprone-sizeof-expression): the argument is the handle
  setBytes(index, sizeof memory, &memory);
}

void Kernel::argument(cl_uint index, LocalBytes local) {
  setBytes(index, local.bytes, nullptr);
}

void Kernel::argument(cl_uint index, uint32_t number) {
  setBytes(index, sizeof number, &number);
}

Device::Device(DeviceFacts facts) : cl_(OpenCl::get()), facts_(std::move(facts)) {
  cl_int status = CL_SUCCESS;
  context_ = {cl_.createContext(nullptr, 1, &facts_.id, nullptr, nullptr, &status),
              cl_.releaseContext};
  check(status, "clCreateContext");
  const cl_command_queue_properties properties =
      facts_.profiling ? CL_QUEUE_PROFILING_ENABLE : cl_command_queue_properties{0};
  queue_ = {cl_.createCommandQueue(context_.get(), facts_.id, properties, &status),
            cl_.releaseCommandQueue};
  check(status, "clCreateCommandQueue");
  if (facts_.profiling)
    findClockStep();
}

void Device::fail(cl_int status, std::string_view function) const {
  throw Error(fmt::format("device {}: {} failed with status {}: expected 0",
                          text::printable(facts_.name, 100), function, status));
}

void Device::check(cl_int status, std::string_view function) const {
  if (status != CL_SUCCESS)
    fail(status, function);
}

Buffer Device::buffer(size_t bytes) {
  cl_int status = CL_SUCCESS;
  Buffer buffer;
  buffer.bytes_ = bytes;
  buffer.memory_ = {cl_.createBuffer(context_.get(), CL_MEM_READ_WRITE, bytes, nullptr, &status),
                    cl_.releaseMemObject};
  if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
      status == CL_INVALID_BUFFER_SIZE || status == CL_OUT_OF_HOST_MEMORY)
    throw NoRoom(fmt::format("device {}: no room for {} bytes: expected more memory",
                             text::printable(facts_.name, 100), bytes));
  check(status, "clCreateBuffer");
  return buffer;
}

void Device::write(const Buffer &buffer, const void *data, size_t bytes, size_t offset) {
  check(cl_.enqueueWriteBuffer(queue_.get(), buffer.memory_.get(), CL_TRUE, offset, bytes, data, 0,
                               nullptr, nullptr),
        "clEnqueueWriteBuffer");
}

void Device::read(const Buffer &buffer, void *data, size_t bytes, size_t offset) {
  check(cl_.enqueueReadBuffer(queue_.get(), buffer.memory_.get(), CL_TRUE, offset, bytes, data, 0,
                              nullptr, nullptr),
        "clEnqueueReadBuffer");
}

Device::Program Device::build(std::string_view source, const std::string &options) {
  Program &known = programs_[{options, std::string(source)}];
  if (known)
    return known;
  cl_int status = CL_SUCCESS;
  const char *text = source.data();
  const size_t length = source.size();
  Program program = {cl_.createProgramWithSource(context_.get(), 1, &text, &length, &status),
                     cl_.releaseProgram};
  check(status, "clCreateProgramWithSource");
  if (cl_.buildProgram(program.get(), 1, &facts_.id, options.c_str(), nullptr, nullptr) ==
      CL_SUCCESS)
    return known = program;
  const std::string log = textOf([&](size_t size, void *value, size_t *written) {
    return cl_.getProgramBuildInfo(program.get(), facts_.id, CL_PROGRAM_BUILD_LOG, size, value,
                                   written);
  });
  const size_t begin = std::min(log.find_first_not_of("\n "), log.size());
  const std::string line = log.substr(begin, log.find('\n', begin) - begin);
  throw Unsupported(fmt::format("the device's compiler refuses the kernels: {}",
                                line.empty() ? "no message" : text::printable(line, 200)));
}

Kernel Device::kernel(const Program &program, const std::string &name) {
  cl_int status = CL_SUCCESS;
  Kernel kernel;
  kernel.name_ = name;
  kernel.kernel_ = {cl_.createKernel(program.get(), name.c_str(), &status), cl_.releaseKernel};
  check(status, "clCreateKernel");
  size_t largest = 0;
  if (cl_.getKernelWorkGroupInfo(kernel.kernel_.get(), facts_.id, CL_KERNEL_WORK_GROUP_SIZE,
                                 sizeof largest, &largest, nullptr) != CL_SUCCESS ||
      largest == 0)
    largest = 1;
  kernel.largestGroup_ = std::min(largest, facts_.workGroupSize);
  size_t multiple = 0;
  if (cl_.getKernelWorkGroupInfo(kernel.kernel_.get(), facts_.id,
                                 CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                 &multiple, nullptr) == CL_SUCCESS)
    kernel.preferredMultiple_ = std::max<size_t>(multiple, 1);
  return kernel;
}

void Device::launch(Kernel &kernel, const Range &range, cl_event *event) {
  const std::array<size_t, 2> items = {range.items, std::max<size_t>(range.height, 1)};
  const std::array<size_t, 2> group = {range.group, std::max<size_t>(range.groupHeight, 1)};
  const cl_int status =
      cl_.enqueueNDRangeKernel(queue_.get(), kernel.kernel_.get(), range.height > 0 ? 2 : 1,
                               nullptr, items.data(), group.data(), 0, nullptr, event);
  if (status == CL_INVALID_WORK_GROUP_SIZE || status == CL_INVALID_WORK_ITEM_SIZE)
    throw Unsupported(
        fmt::format("the device refuses work-groups of {} work-items", group[0] * group[1]));
  check(status, "clEnqueueNDRangeKernel");
  ++kernel.launches_;
}

void Device::enqueue(Kernel &kernel, const Range &range) {
  launch(kernel, range, nullptr);
}

void Device::finish() {
  check(cl_.finish(queue_.get()), "clFinish");
}

void Device::run(Kernel &kernel, const Range &range) {
  enqueue(kernel, range);
  finish();
}

LaunchTimes Device::times(Kernel &kernel, const Range &range) {
  cl_event event = nullptr;
  launch(kernel, range, &event);
  const Owned<cl_event> owner(event, cl_.releaseEvent);
  check(cl_.waitForEvents(1, &event), "clWaitForEvents");
  const auto at = [&](cl_profiling_info what) {
    cl_ulong nanos = 0;
    check(cl_.getEventProfilingInfo(event, what, sizeof nanos, &nanos, nullptr),
          "clGetEventProfilingInfo");
    return nanos;
  };
  // Differences first: a clock may count from so long ago that a double has no nanoseconds left.
  const cl_ulong queued = at(CL_PROFILING_COMMAND_QUEUED);
  const auto since = [&](cl_profiling_info what) {
    return static_cast<double>(static_cast<cl_long>(at(what) - queued));
  };
  return {0, since(CL_PROFILING_COMMAND_START), since(CL_PROFILING_COMMAND_END)};
}

double Device::seconds(Kernel &kernel, const Range &range) {
  if (precise()) {
    const LaunchTimes times = this->times(kernel, range);
    return std::max(times.end - times.start, *clockStep_) / kNanosPerSecond;
  }
  constexpr double kEnough = 1e-3;
  constexpr size_t kMostLaunches = 1 << 16;
  for (;;) {
    const auto begin = Clock::now();
    for (size_t i = 0; i < kernel.batch_; ++i)
      enqueue(kernel, range);
    finish();
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    const auto launches = static_cast<double>(kernel.batch_);
    if (elapsed >= kEnough || kernel.batch_ >= kMostLaunches) {
      // The next launches may be of more work.
      const double needed = std::ceil(2 * kEnough / elapsed * launches);
      kernel.batch_ = std::min(kernel.batch_, static_cast<size_t>(std::max(needed, 1.0)));
      return elapsed / launches;
    }
    kernel.batch_ *= 2;
  }
}

bool Device::precise() const {
  constexpr double kFine = 1'000; // ns
  return clockStep_ && *clockStep_ <= kFine;
}

std::string Device::whyNotPrecise() const {
  if (!facts_.profiling)
    return "the device has no profiling";
  if (!clockStep_)
    return "the device's clock stands still";
  return fmt::format("the device's clock goes in steps of {:.3g} us", *clockStep_ / 1e3);
}

void Device::findClockStep() {
  Kernel kernel = this->kernel(build("kernel void nothing(uint n) {}", ""), "nothing");
  kernel.set(uint32_t{0});
  std::vector<double> times;
  for (int i = 0; i < 40; ++i) {
    const LaunchTimes launch = this->times(kernel, {});
    times.push_back(launch.end - launch.start);
    times.push_back(launch.start);
  }
  std::ranges::sort(times);
  // A step is what all times are multiples of, nearly: the smallest difference of two.
  double previous = 0;
  for (const double time : times) {
    const double step = time - previous;
    if (time > 0 && step > 0 && (!clockStep_ || step < *clockStep_))
      clockStep_ = step;
    previous = std::max(time, 0.0);
  }
}

} // namespace aiwc::measure
