#include "fake_driver.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

// The handles of the driver.
struct _cl_command_queue {
  cl_command_queue_properties properties = 0;
};
struct _cl_event {
  std::atomic<int> references = 1;
  std::atomic<bool> hasEnded = false;
  uint64_t queued = 0;
  cl_command_queue queue = nullptr;
};
struct _cl_kernel {
  std::string name;
};
struct _cl_mem {
  std::vector<char> bytes;
};
struct _cl_program {};
struct _cl_device_id {};

namespace aiwc::test {
namespace {

FakeDriver driver;
std::mutex mutex;
std::vector<cl_event> events; // live
std::vector<cl_event> lastWaits;
uint64_t clock = 0;
std::atomic<size_t> reads = 0;
_cl_program program;
_cl_device_id device;

template <typename Value> cl_int give(const Value &value, size_t bytes, void *to, size_t *needed) {
  if (needed)
    *needed = sizeof value;
  if (to && bytes < sizeof value)
    return CL_INVALID_VALUE;
  if (to)
    std::memcpy(to, &value, sizeof value);
  return CL_SUCCESS;
}

cl_int give(const std::string &text, size_t bytes, void *to, size_t *needed) {
  if (needed)
    *needed = text.size() + 1;
  if (to && bytes < text.size() + 1)
    return CL_INVALID_VALUE;
  if (to)
    std::memcpy(to, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

cl_event newEvent(cl_command_queue queue, bool hasEnded) {
  auto made = std::make_unique<_cl_event>();
  made->queue = queue;
  made->hasEnded = hasEnded;
  const std::scoped_lock lock(mutex);
  made->queued = clock += 10;
  events.push_back(made.get());
  return made.release();
}

cl_int releaseEvent(cl_event event) {
  if (--event->references > 0)
    return CL_SUCCESS;
  const std::scoped_lock lock(mutex);
  std::erase(events, event);
  delete event;
  return CL_SUCCESS;
}

cl_int command(cl_command_queue queue, cl_event *event) {
  cl_event made = newEvent(queue, driver.endsAtOnce);
  if (event)
    *event = made;
  else
    releaseEvent(made);
  return CL_SUCCESS;
}

void setStatus(cl_int *to, cl_int status = CL_SUCCESS) {
  if (to)
    *to = status;
}

cl_command_queue createQueue(cl_command_queue_properties properties, cl_int *error) {
  const bool refused = driver.refusesProfiling && (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
  setStatus(error, refused ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS);
  return refused ? nullptr : new _cl_command_queue{properties};
}

void addQueues(opencl::Functions &made) {
  made.clCreateCommandQueue = [](auto, auto, auto properties, auto error) {
    return createQueue(properties, error);
  };
  made.clCreateCommandQueueWithProperties = [](auto, auto, auto list, auto error) {
    cl_command_queue_properties flags = 0;
    for (; list && *list != 0; list += 2)
      if (list[0] == CL_QUEUE_PROPERTIES)
        flags = list[1];
    return createQueue(flags, error);
  };
  made.clGetCommandQueueInfo = [](auto queue, auto what, auto... answer) {
    if (what == CL_QUEUE_DEVICE)
      return give(cl_device_id(&device), answer...);
    return what == CL_QUEUE_PROPERTIES ? give(queue->properties, answer...) : CL_INVALID_VALUE;
  };
  made.clGetDeviceInfo = [](auto, auto what, auto... answer) {
    return what == CL_DEVICE_NAME ? give(std::string("Fake 1"), answer...) : CL_INVALID_VALUE;
  };
  made.clReleaseCommandQueue = [](auto queue) {
    delete queue;
    return CL_SUCCESS;
  };
  made.clFinish = [](auto...) { return CL_SUCCESS; };
  made.clWaitForEvents = [](auto...) { return CL_SUCCESS; };
}

void addKernels(opencl::Functions &made) {
  made.clCreateKernel = [](auto, auto name, auto error) {
    setStatus(error);
    return new _cl_kernel{name};
  };
  made.clGetKernelInfo = [](auto kernel, auto what, auto... answer) {
    switch (what) {
    case CL_KERNEL_FUNCTION_NAME:
      return give(kernel->name, answer...);
    case CL_KERNEL_NUM_ARGS:
      return give(driver.parameters, answer...);
    default:
      return give(cl_program(&program), answer...);
    }
  };
  made.clGetProgramInfo = [](auto, auto what, auto... answer) {
    switch (what) {
    case CL_PROGRAM_SOURCE:
      return give(driver.source, answer...);
    case CL_PROGRAM_NUM_DEVICES:
      return give(cl_uint{1}, answer...);
    case CL_PROGRAM_DEVICES:
      return give(cl_device_id(&device), answer...);
    default:
      return CL_INVALID_VALUE;
    }
  };
  made.clGetProgramBuildInfo = [](auto, auto, auto, auto... answer) {
    return give(std::string("-DN=2"), answer...);
  };
  made.clSetKernelArg = [](auto, auto index, auto...) {
    return index > 8 ? CL_INVALID_ARG_INDEX : CL_SUCCESS;
  };
  made.clCreateBuffer = [](auto, auto, auto bytes, auto from, auto error) {
    setStatus(error);
    auto *buffer = new _cl_mem{std::vector<char>(bytes)};
    if (from)
      std::memcpy(buffer->bytes.data(), from, bytes);
    return buffer;
  };
  made.clReleaseMemObject = [](auto buffer) {
    delete buffer;
    return CL_SUCCESS;
  };
}

void addEvents(opencl::Functions &made) {
  made.clGetEventInfo = [](auto event, auto what, auto... answer) {
    return what == CL_EVENT_COMMAND_QUEUE
               ? give(event->queue, answer...)
               : give(cl_int{event->hasEnded ? CL_COMPLETE : CL_QUEUED}, answer...);
  };
  // A command is queued, submitted 1 ns later, starts after 2 ns, and takes 5 ns.
  made.clGetEventProfilingInfo = [](auto event, auto what, auto... answer) {
    if (!event->queue || (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0)
      return CL_PROFILING_INFO_NOT_AVAILABLE;
    const uint64_t after = what == CL_PROFILING_COMMAND_QUEUED   ? 0
                           : what == CL_PROFILING_COMMAND_SUBMIT ? 1
                           : what == CL_PROFILING_COMMAND_START  ? 2
                                                                 : 7;
    return give(cl_ulong{event->queued + after}, answer...);
  };
  made.clRetainEvent = [](auto event) {
    ++event->references;
    return CL_SUCCESS;
  };
  made.clReleaseEvent = releaseEvent;
  // Commands that have ended tell at once.
  made.clSetEventCallback = [](auto event, auto, auto tell, auto data) {
    if (driver.refusesCallbacks || !event->hasEnded)
      return CL_INVALID_OPERATION;
    tell(event, CL_COMPLETE, data);
    return CL_SUCCESS;
  };
}

void addCommands(opencl::Functions &made) {
  made.clEnqueueNDRangeKernel = [](auto queue, auto kernel, auto dimensions, auto, auto, auto,
                                   auto waits, auto waitList, auto event) {
    if (dimensions < 1 || dimensions > 3)
      return CL_INVALID_WORK_DIMENSION;
    if (kernel->name == "impossible")
      return CL_OUT_OF_RESOURCES;
    {
      const std::scoped_lock lock(mutex);
      lastWaits.assign(waitList, waitList + waits);
    }
    return command(queue, event);
  };
  made.clEnqueueReadBuffer = [](auto queue, auto buffer, auto, auto offset, auto bytes, auto to,
                                auto, auto, auto event) {
    if (driver.refusesReads)
      return CL_INVALID_OPERATION;
    std::memcpy(to, buffer->bytes.data() + offset, bytes);
    ++reads;
    return command(queue, event);
  };
  made.clEnqueueWriteBuffer = [](auto queue, auto buffer, auto, auto offset, auto bytes, auto from,
                                 auto, auto, auto event) {
    std::memcpy(buffer->bytes.data() + offset, from, bytes);
    return command(queue, event);
  };
}

} // namespace

const opencl::Functions &FakeDriver::functions() {
  static const opencl::Functions table = [] {
    opencl::Functions made{};
    addQueues(made);
    addKernels(made);
    addEvents(made);
    addCommands(made);
    return made;
  }();
  return table;
}

FakeDriver &FakeDriver::current() {
  return driver;
}

const opencl::Functions &FakeDriver::begin(const FakeDriver &made) {
  driver = made;
  events.clear(); // of an earlier test
  cl_uint count = 0;
  const opencl::Functions *layered = nullptr;
  clInitLayer(sizeof(opencl::Functions) / sizeof(void *), &functions(), &count, &layered);
  // Each test begins a layer, which is never freed: LeakSanitizer reports what nothing points to.
  static auto *layers = new std::vector<const opencl::Functions *>;
  layers->push_back(layered);
  return *layered;
}

void FakeDriver::endAll() {
  const std::scoped_lock lock(mutex);
  for (cl_event event : events)
    event->hasEnded = true;
}

size_t FakeDriver::reads() {
  return test::reads;
}

size_t FakeDriver::liveEvents() {
  const std::scoped_lock lock(mutex);
  return events.size();
}

std::vector<cl_event> FakeDriver::waitsOfLastLaunch() {
  const std::scoped_lock lock(mutex);
  return lastWaits;
}

cl_event FakeDriver::userEvent() {
  return newEvent(nullptr, false);
}

} // namespace aiwc::test
