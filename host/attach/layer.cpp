// A layer of OpenCL's loader (OPENCL_LAYERS): it stands between an application and the driver of
// its device, and takes the times of launches and transfers. It changes no result: whatever fails
// here ends the watching and not the application.
#include "attach/layer.h"

#include "attach/captures.h"
#include "attach/command_log.h"
#include "attach/objects.h"
#include "attach/watched_functions.h"
#include "common/version.h"
#include "opencl_api/answers.h"
#include "session/options.h"

#include <CL/cl_layer.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

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

  opencl::Functions below{}; ///< the functions of the driver
  opencl::Functions own{};   ///< what the application calls
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
  /// The command, with a reference to its event for the log.
  CommandLog::Command taken(cl_command_queue queue) {
    if (given_)
      layer->below.clRetainEvent(*given_);
    const Queue on = layer->objects.queue(queue);
    return {*pointer(), queue, on.device, on.isTimed, queuedNanos_};
  }

private:
  uint64_t queuedNanos_ = CommandLog::now();
  cl_event *given_;
  cl_event own_ = nullptr;
};

/// The launch that the application asks for.
run::Launch launchOf(const Queue &queue, const AttachedKernel &kernel, cl_uint dimensions,
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

/// Whether a launch has no work-items, which OpenCL allows from version 2.1 on.
bool isEmpty(cl_uint dimensions, const size_t *global) {
  return !global || std::count(global, global + std::min(dimensions, 3U), 0U) > 0;
}

/// A launch that `queueIt(waits, waitList, event)` queues.
template <typename QueueIt>
cl_int launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
              const size_t *global, const size_t *local, cl_uint waits, const cl_event *waitList,
              cl_event *given, const QueueIt &queueIt) {
  if (isEmpty(dimensions, global)) {
    const cl_int result = queueIt(waits, waitList, given);
    static std::atomic<bool> said = false;
    if (result == CL_SUCCESS && !said.exchange(true))
      layer->status.note("launches of global size 0 execute nothing: the run leaves them out");
    return result;
  }
  std::optional<run::Launch> made;
  std::vector<cl_event> alsoWaits;
  guarded([&] {
    const Queue on = layer->objects.queue(queue);
    const AttachedKernel launched = layer->objects.nextLaunch(kernel);
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
    layer->captures.queued(layer->log.addLaunch(std::move(*made), event.taken(queue)));
    layer->captures.handOver();
  });
  return result;
}

uint64_t productOf(const size_t *sizes) {
  return sizes ? uint64_t{sizes[0]} * sizes[1] * sizes[2] : 0;
}

/// Bytes of a region of an image.
uint64_t imageBytes(cl_mem image, const size_t *region) {
  return productOf(region) *
         opencl::askOr<size_t>(0, layer->below.clGetImageInfo, CL_IMAGE_ELEMENT_SIZE, image);
}

uint64_t memoryBytes(cl_mem memory) {
  return opencl::askOr<size_t>(0, layer->below.clGetMemObjectInfo, CL_MEM_SIZE, memory);
}

