// A layer of OpenCL's loader (OPENCL_LAYERS): it stands between an application and the driver of
// its device, and takes the times of launches and transfers. It changes no result: whatever fails
// here ends the watching and not the application.
#include "attach/layer.h"

#include "attach/captures.h"
#include "attach/command_log.h"
#include "attach/objects.h"
#include "common/version.h"
#include "session/options.h"

#include <CL/cl_layer.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

namespace aiwc::attach {
namespace {

/// Memory that the host has mapped, by its address.
struct Mapped {
  uint64_t bytes = 0;
  bool isWritten = false;
};

/// Lives until the process ends, and longer than every static destructor.
struct Layer {
  explicit Layer(const SessionOptions &options)
      : status(options.statusFile, options.output), log(below, status), objects(below),
        captures(below, objects, budgetOfEnvironment()) {}

  void finish() {
    log.finish();
    captures.handOver();
    for (const std::string &line : captures.leftOut())
      status.note(line);
  }
  /// Takes what has ended.
  void collect() {
    log.collect();
    captures.handOver();
  }

  cl_icd_dispatch below{}; ///< the functions of the driver
  cl_icd_dispatch own{};   ///< what the application calls
  StatusFile status;
  CommandLog log;
  Objects objects;
  Captures captures;
  std::mutex mutex; ///< guards `mapped`
  std::multimap<const void *, Mapped> mapped;
};

Layer *layer = nullptr;

/// Runs `watch`; a failure ends in a report.
template <typename Watch> void guarded(const Watch &watch) noexcept {
  try {
    watch();
  } catch (const std::exception &error) {
    layer->status.error(error.what());
  } catch (...) {
    layer->status.error("an unknown error");
  }
}

/// Has the end of the process reported. Call it when there is a queue: what the driver does at the
/// end, it has then registered before, and does after us.
void watchEnd() {
  static const int registered = std::atexit(finishWatching);
  static_cast<void>(registered);
}

/// The event of a command that is watched: the application's, or one of ours if it wants none.
class WatchedEvent {
public:
  /// Make it before the command is queued.
  explicit WatchedEvent(cl_event *given) : given_(given) {}
  cl_event *pointer() { return given_ ? given_ : &own_; }
  /// The command, with a reference to its event for the log. `isTimed`: whether its queue measures
  /// its commands.
  CommandLog::Command taken(bool isTimed) {
    if (given_)
      layer->below.clRetainEvent(*given_);
    return {*pointer(), isTimed, queuedNanos_};
  }

private:
  uint64_t queuedNanos_ = CommandLog::now();
  cl_event *given_;
  cl_event own_ = nullptr;
};

/// A transfer that `queueIt(event)` queues.
template <typename QueueIt>
cl_int transfer(cl_command_queue queue, Direction direction, uint64_t bytes, cl_event *given,
                const QueueIt &queueIt) {
  WatchedEvent event(given);
  const cl_int result = queueIt(event.pointer());
  if (result == CL_SUCCESS)
    guarded([&] {
      layer->log.addTransfer(direction, bytes, event.taken(layer->objects.queue(queue).isTimed));
    });
  return result;
}

/// The launch that the application asks for.
run::Launch launchOf(const Queue &queue, const Kernel &kernel, cl_uint dimensions,
                     const size_t *offset, const size_t *global, const size_t *local) {
  run::Launch launch;
  static_cast<profile::LaunchIdentity &>(launch) = kernel.identity;
  launch.invocation = kernel.launches;
  launch.workDim = std::clamp(dimensions, 1U, 3U);
  launch.globalSize = {1, 1, 1};
  launch.localSize = {1, 1, 1};
  for (cl_uint i = 0; i < launch.workDim; ++i) {
    launch.globalSize[i] = global ? global[i] : 1;
    launch.globalOffset[i] = offset ? offset[i] : 0;
    launch.localSize[i] = local ? local[i] : 0;
  }
  launch.localSizeLeftOpen = !local;
  launch.arguments = argumentsOf(kernel, layer->objects);
  launch.measured = run::DeviceTime{queue.deviceName};
  return launch;
}

/// A launch that `queueIt(waits, waitList, event)` queues.
template <typename QueueIt>
cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
              const size_t *global, const size_t *local, cl_uint waits, const cl_event *waitList,
              cl_event *given, const QueueIt &queueIt) {
  std::optional<run::Launch> made;
  bool isTimed = false;
  std::vector<cl_event> alsoWaits;
  guarded([&] {
    const Queue on = layer->objects.queue(queue);
    const Kernel launched = layer->objects.nextLaunch(kernel);
    isTimed = on.isTimed;
    made = launchOf(on, launched, dimensions, offset, global, local);
    std::vector<cl_event> reads = layer->captures.before(queue, launched, *made, waits, waitList);
    layer->objects.launched(launched);
    if (reads.empty() || on.isInOrder)
      return;
    reads.insert(reads.end(), waitList, waitList + waits);
    alsoWaits = std::move(reads);
  });
  WatchedEvent event(given);
  const cl_int result = alsoWaits.empty() ? queueIt(waits, waitList, event.pointer())
                                          : queueIt(static_cast<cl_uint>(alsoWaits.size()),
                                                    alsoWaits.data(), event.pointer());
  guarded([&] {
    if (result != CL_SUCCESS || !made) {
      layer->captures.queued(std::nullopt);
      if (result == CL_SUCCESS && !given)
        layer->below.clReleaseEvent(*event.pointer());
      return;
    }
    layer->captures.queued(layer->log.addLaunch(std::move(*made), event.taken(isTimed)));
    layer->captures.handOver();
  });
  return result;
}

uint64_t productOf(const size_t *sizes) {
  return sizes ? uint64_t{sizes[0]} * sizes[1] * sizes[2] : 0;
}

/// Bytes of a region of an image.
uint64_t imageBytes(cl_mem image, const size_t *region) {
  size_t element = 0;
  layer->below.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, nullptr);
  return productOf(region) * element;
}

