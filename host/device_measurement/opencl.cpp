#include "device_measurement/opencl.h"

#include "device_measurement/statistics.h"
#include "text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace aiwc::device_measurement {

using opencl::api;

NoRoom::~NoRoom() = default;
Unsupported::~Unsupported() = default;

namespace {

/// Without blanks at its ends.
std::string deviceText(cl_device_id id, cl_device_info what) {
  const std::string text = opencl::askText(api().clGetDeviceInfo, what, id);
  const size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? ""
                                    : text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// 0 if the device does not say.
template <typename Value> Value deviceValue(cl_device_id id, cl_device_info what) {
  return opencl::askOr<Value>(0, api().clGetDeviceInfo, what, id);
}

DeviceFacts factsOf(cl_device_id id, const std::string &platform) {
  constexpr double kGhzPerMhz = 1e-3;
  // Of OpenCL 2 and cl_khr_fp16; older headers lack them.
  constexpr cl_device_info kHalfConfiguration = 0x1033;
  DeviceFacts facts;
  facts.id = id;
  facts.platform = platform;
  facts.name = deviceText(id, CL_DEVICE_NAME);
  facts.board = deviceText(id, CL_DEVICE_BOARD_NAME_AMD);
  facts.vendor = deviceText(id, CL_DEVICE_VENDOR);
  facts.driver = deviceText(id, CL_DRIVER_VERSION);
  facts.extensions = " " + deviceText(id, CL_DEVICE_EXTENSIONS) + " ";
  facts.type = deviceValue<cl_device_type>(id, CL_DEVICE_TYPE);
  const auto integer = [&](cl_device_info what) {
    return static_cast<double>(deviceValue<cl_uint>(id, what));
  };
  const auto large = [&](cl_device_info what) {
    return static_cast<double>(deviceValue<cl_ulong>(id, what));
  };
  facts.computeUnits = std::max<size_t>(deviceValue<cl_uint>(id, CL_DEVICE_MAX_COMPUTE_UNITS), 1);
  facts.clockGhz = integer(CL_DEVICE_MAX_CLOCK_FREQUENCY) * kGhzPerMhz;
  facts.memoryBytes = large(CL_DEVICE_GLOBAL_MEM_SIZE);
  facts.largestBuffer = large(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  facts.cacheBytes = large(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  facts.lineBytes = integer(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  facts.localBytes = large(CL_DEVICE_LOCAL_MEM_SIZE);
  facts.workGroupSize = std::max<size_t>(deviceValue<size_t>(id, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1);
  facts.vectorWidth =
      std::max<size_t>(deviceValue<cl_uint>(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT), 1);
  facts.unifiedMemory = deviceValue<cl_bool>(id, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE;
  facts.profiling = (deviceValue<cl_command_queue_properties>(id, CL_DEVICE_QUEUE_PROPERTIES) &
                     CL_QUEUE_PROFILING_ENABLE) != 0;
  const auto doubles = deviceValue<cl_device_fp_config>(id, CL_DEVICE_DOUBLE_FP_CONFIG);
  facts.fp64 = doubles != 0;
  facts.fusesFp64 = (doubles & CL_FP_FMA) != 0;
  facts.fusesFp32 =
      (deviceValue<cl_device_fp_config>(id, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_FMA) != 0;
  facts.fp16 = facts.extensions.find(" cl_khr_fp16 ") != std::string::npos;
  facts.fusesFp16 =
      facts.fp16 && (deviceValue<cl_device_fp_config>(id, kHalfConfiguration) & CL_FP_FMA) != 0;
  return facts;
}

} // namespace

std::vector<DeviceFacts> openClDevices() {
  cl_uint count = 0;
  if (api().clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS)
    return {};
  std::vector<cl_platform_id> platforms(count);
  if (count == 0 || api().clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS)
    return {};
  std::vector<DeviceFacts> devices;
  for (const cl_platform_id platform : platforms) {
    const std::string name = opencl::askText(api().clGetPlatformInfo, CL_PLATFORM_NAME, platform);
    if (api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> ids(count);
    if (api().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) !=
        CL_SUCCESS)
      continue;
    for (const cl_device_id id : ids)
      devices.push_back(factsOf(id, name));
  }
  return devices;
}

Device::Device(DeviceFacts facts)
    : opencl::Device(facts.id, facts.profiling ? CL_QUEUE_PROFILING_ENABLE : 0),
      facts_(std::move(facts)) {
  if (facts_.profiling)
    findClockStep();
}

Buffer Device::buffer(size_t bytes) {
  Buffer buffer;
  buffer.bytes_ = bytes;
  try {
    buffer.memory_ = opencl::Device::buffer(bytes);
  } catch (const opencl::StatusError &error) {
    const cl_int status = error.status();
    if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
        status == CL_INVALID_BUFFER_SIZE || status == CL_OUT_OF_HOST_MEMORY)
      throw NoRoom(fmt::format("device {}: no room for {} bytes: expected more memory",
                               text::printable(facts_.name, 100), bytes));
    throw;
  }
  return buffer;
}

Device::Program Device::build(std::string_view source, const std::string &options) {
  Program &known = programs_[{options, std::string(source)}];
  if (known)
    return known;
  try {
    return known = built(source, options);
  } catch (const opencl::BuildError &error) {
    const std::string &log = error.log();
    const size_t begin = std::min(log.find_first_not_of("\n "), log.size());
    const std::string line = log.substr(begin, log.find('\n', begin) - begin);
    throw Unsupported(fmt::format("the device's compiler refuses the kernels: {}",
                                  line.empty() ? "no message" : text::printable(line, 200)));
  }
}

TimedKernel Device::kernel(const Program &program, const std::string &name) {
  TimedKernel kernel;
  kernel.kernel_ = opencl::make(api().clCreateKernel, program.get(), name.c_str());
  size_t largest = 0;
  if (api().clGetKernelWorkGroupInfo(kernel.kernel_.get(), id(), CL_KERNEL_WORK_GROUP_SIZE,
                                     sizeof largest, &largest, nullptr) != CL_SUCCESS ||
      largest == 0)
    largest = 1;
  kernel.largestGroup_ = std::min(largest, facts_.workGroupSize);
  size_t multiple = 0;
  if (api().clGetKernelWorkGroupInfo(kernel.kernel_.get(), id(),
                                     CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple,
                                     &multiple, nullptr) == CL_SUCCESS)
    kernel.preferredMultiple_ = std::max<size_t>(multiple, 1);
  return kernel;
}

void Device::launch(TimedKernel &kernel, const Range &range, cl_event *event) {
  const std::array<size_t, 2> items = {range.items, std::max<size_t>(range.height, 1)};
  const std::array<size_t, 2> group = {range.group, std::max<size_t>(range.groupHeight, 1)};
  try {
    opencl::Device::launch(kernel.kernel_.get(), range.height > 0 ? 2 : 1, items.data(),
                           group.data(), nullptr, event);
  } catch (const opencl::StatusError &error) {
    if (error.status() == CL_INVALID_WORK_GROUP_SIZE || error.status() == CL_INVALID_WORK_ITEM_SIZE)
      throw Unsupported(
          fmt::format("the device refuses work-groups of {} work-items", group[0] * group[1]));
    throw;
  }
  ++kernel.launches_;
}

void Device::enqueue(TimedKernel &kernel, const Range &range) {
  launch(kernel, range, nullptr);
}

void Device::run(TimedKernel &kernel, const Range &range) {
  enqueue(kernel, range);
  finish();
}

opencl::CommandTimes Device::times(TimedKernel &kernel, const Range &range) {
  cl_event event = nullptr;
  launch(kernel, range, &event);
  return opencl::timesOf(opencl::owned(event).get());
}

double Device::seconds(TimedKernel &kernel, const Range &range) {
  if (precise()) {
    constexpr double kNanosPerSecond = 1e9;
    const opencl::CommandTimes times = this->times(kernel, range);
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
  TimedKernel kernel = this->kernel(build("kernel void nothing(uint n) {}", ""), "nothing");
  kernel.set(uint32_t{0});
  std::vector<double> times;
  for (int i = 0; i < 40; ++i) {
    const opencl::CommandTimes launch = this->times(kernel, {});
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

} // namespace aiwc::device_measurement