bool isForWriting(cl_map_flags flags) {
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
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

/// A transfer, whose event is the last argument.
template <typename Driver, typename... Arguments>
cl_int watchedTransfer(Direction direction, uint64_t bytes, Driver driver, cl_command_queue queue,
                       Arguments... arguments) {
  std::tuple all(queue, arguments...);
  cl_event *&given = std::get<sizeof...(Arguments)>(all);
  WatchedEvent event(given);
  given = event.pointer();
  const cl_int result = std::apply(driver, all);
  if (result == CL_SUCCESS)
    guarded([&] { layer->log.addTransfer(direction, bytes, event.taken(queue)); });
  return result;
}

/// A mapping, whose event is the last argument but one.
template <typename Driver, typename... Arguments>
void *watchedMap(cl_map_flags flags, uint64_t bytes, Driver driver, cl_command_queue queue,
                 Arguments... arguments) {
  std::tuple all(queue, arguments...);
  cl_event *&passed = std::get<sizeof...(Arguments) - 1>(all);
  cl_event *const given = passed;
  WatchedEvent event(given);
  passed = event.pointer();
  void *at = std::apply(driver, all);
  if (!at)
    return at;
  guarded([&] {
    {
      const std::scoped_lock lock(layer->mutex);
      layer->mapped.emplace(at, Mapped{bytes, isForWriting(flags)});
    }
    if (flags & CL_MAP_READ)
      layer->log.addTransfer(Direction::kToHost, bytes, event.taken(queue));
    else if (!given)
      layer->below.clReleaseEvent(*event.pointer());
  });
  return at;
}

// What makes replacements of functions: what these get is the driver's function and the arguments.

struct CallDriver {
  auto operator()(auto driver, auto... arguments) const { return driver(arguments...); }
};

/// Calls `Note` with the arguments, then the driver by `Call`.
template <typename Note, typename Call = CallDriver> constexpr auto before(Note, Call = {}) {
  return [](auto driver, auto... arguments) {
    guarded([&] { Note{}(arguments...); });
    return Call{}(driver, arguments...);
  };
}

bool isSuccess(cl_int status) {
  return status == CL_SUCCESS;
}
bool isSuccess(const void *made) {
  return made != nullptr;
}

/// Calls the driver; if that succeeds, `Note` with the result and the arguments.
template <typename Note> constexpr auto after(Note) {
  return [](auto driver, auto... arguments) {
    const auto result = driver(arguments...);
    if (isSuccess(result))
      guarded([&] { Note{}(result, arguments...); });
    return result;
  };
}

/// A transfer of as many bytes as `Bytes` returns for the arguments.
template <Direction kDirection, typename Bytes> constexpr auto transfer(Bytes) {
  return [](auto driver, auto... arguments) {
    return watchedTransfer(kDirection, Bytes{}(arguments...), driver, arguments...);
  };
}

/// What replaces a function, under its name. Parameters have the types that OpenCL declares; those
/// that are spelled out say what is meant.
namespace replacements {
// NOLINTBEGIN(readability-identifier-naming)

// Queues

constexpr auto clCreateCommandQueue = [](auto driver, cl_context context, cl_device_id device,
                                         cl_command_queue_properties properties, cl_int *error) {
  const bool isOurs = (properties & CL_QUEUE_PROFILING_ENABLE) == 0;
  cl_command_queue made = driver(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
  const bool isTimed = made != nullptr;
  if (!made && isOurs)
    made = driver(context, device, properties, error);
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
};

constexpr auto clCreateCommandQueueWithProperties =
    [](auto driver, cl_context context, cl_device_id device, auto given, cl_int *error) {
      cl_command_queue made = nullptr;
      bool isPlain = true;
      guarded([&] {
        cl_command_queue_properties flags = 0;
        Queue queue;
        queue.device = device;
        const std::vector<cl_queue_properties> list = withProfiling(given, flags, queue.properties);
        if (flags & CL_QUEUE_ON_DEVICE)
          return;
        made = driver(context, device, list.data(), error);
        isPlain = !made;
        if (!made)
          return;
        queue.isTimed = true;
        queue.isOurs = (flags & CL_QUEUE_PROFILING_ENABLE) == 0;
        queue.isInOrder = (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
        watchEnd();
        layer->objects.addQueue(made, std::move(queue));
      });
      return isPlain ? driver(context, device, given, error) : made;
    };

/// What the application may know of a queue: without the profiling that we asked for.
constexpr auto clGetCommandQueueInfo =
    after([](cl_int, cl_command_queue queue, auto what, size_t, void *value, size_t *needed) {
      if (what != CL_QUEUE_PROPERTIES && what != CL_QUEUE_PROPERTIES_ARRAY)
        return;
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

constexpr auto clGetEventProfilingInfo = [](auto driver, cl_event event, auto... question) {
  bool isOurs = false;
  guarded([&] {
    const auto queue = opencl::askOr<cl_command_queue>(nullptr, layer->below.clGetEventInfo,
                                                       CL_EVENT_COMMAND_QUEUE, event);
    isOurs = queue && layer->objects.queue(queue).isOurs;
  });
  return isOurs ? CL_PROFILING_INFO_NOT_AVAILABLE : driver(event, question...);
};

constexpr auto clFinish = [](auto driver, auto... arguments) {
  const cl_int result = driver(arguments...);
  guarded([&] { layer->collect(); });
  return result;
};

constexpr auto clWaitForEvents = clFinish;

constexpr auto clReleaseCommandQueue = before([](auto...) { layer->collect(); });

// Kernels and memory

constexpr auto clCreateKernel =
    after([](cl_kernel kernel, auto...) { layer->objects.addKernel(kernel); });

constexpr auto clCreateKernelsInProgram = [](auto driver, cl_program program, cl_uint room,
                                             cl_kernel *kernels, cl_uint *made) {
  cl_uint count = 0;
  const cl_int result = driver(program, room, kernels, &count);
  if (made)
    *made = count;
  if (result == CL_SUCCESS && kernels)
    guarded([&] {
      for (cl_uint i = 0; i < std::min(count, room); ++i)
        layer->objects.addKernel(kernels[i]);
    });
  return result;
};

constexpr auto clCloneKernel = after(
    [](cl_kernel kernel, cl_kernel source, cl_int *) { layer->objects.addClone(kernel, source); });

constexpr auto clSetKernelArg =
    after([](cl_int, cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
      layer->objects.setArgument(kernel, index, bytes, value);
    });

constexpr auto clSetKernelArgSVMPointer =
    after([](cl_int, cl_kernel kernel, auto...) { layer->objects.setPointer(kernel); });

constexpr auto clCreateBuffer =
    after([](cl_mem made, cl_context, cl_mem_flags flags, size_t bytes, auto...) {
      layer->objects.addBuffer(made, bytes, flags);
    });

constexpr auto clCreateBufferWithProperties =
    after([](cl_mem made, cl_context, auto, cl_mem_flags flags, size_t bytes, auto...) {
      layer->objects.addBuffer(made, bytes, flags);
    });

constexpr auto clCreateSubBuffer =
    after([](cl_mem made, cl_mem buffer, cl_mem_flags flags, auto...) {
      layer->objects.addBuffer(made, memoryBytes(made), flags, buffer);
    });

constexpr auto clCreateImage =
    after([](cl_mem image, auto...) { layer->objects.addImage(image, memoryBytes(image)); });

constexpr auto clCreateImageWithProperties = clCreateImage;
constexpr auto clCreateImage2D = clCreateImage;
constexpr auto clCreateImage3D = clCreateImage;

// Commands

constexpr auto clEnqueueNDRangeKernel = [](auto driver, cl_command_queue queue, cl_kernel kernel,
                                           cl_uint dimensions, auto offset, auto global, auto local,
                                           cl_uint waits, auto waitList, cl_event *event) {
  return launch(queue, kernel, dimensions, offset, global, local, waits, waitList, event,
                [&](cl_uint count, const cl_event *list, cl_event *to) {
                  return driver(queue, kernel, dimensions, offset, global, local, count, list, to);
                });
};

constexpr auto clEnqueueTask = [](auto driver, cl_command_queue queue, cl_kernel kernel,
                                  cl_uint waits, auto waitList, cl_event *event) {
  const size_t one = 1;
  return launch(queue, kernel, 1, nullptr, &one, &one, waits, waitList, event,
                [&](cl_uint count, const cl_event *list, cl_event *to) {
                  return driver(queue, kernel, count, list, to);
                });
};

constexpr auto kBufferBytes = [](cl_command_queue, cl_mem, cl_bool, size_t /*offset*/, size_t bytes,
                                 auto...) { return bytes; };
constexpr auto kRectangleBytes = [](cl_command_queue, cl_mem, cl_bool, auto /*origin*/,
                                    auto /*origin*/, auto region,
                                    auto...) { return productOf(region); };
constexpr auto kImageBytes = [](cl_command_queue, cl_mem image, cl_bool, auto /*origin*/,
                                auto region, auto...) { return imageBytes(image, region); };
constexpr auto kFirstIsWritten = [](cl_command_queue, cl_mem buffer, auto...) {
  layer->objects.written(buffer);
};
constexpr auto kSecondIsWritten = [](cl_command_queue, cl_mem, cl_mem buffer, auto...) {
  layer->objects.written(buffer);
};

constexpr auto clEnqueueReadBuffer = transfer<Direction::kToHost>(kBufferBytes);
constexpr auto clEnqueueReadBufferRect = transfer<Direction::kToHost>(kRectangleBytes);
constexpr auto clEnqueueReadImage = transfer<Direction::kToHost>(kImageBytes);
constexpr auto clEnqueueWriteBuffer =
    before(kFirstIsWritten, transfer<Direction::kToDevice>(kBufferBytes));
constexpr auto clEnqueueWriteBufferRect =
    before(kFirstIsWritten, transfer<Direction::kToDevice>(kRectangleBytes));
constexpr auto clEnqueueWriteImage = transfer<Direction::kToDevice>(kImageBytes);

constexpr auto clEnqueueMapBuffer = [](auto driver, cl_command_queue queue, cl_mem buffer,
                                       cl_bool isBlocking, cl_map_flags flags, size_t offset,
                                       size_t bytes, auto... rest) {
  if (isForWriting(flags))
    guarded([&] { layer->objects.written(buffer); });
  return watchedMap(flags, bytes, driver, queue, buffer, isBlocking, flags, offset, bytes, rest...);
};

constexpr auto clEnqueueMapImage = [](auto driver, cl_command_queue queue, cl_mem image,
                                      cl_bool isBlocking, cl_map_flags flags, auto origin,
                                      auto region, auto... rest) {
  return watchedMap(flags, imageBytes(image, region), driver, queue, image, isBlocking, flags,
                    origin, region, rest...);
};

constexpr auto clEnqueueUnmapMemObject = [](auto driver, cl_command_queue queue, cl_mem memory,
                                            void *at, auto... rest) {
  Mapped region;
  guarded([&] {
    const std::scoped_lock lock(layer->mutex);
    if (const auto found = layer->mapped.find(at); found != layer->mapped.end()) {
      region = found->second;
      layer->mapped.erase(found);
    }
  });
  return region.isWritten ? watchedTransfer(Direction::kToDevice, region.bytes, driver, queue,
                                            memory, at, rest...)
                          : driver(queue, memory, at, rest...);
};

// Commands that write to memory on the device

constexpr auto clEnqueueFillBuffer = before(kFirstIsWritten);
constexpr auto clEnqueueCopyBuffer = before(kSecondIsWritten);
constexpr auto clEnqueueCopyBufferRect = before(kSecondIsWritten);
constexpr auto clEnqueueCopyImageToBuffer = before(kSecondIsWritten);

constexpr auto clEnqueueNativeKernel =
    before([](cl_command_queue, auto /*function*/, void *, size_t, cl_uint memories,
              const cl_mem *memory, auto...) {
      for (cl_uint i = 0; memory && i < memories; ++i)
        layer->objects.written(memory[i]);
    });

constexpr auto clGetExtensionFunctionAddress =
    before([](auto...) { layer->objects.hasUnknownFunctions(); });
constexpr auto clGetExtensionFunctionAddressForPlatform = clGetExtensionFunctionAddress;

// NOLINTEND(readability-identifier-naming)
} // namespace replacements

template <auto kEntry, typename Replacement> struct Entry;
template <typename Result, typename... Parameters,
          Result (CL_API_CALL *opencl::Functions::*kEntry)(Parameters...), typename Replacement>
struct Entry<kEntry, Replacement> {
  static Result CL_API_CALL call(Parameters... arguments) {
    return Replacement{}(layer->below.*kEntry, arguments...);
  }
};

/// Replaces a function that the driver has.
template <auto kEntry, typename Replacement>
void replace(opencl::Functions &functions, const Replacement &) {
  if (functions.*kEntry)
    functions.*kEntry = Entry<kEntry, Replacement>::call;
}

void replaceFunctions(opencl::Functions &functions) {
#define AIWC_REPLACE(function, parameters)                                                         \
  replace<&opencl::Functions::function>(functions, replacements::function);
  AIWC_WATCHED_FUNCTIONS(AIWC_REPLACE)
#undef AIWC_REPLACE
}

constexpr cl_uint kFunctions = sizeof(opencl::Functions) / sizeof(void *);

} // namespace

const opencl::Functions *watch(const opencl::Functions &below) noexcept {
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
  aiwc::opencl::Functions known{};
  std::memcpy(&known, below, std::min(count, kFunctions) * sizeof(void *));
  *own = watch(known);
  if (!*own)
    return CL_OUT_OF_HOST_MEMORY; // the loader goes on without us
  *ownCount = kFunctions;
  return CL_SUCCESS;
}

} // extern "C"