// Queues

cl_command_queue CL_API_CALL createQueue(cl_context context, cl_device_id device,
                                         cl_command_queue_properties properties, cl_int *error) {
  const bool isOurs = (properties & CL_QUEUE_PROFILING_ENABLE) == 0;
  cl_command_queue made = layer->below.clCreateCommandQueue(
      context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
  const bool isTimed = made != nullptr;
  if (!made && isOurs)
    made = layer->below.clCreateCommandQueue(context, device, properties, error);
  if (made)
    guarded([&] {
      watchEnd();
      Queue queue;
      queue.device = device;
      queue.isTimed = isTimed;
      queue.isOurs = isTimed && isOurs;
      queue.isInOrder = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
      layer->objects.addQueue(made, std::move(queue));
    });
  return made;
}

/// The list with profiling, for a queue of the host. `flags`: those that the application gave.
std::vector<cl_queue_properties> withProfiling(const cl_queue_properties *given,
                                               cl_command_queue_properties &flags,
                                               std::vector<cl_queue_properties> &original) {
  std::vector<cl_queue_properties> list;
  bool hasFlags = false;
  for (const cl_queue_properties *at = given; at && *at != 0; at += 2) {
    original.insert(original.end(), {at[0], at[1]});
    list.insert(list.end(), {at[0], at[1]});
    if (at[0] == CL_QUEUE_PROPERTIES) {
      hasFlags = true;
      flags = at[1];
      list.back() |= CL_QUEUE_PROFILING_ENABLE;
    }
  }
  if (!hasFlags)
    list.insert(list.end(), {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE});
  list.push_back(0);
  if (given)
    original.push_back(0);
  return list;
}

cl_command_queue CL_API_CALL createQueueWithProperties(cl_context context, cl_device_id device,
                                                       const cl_queue_properties *given,
                                                       cl_int *error) {
  const auto plain = [&] {
    return layer->below.clCreateCommandQueueWithProperties(context, device, given, error);
  };
  cl_command_queue made = nullptr;
  bool isPlain = true;
  guarded([&] {
    cl_command_queue_properties flags = 0;
    Queue queue;
    queue.device = device;
    const std::vector<cl_queue_properties> list = withProfiling(given, flags, queue.properties);
    if (flags & CL_QUEUE_ON_DEVICE)
      return;
    made = layer->below.clCreateCommandQueueWithProperties(context, device, list.data(), error);
    isPlain = !made;
    if (!made)
      return;
    queue.isTimed = true;
    queue.isOurs = (flags & CL_QUEUE_PROFILING_ENABLE) == 0;
    queue.isInOrder = (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
    watchEnd();
    layer->objects.addQueue(made, std::move(queue));
  });
  return isPlain ? plain() : made;
}

/// What the application may know of a queue: without the profiling that we asked for.
cl_int CL_API_CALL getQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t bytes,
                                void *value, size_t *needed) {
  cl_int result = layer->below.clGetCommandQueueInfo(queue, what, bytes, value, needed);
  if (result != CL_SUCCESS || (what != CL_QUEUE_PROPERTIES && what != CL_QUEUE_PROPERTIES_ARRAY))
    return result;
  guarded([&] {
    const Queue known = layer->objects.queue(queue);
    if (!known.isOurs)
      return;
    if (what == CL_QUEUE_PROPERTIES && value) {
      cl_command_queue_properties properties = 0;
      std::memcpy(&properties, value, sizeof properties);
      properties &= ~cl_command_queue_properties{CL_QUEUE_PROFILING_ENABLE};
      std::memcpy(value, &properties, sizeof properties);
    } else if (what == CL_QUEUE_PROPERTIES_ARRAY) {
      const size_t size = known.properties.size() * sizeof known.properties[0];
      if (value && size > 0)
        std::memcpy(value, known.properties.data(), size); // shorter than the driver's list
      if (needed)
        *needed = size;
    }
  });
  return result;
}

cl_int CL_API_CALL getProfilingInfo(cl_event event, cl_profiling_info what, size_t bytes,
                                    void *value, size_t *needed) {
  bool isOurs = false;
  guarded([&] {
    cl_command_queue queue = nullptr;
    layer->below.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(cl_command_queue), &queue,
                                nullptr);
    isOurs = queue && layer->objects.queue(queue).isOurs;
  });
  return isOurs ? CL_PROFILING_INFO_NOT_AVAILABLE
                : layer->below.clGetEventProfilingInfo(event, what, bytes, value, needed);
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const cl_int result = layer->below.clFinish(queue);
  guarded([&] { layer->collect(); });
  return result;
}

