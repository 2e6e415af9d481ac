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

cl_int CL_API_CALL releaseEvent(cl_event event) {
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

cl_command_queue CL_API_CALL createQueue(cl_context, cl_device_id,
                                         cl_command_queue_properties properties, cl_int *error) {
  const bool refused = driver.refusesProfiling && (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
  if (error)
    *error = refused ? CL_INVALID_QUEUE_PROPERTIES : CL_SUCCESS;
  return refused ? nullptr : new _cl_command_queue{properties};
}

cl_command_queue CL_API_CALL createQueueWithProperties(cl_context context, cl_device_id of,
                                                       const cl_queue_properties *list,
                                                       cl_int *error) {
  cl_command_queue_properties flags = 0;
  for (; list && *list != 0; list += 2)
    if (list[0] == CL_QUEUE_PROPERTIES)
      flags = list[1];
  return createQueue(context, of, flags, error);
}

cl_int CL_API_CALL queueInfo(cl_command_queue queue, cl_command_queue_info what, size_t bytes,
                             void *to, size_t *needed) {
  if (what == CL_QUEUE_DEVICE)
    return give(cl_device_id(&device), bytes, to, needed);
  return what == CL_QUEUE_PROPERTIES ? give(queue->properties, bytes, to, needed)
                                     : CL_INVALID_VALUE;
}

cl_int CL_API_CALL deviceInfo(cl_device_id, cl_device_info what, size_t bytes, void *to,
                              size_t *needed) {
  return what == CL_DEVICE_NAME ? give(std::string("Fake 1"), bytes, to, needed) : CL_INVALID_VALUE;
}

cl_int CL_API_CALL releaseQueue(cl_command_queue queue) {
  delete queue;
  return CL_SUCCESS;
}

cl_int CL_API_CALL finish(cl_command_queue) {
  return CL_SUCCESS;
}

cl_int CL_API_CALL waitForEvents(cl_uint, const cl_event *) {
  return CL_SUCCESS;
}

cl_kernel CL_API_CALL createKernel(cl_program, const char *name, cl_int *error) {
  if (error)
    *error = CL_SUCCESS;
  return new _cl_kernel{name};
}

cl_int CL_API_CALL kernelInfo(cl_kernel kernel, cl_kernel_info what, size_t bytes, void *to,
                              size_t *needed) {
  switch (what) {
  case CL_KERNEL_FUNCTION_NAME:
    return give(kernel->name, bytes, to, needed);
  case CL_KERNEL_NUM_ARGS:
    return give(driver.parameters, bytes, to, needed);
  default:
    return give(cl_program(&program), bytes, to, needed);
  }
}

cl_int CL_API_CALL programInfo(cl_program, cl_program_info what, size_t bytes, void *to,
                               size_t *needed) {
  switch (what) {
  case CL_PROGRAM_SOURCE:
    return give(driver.source, bytes, to, needed);
  case CL_PROGRAM_NUM_DEVICES:
    return give(cl_uint{1}, bytes, to, needed);
  case CL_PROGRAM_DEVICES:
    return give(cl_device_id(&device), bytes, to, needed);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL buildInfo(cl_program, cl_device_id, cl_program_build_info, size_t bytes,
                             void *to, size_t *needed) {
  return give(std::string("-DN=2"), bytes, to, needed);
}

cl_int CL_API_CALL setArgument(cl_kernel, cl_uint index, size_t, const void *) {
  return index > 8 ? CL_INVALID_ARG_INDEX : CL_SUCCESS;
}

cl_mem CL_API_CALL createBuffer(cl_context, cl_mem_flags, size_t bytes, void *from, cl_int *error) {
  if (error)
    *error = CL_SUCCESS;
  auto *made = new _cl_mem{std::vector<char>(bytes)};
  if (from)
    std::memcpy(made->bytes.data(), from, bytes);
  return made;
}

cl_int CL_API_CALL eventInfo(cl_event event, cl_event_info what, size_t bytes, void *to,
                             size_t *needed) {
  return what == CL_EVENT_COMMAND_QUEUE
             ? give(event->queue, bytes, to, needed)
             : give(cl_int{event->hasEnded ? CL_COMPLETE : CL_QUEUED}, bytes, to, needed);
}

/// A command is queued, submitted 1 ns later, starts after 2 ns, and takes 5 ns.
cl_int CL_API_CALL profilingInfo(cl_event event, cl_profiling_info what, size_t bytes, void *to,
                                 size_t *needed) {
  if (!event->queue || (event->queue->properties & CL_QUEUE_PROFILING_ENABLE) == 0)
    return CL_PROFILING_INFO_NOT_AVAILABLE;
  const uint64_t after = what == CL_PROFILING_COMMAND_QUEUED   ? 0
                         : what == CL_PROFILING_COMMAND_SUBMIT ? 1
                         : what == CL_PROFILING_COMMAND_START  ? 2
                                                               : 7;
  return give(cl_ulong{event->queued + after}, bytes, to, needed);
}

cl_int CL_API_CALL retainEvent(cl_event event) {
  ++event->references;
  return CL_SUCCESS;
}

/// Commands that have ended tell at once.
cl_int CL_API_CALL setCallback(cl_event event, cl_int,
                               void(CL_CALLBACK *call)(cl_event, cl_int, void *), void *data) {
  if (driver.refusesCallbacks || !event->hasEnded)
    return CL_INVALID_OPERATION;
  call(event, CL_COMPLETE, data);
  return CL_SUCCESS;
}

cl_int CL_API_CALL enqueueKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *, const size_t *, const size_t *, cl_uint waits,
                                 const cl_event *waitList, cl_event *event) {
  if (dimensions < 1 || dimensions > 3)
    return CL_INVALID_WORK_DIMENSION;
  if (kernel->name == "impossible")
    return CL_OUT_OF_RESOURCES;
  {
    const std::scoped_lock lock(mutex);
    lastWaits.assign(waitList, waitList + waits);
  }
  return command(queue, event);
}

cl_int CL_API_CALL enqueueRead(cl_command_queue queue, cl_mem buffer, cl_bool, size_t offset,
                               size_t bytes, void *to, cl_uint, const cl_event *, cl_event *event) {
  if (driver.refusesReads)
    return CL_INVALID_OPERATION;
  std::memcpy(to, buffer->bytes.data() + offset, bytes);
  ++reads;
  return command(queue, event);
}

cl_int CL_API_CALL enqueueWrite(cl_command_queue queue, cl_mem buffer, cl_bool, size_t offset,
                                size_t bytes, const void *from, cl_uint, const cl_event *,
                                cl_event *event) {
  std::memcpy(buffer->bytes.data() + offset, from, bytes);
  return command(queue, event);
}

} // namespace

const cl_icd_dispatch &FakeDriver::functions() {
  static const cl_icd_dispatch table = [] {
    cl_icd_dispatch made{};
    made.clCreateCommandQueue = createQueue;
    made.clCreateCommandQueueWithProperties = createQueueWithProperties;
    made.clGetCommandQueueInfo = queueInfo;
    made.clReleaseCommandQueue = releaseQueue;
    made.clGetDeviceInfo = deviceInfo;
    made.clFinish = finish;
    made.clWaitForEvents = waitForEvents;
    made.clCreateKernel = createKernel;
    made.clGetKernelInfo = kernelInfo;
    made.clGetProgramInfo = programInfo;
    made.clGetProgramBuildInfo = buildInfo;
    made.clSetKernelArg = setArgument;
    made.clCreateBuffer = createBuffer;
    made.clGetEventInfo = eventInfo;
    made.clGetEventProfilingInfo = profilingInfo;
    made.clRetainEvent = retainEvent;
    made.clReleaseEvent = releaseEvent;
    made.clSetEventCallback = setCallback;
    made.clEnqueueNDRangeKernel = enqueueKernel;
    made.clEnqueueReadBuffer = enqueueRead;
    made.clEnqueueWriteBuffer = enqueueWrite;
    return made;
  }();
  return table;
}

FakeDriver &FakeDriver::current() {
  return driver;
}

const cl_icd_dispatch &FakeDriver::begin(const FakeDriver &made) {
  driver = made;
  events.clear(); // of an earlier test
  cl_uint count = 0;
  const cl_icd_dispatch *layered = nullptr;
  clInitLayer(sizeof(cl_icd_dispatch) / sizeof(void *), &functions(), &count, &layered);
  // Each test begins a layer, which is never freed: LeakSanitizer reports what nothing points to.
  static auto *layers = new std::vector<const cl_icd_dispatch *>;
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