cl_int CL_API_CALL waitForEvents(cl_uint count, const cl_event *events) {
  const cl_int result = layer->below.clWaitForEvents(count, events);
  guarded([&] { layer->collect(); });
  return result;
}

cl_int CL_API_CALL releaseQueue(cl_command_queue queue) {
  guarded([&] { layer->collect(); });
  return layer->below.clReleaseCommandQueue(queue);
}

// Kernels and memory

cl_kernel CL_API_CALL createKernel(cl_program program, const char *name, cl_int *error) {
  const cl_kernel kernel = layer->below.clCreateKernel(program, name, error);
  if (kernel)
    guarded([&] { layer->objects.addKernel(kernel); });
  return kernel;
}

cl_int CL_API_CALL createKernels(cl_program program, cl_uint room, cl_kernel *kernels,
                                 cl_uint *made) {
  cl_uint count = 0;
  const cl_int result = layer->below.clCreateKernelsInProgram(program, room, kernels, &count);
  if (made)
    *made = count;
  if (result == CL_SUCCESS && kernels)
    guarded([&] {
      for (cl_uint i = 0; i < std::min(count, room); ++i)
        layer->objects.addKernel(kernels[i]);
    });
  return result;
}

cl_kernel CL_API_CALL cloneKernel(cl_kernel source, cl_int *error) {
  const cl_kernel kernel = layer->below.clCloneKernel(source, error);
  if (kernel)
    guarded([&] { layer->objects.addClone(kernel, source); });
  return kernel;
}

cl_int CL_API_CALL setArgument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  const cl_int result = layer->below.clSetKernelArg(kernel, index, bytes, value);
  if (result == CL_SUCCESS)
    guarded([&] { layer->objects.setArgument(kernel, index, bytes, value); });
  return result;
}

cl_int CL_API_CALL setPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  const cl_int result = layer->below.clSetKernelArgSVMPointer(kernel, index, pointer);
  if (result == CL_SUCCESS)
    guarded([&] { layer->objects.setPointer(kernel); });
  return result;
}

cl_mem CL_API_CALL createBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                                cl_int *error) {
  const cl_mem made = layer->below.clCreateBuffer(context, flags, bytes, host, error);
  if (made)
    guarded([&] { layer->objects.addBuffer(made, bytes, flags); });
  return made;
}

cl_mem CL_API_CALL createBufferWithProperties(cl_context context,
                                              const cl_mem_properties *properties,
                                              cl_mem_flags flags, size_t bytes, void *host,
                                              cl_int *error) {
  const cl_mem made =
      layer->below.clCreateBufferWithProperties(context, properties, flags, bytes, host, error);
  if (made)
    guarded([&] { layer->objects.addBuffer(made, bytes, flags); });
  return made;
}

cl_mem CL_API_CALL createSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                   const void *region, cl_int *error) {
  const cl_mem made = layer->below.clCreateSubBuffer(buffer, flags, type, region, error);
  if (made)
    guarded([&] {
      size_t bytes = 0;
      layer->below.clGetMemObjectInfo(made, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
      layer->objects.addBuffer(made, bytes, flags, buffer);
    });
  return made;
}

/// Adds an image that was made, if it was.
cl_mem known(cl_mem image) {
  if (image)
    guarded([&] {
      size_t bytes = 0;
      layer->below.clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
      layer->objects.addImage(image, bytes);
    });
  return image;
}

cl_mem CL_API_CALL createImage(cl_context context, cl_mem_flags flags,
                               const cl_image_format *format, const cl_image_desc *form, void *host,
                               cl_int *error) {
  return known(layer->below.clCreateImage(context, flags, format, form, host, error));
}

cl_mem CL_API_CALL createImageWithProperties(cl_context context,
                                             const cl_mem_properties *properties,
                                             cl_mem_flags flags, const cl_image_format *format,
                                             const cl_image_desc *form, void *host, cl_int *error) {
  return known(layer->below.clCreateImageWithProperties(context, properties, flags, format, form,
                                                        host, error));
}

cl_mem CL_API_CALL createImage2d(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *format, size_t width, size_t height,
                                 size_t pitch, void *host, cl_int *error) {
  return known(
      layer->below.clCreateImage2D(context, flags, format, width, height, pitch, host, error));
}

cl_mem CL_API_CALL createImage3d(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *format, size_t width, size_t height,
                                 size_t depth, size_t rowPitch, size_t slicePitch, void *host,
                                 cl_int *error) {
  return known(layer->below.clCreateImage3D(context, flags, format, width, height, depth, rowPitch,
                                            slicePitch, host, error));
}

// Commands

cl_int CL_API_CALL enqueueKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint waits, const cl_event *waitList, cl_event *event) {
  return launch(queue, kernel, dimensions, offset, global, local, waits, waitList, event,
                [&](cl_uint count, const cl_event *list, cl_event *to) {
                  return layer->below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
                                                             global, local, count, list, to);
                });
}

cl_int CL_API_CALL enqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
                               const cl_event *waitList, cl_event *event) {
  const size_t one = 1;
  return launch(queue, kernel, 1, nullptr, &one, &one, waits, waitList, event,
                [&](cl_uint count, const cl_event *list, cl_event *to) {
                  return layer->below.clEnqueueTask(queue, kernel, count, list, to);
                });
}

cl_int CL_API_CALL enqueueRead(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                               size_t offset, size_t bytes, void *to, cl_uint waits,
                               const cl_event *waitList, cl_event *event) {
  return transfer(queue, Direction::kToHost, bytes, event, [&](cl_event *watched) {
    return layer->below.clEnqueueReadBuffer(queue, buffer, isBlocking, offset, bytes, to, waits,
                                            waitList, watched);
  });
}

cl_int CL_API_CALL enqueueWrite(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                                size_t offset, size_t bytes, const void *from, cl_uint waits,
                                const cl_event *waitList, cl_event *event) {
  guarded([&] { layer->objects.written(buffer); });
  return transfer(queue, Direction::kToDevice, bytes, event, [&](cl_event *watched) {
    return layer->below.clEnqueueWriteBuffer(queue, buffer, isBlocking, offset, bytes, from, waits,
                                             waitList, watched);
  });
}

cl_int CL_API_CALL enqueueReadRect(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                                   const size_t *bufferOrigin, const size_t *hostOrigin,
                                   const size_t *region, size_t bufferRow, size_t bufferSlice,
                                   size_t hostRow, size_t hostSlice, void *to, cl_uint waits,
                                   const cl_event *waitList, cl_event *event) {
  return transfer(queue, Direction::kToHost, productOf(region), event, [&](cl_event *watched) {
    return layer->below.clEnqueueReadBufferRect(queue, buffer, isBlocking, bufferOrigin, hostOrigin,
                                                region, bufferRow, bufferSlice, hostRow, hostSlice,
                                                to, waits, waitList, watched);
  });
}

cl_int CL_API_CALL enqueueWriteRect(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                                    const size_t *bufferOrigin, const size_t *hostOrigin,
                                    const size_t *region, size_t bufferRow, size_t bufferSlice,
                                    size_t hostRow, size_t hostSlice, const void *from,
                                    cl_uint waits, const cl_event *waitList, cl_event *event) {
  guarded([&] { layer->objects.written(buffer); });
  return transfer(queue, Direction::kToDevice, productOf(region), event, [&](cl_event *watched) {
    return layer->below.clEnqueueWriteBufferRect(
        queue, buffer, isBlocking, bufferOrigin, hostOrigin, region, bufferRow, bufferSlice,
        hostRow, hostSlice, from, waits, waitList, watched);
  });
}

cl_int CL_API_CALL enqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool isBlocking,
                                    const size_t *origin, const size_t *region, size_t row,
                                    size_t slice, void *to, cl_uint waits, const cl_event *waitList,
                                    cl_event *event) {
  return transfer(
      queue, Direction::kToHost, imageBytes(image, region), event, [&](cl_event *watched) {
        return layer->below.clEnqueueReadImage(queue, image, isBlocking, origin, region, row, slice,
                                               to, waits, waitList, watched);
      });
}

cl_int CL_API_CALL enqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool isBlocking,
                                     const size_t *origin, const size_t *region, size_t row,
                                     size_t slice, const void *from, cl_uint waits,
                                     const cl_event *waitList, cl_event *event) {
  return transfer(
      queue, Direction::kToDevice, imageBytes(image, region), event, [&](cl_event *watched) {
        return layer->below.clEnqueueWriteImage(queue, image, isBlocking, origin, region, row,
                                                slice, from, waits, waitList, watched);
      });
}

bool isForWriting(cl_map_flags flags) {
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
}

/// Follows what `mapIt(event)` maps.
template <typename MapIt>
void *mapped(cl_command_queue queue, cl_map_flags flags, uint64_t bytes, cl_event *given,
             const MapIt &mapIt) {
  WatchedEvent event(given);
  void *at = mapIt(event.pointer());
  if (!at)
    return at;
  guarded([&] {
    {
      const std::scoped_lock lock(layer->mutex);
      layer->mapped.emplace(at, Mapped{bytes, isForWriting(flags)});
    }
    if (flags & CL_MAP_READ)
      layer->log.addTransfer(Direction::kToHost, bytes,
                             event.taken(layer->objects.queue(queue).isTimed));
    else if (!given)
      layer->below.clReleaseEvent(*event.pointer());
  });
  return at;
}

void *CL_API_CALL enqueueMap(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                             cl_map_flags flags, size_t offset, size_t bytes, cl_uint waits,
                             const cl_event *waitList, cl_event *event, cl_int *error) {
  if (isForWriting(flags))
    guarded([&] { layer->objects.written(buffer); });
  return mapped(queue, flags, bytes, event, [&](cl_event *watched) {
    return layer->below.clEnqueueMapBuffer(queue, buffer, isBlocking, flags, offset, bytes, waits,
                                           waitList, watched, error);
  });
}

void *CL_API_CALL enqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool isBlocking,
                                  cl_map_flags flags, const size_t *origin, const size_t *region,
                                  size_t *row, size_t *slice, cl_uint waits,
                                  const cl_event *waitList, cl_event *event, cl_int *error) {
  return mapped(queue, flags, imageBytes(image, region), event, [&](cl_event *watched) {
    return layer->below.clEnqueueMapImage(queue, image, isBlocking, flags, origin, region, row,
                                          slice, waits, waitList, watched, error);
  });
}

cl_int CL_API_CALL enqueueUnmap(cl_command_queue queue, cl_mem memory, void *at, cl_uint waits,
                                const cl_event *waitList, cl_event *event) {
  Mapped region;
  guarded([&] {
    const std::scoped_lock lock(layer->mutex);
    if (const auto found = layer->mapped.find(at); found != layer->mapped.end()) {
      region = found->second;
      layer->mapped.erase(found);
    }
  });
  if (!region.isWritten)
    return layer->below.clEnqueueUnmapMemObject(queue, memory, at, waits, waitList, event);
  return transfer(queue, Direction::kToDevice, region.bytes, event, [&](cl_event *watched) {
    return layer->below.clEnqueueUnmapMemObject(queue, memory, at, waits, waitList, watched);
  });
}

// Commands that write to memory on the device

cl_int CL_API_CALL enqueueFill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t patternBytes, size_t offset, size_t bytes, cl_uint waits,
                               const cl_event *waitList, cl_event *event) {
  guarded([&] { layer->objects.written(buffer); });
  return layer->below.clEnqueueFillBuffer(queue, buffer, pattern, patternBytes, offset, bytes,
                                          waits, waitList, event);
}

cl_int CL_API_CALL enqueueCopy(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset,
                               size_t toOffset, size_t bytes, cl_uint waits,
                               const cl_event *waitList, cl_event *event) {
  guarded([&] { layer->objects.written(to); });
  return layer->below.clEnqueueCopyBuffer(queue, from, to, fromOffset, toOffset, bytes, waits,
                                          waitList, event);
}

cl_int CL_API_CALL enqueueCopyRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                   const size_t *fromOrigin, const size_t *toOrigin,
                                   const size_t *region, size_t fromRow, size_t fromSlice,
                                   size_t toRow, size_t toSlice, cl_uint waits,
                                   const cl_event *waitList, cl_event *event) {
  guarded([&] { layer->objects.written(to); });
  return layer->below.clEnqueueCopyBufferRect(queue, from, to, fromOrigin, toOrigin, region,
                                              fromRow, fromSlice, toRow, toSlice, waits, waitList,
                                              event);
}

cl_int CL_API_CALL enqueueCopyFromImage(cl_command_queue queue, cl_mem image, cl_mem to,
                                        const size_t *origin, const size_t *region, size_t offset,
                                        cl_uint waits, const cl_event *waitList, cl_event *event) {
  guarded([&] { layer->objects.written(to); });
  return layer->below.clEnqueueCopyImageToBuffer(queue, image, to, origin, region, offset, waits,
                                                 waitList, event);
}

cl_int CL_API_CALL enqueueNative(cl_command_queue queue, void(CL_CALLBACK *function)(void *),
                                 void *arguments, size_t bytes, cl_uint memories,
                                 const cl_mem *memory, const void **places, cl_uint waits,
                                 const cl_event *waitList, cl_event *event) {
  guarded([&] {
    for (cl_uint i = 0; memory && i < memories; ++i)
      layer->objects.written(memory[i]);
  });
  return layer->below.clEnqueueNativeKernel(queue, function, arguments, bytes, memories, memory,
                                            places, waits, waitList, event);
}

void *CL_API_CALL extensionFunction(const char *name) {
  guarded([&] { layer->objects.hasUnknownFunctions(); });
  return layer->below.clGetExtensionFunctionAddress(name);
}

void *CL_API_CALL extensionFunctionOf(cl_platform_id platform, const char *name) {
  guarded([&] { layer->objects.hasUnknownFunctions(); });
  return layer->below.clGetExtensionFunctionAddressForPlatform(platform, name);
}

/// Puts our functions in the place of those that the driver has.
void replaceFunctions(cl_icd_dispatch &table) {
  const auto replace = [](auto &entry, auto *function) {
    if (entry)
      entry = function;
  };
  replace(table.clCreateCommandQueue, createQueue);
  replace(table.clCreateCommandQueueWithProperties, createQueueWithProperties);
  replace(table.clGetCommandQueueInfo, getQueueInfo);
  replace(table.clGetEventProfilingInfo, getProfilingInfo);
  replace(table.clFinish, finish);
  replace(table.clWaitForEvents, waitForEvents);
  replace(table.clReleaseCommandQueue, releaseQueue);
  replace(table.clCreateKernel, createKernel);
  replace(table.clCreateKernelsInProgram, createKernels);
  replace(table.clCloneKernel, cloneKernel);
  replace(table.clSetKernelArg, setArgument);
  replace(table.clSetKernelArgSVMPointer, setPointer);
  replace(table.clCreateBuffer, createBuffer);
  replace(table.clCreateBufferWithProperties, createBufferWithProperties);
  replace(table.clCreateSubBuffer, createSubBuffer);
  replace(table.clCreateImage, createImage);
  replace(table.clCreateImageWithProperties, createImageWithProperties);
  replace(table.clCreateImage2D, createImage2d);
  replace(table.clCreateImage3D, createImage3d);
  replace(table.clEnqueueNDRangeKernel, enqueueKernel);
  replace(table.clEnqueueTask, enqueueTask);
  replace(table.clEnqueueReadBuffer, enqueueRead);
  replace(table.clEnqueueWriteBuffer, enqueueWrite);
  replace(table.clEnqueueReadBufferRect, enqueueReadRect);
  replace(table.clEnqueueWriteBufferRect, enqueueWriteRect);
  replace(table.clEnqueueReadImage, enqueueReadImage);
  replace(table.clEnqueueWriteImage, enqueueWriteImage);
  replace(table.clEnqueueMapBuffer, enqueueMap);
  replace(table.clEnqueueMapImage, enqueueMapImage);
  replace(table.clEnqueueUnmapMemObject, enqueueUnmap);
  replace(table.clEnqueueFillBuffer, enqueueFill);
  replace(table.clEnqueueCopyBuffer, enqueueCopy);
  replace(table.clEnqueueCopyBufferRect, enqueueCopyRect);
  replace(table.clEnqueueCopyImageToBuffer, enqueueCopyFromImage);
  replace(table.clEnqueueNativeKernel, enqueueNative);
  replace(table.clGetExtensionFunctionAddress, extensionFunction);
  replace(table.clGetExtensionFunctionAddressForPlatform, extensionFunctionOf);
}

constexpr cl_uint kFunctions = sizeof(cl_icd_dispatch) / sizeof(void *);

} // namespace

const cl_icd_dispatch *watch(const cl_icd_dispatch &below) noexcept {
  try {
    auto made = std::make_unique<Layer>(optionsFromEnvironment());
    made->below = below;
    made->own = below;
    replaceFunctions(made->own);
    made->status.loaded(kVersion);
    layer = made.release();
    return &layer->own;
  } catch (...) {
    return nullptr;
  }
}

bool isWatching() {
  return layer != nullptr;
}

void finishWatching() noexcept {
  guarded([] { layer->finish(); });
}

} // namespace aiwc::attach

extern "C" {

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what,
                                                                         size_t bytes, void *value,
                                                                         size_t *needed) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  constexpr char kName[] = "aiwc";
  const bool isVersion = what == CL_LAYER_API_VERSION;
  if (!isVersion && what != CL_LAYER_NAME)
    return CL_INVALID_VALUE;
  const size_t size = isVersion ? sizeof version : sizeof kName;
  if (value && bytes < size)
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, isVersion ? static_cast<const void *>(&version) : kName, size);
  if (needed)
    *needed = size;
  return CL_SUCCESS;
}

__attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint count,
                                                                      const cl_icd_dispatch *below,
                                                                      cl_uint *ownCount,
                                                                      const cl_icd_dispatch **own) {
  using namespace aiwc::attach;
  if (!below || !ownCount || !own)
    return CL_INVALID_VALUE;
  // An older loader knows fewer functions; what it does not know nobody calls.
  cl_icd_dispatch known{};
  std::memcpy(&known, below, std::min(count, kFunctions) * sizeof(void *));
  *own = watch(known);
  if (!*own)
    return CL_OUT_OF_HOST_MEMORY; // the loader goes on without us
  *ownCount = kFunctions;
  return CL_SUCCESS;
}

} // extern "C"
