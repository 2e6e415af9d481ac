// Part of the preloaded library: shared virtual memory (SVM) and unified shared memory (USM). An
// allocation is memory of the host that a buffer uses, so nothing is copied. The simulator's
// addresses are not the host's: they are exchanged in arguments, and in the memory itself around
// each launch.

#include "shared_virtual_memory.h"

#include "common/address_map.h"
#include "device_questions.h"
#include "hooks.h"
#include "opencl_api/definition.h"
#include "replaced.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <unordered_map>

namespace aiwc::plugin {
namespace {

struct Allocation {
  cl_mem buffer = nullptr;
  size_t onDevice = 0;
  const oclgrind::Memory *memory = nullptr;
  cl_context context = nullptr;
  cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
};
using Allocations = AddressMap<Allocation>;
using Range = Allocations::Range;

struct Shared {
  std::atomic<bool> isUsed = false; ///< whether there has been an allocation
  std::mutex mutex;
  Allocations byHost;
  /// Buffers that the application made of allocations, at addresses of their own: where they begin
  /// in the host's memory, by their address in a memory of the simulator.
  std::map<const oclgrind::Memory *, AddressMap<size_t>> buffers;
  /// The events of commands that Oclgrind takes for others.
  std::unordered_map<cl_event, cl_command_type> commands;
};

Shared &shared() {
  static auto *instance = new Shared; // it outlives every static destructor
  return *instance;
}

size_t numberOf(const void *pointer) {
  return reinterpret_cast<size_t>(pointer);
}

/// A copy of what is known of the allocation that `pointer` is in; a buffer of null if there is
/// none.
Range rangeOf(const void *pointer) {
  Shared &all = shared();
  const std::scoped_lock lock(all.mutex);
  const Range *found = all.byHost.find(numberOf(pointer));
  return found ? *found : Range{};
}

/// The same if all of the bytes are in one allocation.
Range rangeOf(const void *pointer, size_t bytes) {
  Range range = rangeOf(pointer);
  return range.value.buffer && bytes <= range.bytes - (numberOf(pointer) - range.begin) ? range
                                                                                        : Range{};
}

/// Has the event tell the application of the command that it enqueued.
cl_int withCommand(cl_int status, const cl_event *event, cl_command_type command) {
  if (status != CL_SUCCESS || !event)
    return status;
  Shared &all = shared();
  const std::scoped_lock lock(all.mutex);
  all.commands[*event] = command;
  return status;
}

void sayRefusal(const std::string &reason) {
  sayFromPreload(("aiwc: " + reason + "\n").c_str());
}

void *allocate(cl_context context, size_t bytes, size_t alignment, cl_mem_flags access,
               cl_unified_shared_memory_type_intel type, cl_int *status) {
  constexpr size_t kPage = 4096; // to which a mapping is aligned
  if (bytes == 0 || alignment > kPage || (alignment & (alignment - 1)) != 0) {
    *status = bytes == 0 ? CL_INVALID_BUFFER_SIZE : CL_INVALID_VALUE;
    return nullptr;
  }
  void *host = bytes < kHostAddressEnd ? mapShared(bytes) : nullptr;
  if (!host) {
    *status = CL_OUT_OF_HOST_MEMORY;
    return nullptr;
  }
  cl_mem buffer =
      oclgrindApi().clCreateBuffer(context, access | CL_MEM_USE_HOST_PTR, bytes, host, status);
  const CreatedBuffer created = lastCreatedBuffer();
  if (*status != CL_SUCCESS || !buffer) {
    munmap(host, bytes);
    return nullptr;
  }
  Shared &all = shared();
  const std::scoped_lock lock(all.mutex);
  all.isUsed = true;
  all.byHost.add(numberOf(host), bytes, {buffer, created.address, created.memory, context, type});
  return host;
}

/// Returns whether there was an allocation that begins there.
bool release(void *pointer) {
  Range freed;
  {
    Shared &all = shared();
    const std::scoped_lock lock(all.mutex);
    const Range *found = all.byHost.at(numberOf(pointer));
    if (!found)
      return false;
    freed = *found;
    all.byHost.remove(freed.begin);
  }
  oclgrindApi().clReleaseMemObject(freed.value.buffer);
  munmap(pointer, freed.bytes);
  return true;
}

/// Added to the address of the buffer that this thread passes to a kernel.
thread_local size_t argumentOffset = 0;

cl_int setArgument(cl_kernel kernel, cl_uint index, const void *pointer) {
  cl_mem buffer = nullptr;
  if (!pointer)
    return oclgrindApi().clSetKernelArg(kernel, index, sizeof(cl_mem), &buffer);
  const Range range = rangeOf(pointer);
  if (!range.value.buffer) {
    sayRefusal("clSetKernelArgSVMPointer: the pointer leads to no shared memory: expected one that "
               "clSVMAlloc or a function such as clHostMemAllocINTEL returned");
    return CL_INVALID_ARG_VALUE;
  }
  argumentOffset = numberOf(pointer) - range.begin;
  const cl_int status =
      oclgrindApi().clSetKernelArg(kernel, index, sizeof(cl_mem), &range.value.buffer);
  argumentOffset = 0;
  return status;
}

/// Values that hold addresses of shared memory: structures, and pointers that are passed as
/// numbers.
void translateWords(unsigned char *bytes, size_t size) {
  for (size_t at = 0; at + sizeof(size_t) <= size; at += sizeof(size_t)) {
    size_t word = 0;
    std::memcpy(&word, bytes + at, sizeof word);
    if (word >= kHostAddressEnd)
      continue;
    const Range range = rangeOf(reinterpret_cast<void *>(word)); // NOLINT: it is looked up only
    if (!range.value.buffer)
      continue;
    word = range.value.onDevice + (word - range.begin);
    std::memcpy(bytes + at, &word, sizeof word);
  }
}

/// A place in an allocation; a buffer of null in other memory of the host.
struct Place {
  cl_mem buffer;
  size_t offset;
};

Place placeOf(const void *pointer, size_t bytes) {
  const Range range = rangeOf(pointer, bytes);
  return {range.value.buffer, range.value.buffer ? numberOf(pointer) - range.begin : 0};
}

cl_int copy(cl_command_queue queue, cl_bool blocking, void *to, const void *from, size_t bytes,
            cl_uint events, const cl_event *waitList, cl_event *event) {
  if (!to || !from)
    return CL_INVALID_VALUE;
  const Place target = placeOf(to, bytes), source = placeOf(from, bytes);
  if (target.buffer && source.buffer) {
    const cl_int status =
        oclgrindApi().clEnqueueCopyBuffer(queue, source.buffer, target.buffer, source.offset,
                                          target.offset, bytes, events, waitList, event);
    return status == CL_SUCCESS && blocking ? oclgrindApi().clFinish(queue) : status;
  }
  if (target.buffer)
    return oclgrindApi().clEnqueueWriteBuffer(queue, target.buffer, blocking, target.offset, bytes,
                                              from, events, waitList, event);
  if (source.buffer)
    return oclgrindApi().clEnqueueReadBuffer(queue, source.buffer, blocking, source.offset, bytes,
                                             to, events, waitList, event);
  cl_int status =
      oclgrindApi().clEnqueueMarkerWithWaitList(queue, events, waitList, event); // within the host
  if (status == CL_SUCCESS)
    status = oclgrindApi().clFinish(queue);
  if (status == CL_SUCCESS)
    std::memmove(to, from, bytes);
  return status;
}

cl_int fill(cl_command_queue queue, void *pointer, const void *pattern, size_t patternBytes,
            size_t bytes, cl_uint events, const cl_event *waitList, cl_event *event) {
  const Place target = placeOf(pointer, bytes);
  if (!pointer || !target.buffer)
    return CL_INVALID_VALUE;
  return oclgrindApi().clEnqueueFillBuffer(queue, target.buffer, pattern, patternBytes,
                                           target.offset, bytes, events, waitList, event);
}

cl_int mark(cl_command_queue queue, cl_uint events, const cl_event *waitList, cl_event *event) {
  return oclgrindApi().clEnqueueMarkerWithWaitList(queue, events, waitList, event);
}

// Unified shared memory, an extension of Intel's

void *allocateAs(cl_unified_shared_memory_type_intel type, cl_context context, size_t bytes,
                 cl_uint alignment, cl_int *status) {
  cl_int unused = CL_SUCCESS;
  return allocate(context, bytes, alignment, CL_MEM_READ_WRITE, type, status ? status : &unused);
}

cl_int freeAllocation(cl_context, void *pointer) {
  return !pointer || release(pointer) ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int allocationInfo(cl_context, const void *pointer, cl_mem_info_intel parameter, size_t room,
                      void *value, size_t *valueBytes) {
  const Range range = rangeOf(pointer);
  std::string answer;
  const auto set = [&](auto number) {
    // NOLINTNEXTLINE(bugprone-sizeof-expression): handles are answers, too
    answer.assign(reinterpret_cast<const char *>(&number), sizeof number);
  };
  if (parameter == CL_MEM_ALLOC_TYPE_INTEL)
    set(range.value.type);
  else if (parameter == CL_MEM_ALLOC_BASE_PTR_INTEL)
    set(range.begin);
  else if (parameter == CL_MEM_ALLOC_SIZE_INTEL)
    set(range.bytes);
  else if (parameter == CL_MEM_ALLOC_FLAGS_INTEL)
    set(cl_mem_alloc_flags_intel{0});
  else if (parameter == CL_MEM_ALLOC_DEVICE_INTEL)
    set(cl_device_id{nullptr});
  else
    return CL_INVALID_VALUE;
  return copyAnswer(answer, room, value, valueBytes);
}

/// The last of the arguments.
template <typename... Arguments> cl_event *eventOf(Arguments... arguments) {
  return std::get<sizeof...(arguments) - 1>(std::tuple(arguments...));
}

} // namespace

void *sharedMemoryFunction(const char *name) {
  // With the type that the headers give it.
#define AIWC_EXTENSION(NAME, ...)                                                                  \
  { #NAME, reinterpret_cast < void *>(static_cast <NAME##_fn>(__VA_ARGS__)) }
  static const struct {
    const char *name;
    void *function;
  } kFunctions[] = {
      AIWC_EXTENSION(clHostMemAllocINTEL,
                     [](auto context, auto /*properties*/, auto... of) {
                       return allocateAs(CL_MEM_TYPE_HOST_INTEL, context, of...);
                     }),
      AIWC_EXTENSION(clDeviceMemAllocINTEL,
                     [](auto context, cl_device_id, auto /*properties*/, auto... of) {
                       return allocateAs(CL_MEM_TYPE_DEVICE_INTEL, context, of...);
                     }),
      AIWC_EXTENSION(clSharedMemAllocINTEL,
                     [](auto context, cl_device_id, auto /*properties*/, auto... of) {
                       return allocateAs(CL_MEM_TYPE_SHARED_INTEL, context, of...);
                     }),
      AIWC_EXTENSION(clMemFreeINTEL, freeAllocation),
      AIWC_EXTENSION(clMemBlockingFreeINTEL, freeAllocation),
      AIWC_EXTENSION(clGetMemAllocInfoINTEL, allocationInfo),
      AIWC_EXTENSION(clSetKernelArgMemPointerINTEL, setArgument),
      AIWC_EXTENSION(clEnqueueMemFillINTEL,
                     [](auto... all) {
                       return withCommand(fill(all...), eventOf(all...), CL_COMMAND_MEMFILL_INTEL);
                     }),
      AIWC_EXTENSION(clEnqueueMemcpyINTEL,
                     [](auto... all) {
                       return withCommand(copy(all...), eventOf(all...), CL_COMMAND_MEMCPY_INTEL);
                     }),
      AIWC_EXTENSION(clEnqueueMigrateMemINTEL,
                     [](auto queue, auto /*pointer*/, size_t, auto /*flags*/, auto... events) {
                       return withCommand(mark(queue, events...), eventOf(events...),
                                          CL_COMMAND_MIGRATEMEM_INTEL);
                     }),
      AIWC_EXTENSION(clEnqueueMemAdviseINTEL,
                     [](auto queue, auto /*pointer*/, size_t, auto /*advice*/, auto... events) {
                       return withCommand(mark(queue, events...), eventOf(events...),
                                          CL_COMMAND_MEMADVISE_INTEL);
                     }),
  };
#undef AIWC_EXTENSION
  for (const auto &known : kFunctions)
    if (std::strcmp(known.name, name) == 0)
      return known.function;
  return nullptr;
}

TranslatedAddresses::TranslatedAddresses(const oclgrind::Context *context,
                                         const oclgrind::Kernel *kernel) {
  Shared &all = shared();
  if (!all.isUsed) // most programs have none
    return;
  using Memory = const oclgrind::Memory *(*)(const oclgrind::Context *);
  static const auto memoryOf = replaced<Memory>("_ZNK8oclgrind7Context15getGlobalMemoryEv");
  const std::scoped_lock lock(all.mutex);
  if (all.byHost.empty())
    return;
  storesAddresses_ = aiwcHooks.storesAddresses && aiwcHooks.storesAddresses(kernel);
  memory_ = memoryOf(context);
  const size_t first = all.byHost.begin()->second.begin;
  const auto toDevice = [&](size_t word) {
    const Range *target = word < first || word >= kHostAddressEnd ? nullptr : all.byHost.find(word);
    return target ? target->value.onDevice + (word - target->begin) : word;
  };
  for (auto &[begin, range] : all.byHost)
    if (range.value.memory == memory_)
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of the host's
      words_.translate(reinterpret_cast<void *>(begin), range.bytes, toDevice);
}

TranslatedAddresses::~TranslatedAddresses() {
  if (!memory_)
    return;
  Shared &all = shared();
  const std::scoped_lock lock(all.mutex);
  AddressMap<size_t> byDevice; // the host's address
  for (auto &[begin, range] : all.byHost)
    if (range.value.memory == memory_)
      byDevice.add(range.value.onDevice, range.bytes, begin);
  if (const auto buffers = all.buffers.find(memory_); buffers != all.buffers.end())
    for (auto &[address, range] : buffers->second)
      byDevice.add(address, range.bytes, range.value);
  words_.restore([&](size_t word) { return translated(byDevice, word); });
  if (!storesAddresses_)
    return;
  for (auto &[begin, range] : all.byHost) {
    if (range.value.memory != memory_)
      continue;
    auto *words = reinterpret_cast<size_t *>(begin); // NOLINT: it is the host's
    for (size_t i = 0; i < range.bytes / sizeof(size_t); ++i)
      if (words[i] >= kHostAddressEnd)
        words[i] = translated(byDevice, words[i]);
  }
}

void forgetBufferAt(const oclgrind::Memory *memory, size_t address) noexcept {
  Shared &all = shared();
  if (!all.isUsed)
    return;
  const std::scoped_lock lock(all.mutex);
  if (const auto buffers = all.buffers.find(memory); buffers != all.buffers.end())
    buffers->second.remove(address);
}

/// Oclgrind's function, which the replacement calls with what the kernel is to get.
void setKernelArgument(oclgrind::Kernel *kernel, unsigned index, oclgrind::TypedValue value) {
  using Set = void (*)(oclgrind::Kernel *, unsigned, oclgrind::TypedValue);
  static const auto next = replaced<Set>("_ZN8oclgrind6Kernel11setArgumentEjNS_10TypedValueE");
  if (argumentOffset > 0 && value.data && value.size == sizeof argumentOffset) {
    size_t address = 0;
    std::memcpy(&address, value.data, sizeof address);
    address += argumentOffset;
    std::memcpy(value.data, &address, sizeof address);
  } else if (value.data && shared().isUsed) {
    translateWords(value.data, size_t{value.size} * value.num);
  }
  next(kernel, index, value);
}

} // namespace aiwc::plugin

using namespace aiwc::plugin;

AIWC_OPENCL_FUNCTION(clSVMAlloc, context, flags, bytes, alignment) {
  constexpr cl_svm_mem_flags kFine = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  if (flags & kFine) {
    sayRefusal("clSVMAlloc: fine-grained memory is refused: while a kernel runs, the simulator's "
               "addresses are in it; coarse-grained memory is there");
    return nullptr;
  }
  cl_int status = CL_SUCCESS;
  return allocate(context, bytes, alignment, flags & ~kFine, CL_MEM_TYPE_SHARED_INTEL, &status);
}

/// A kernel may store addresses within a buffer that is made of shared memory: they become the
/// host's afterwards.
AIWC_OPENCL_FUNCTION(clCreateBuffer, context, flags, bytes, host, status) {
  const bool isOfShared =
      flags & CL_MEM_USE_HOST_PTR && shared().isUsed && rangeOf(host).value.buffer;
  if (isOfShared && !rangeOf(host, bytes).value.buffer) { // it reaches beyond the allocation
    if (status)
      *status = CL_INVALID_BUFFER_SIZE;
    return nullptr;
  }
  cl_mem buffer = oclgrindApi().clCreateBuffer(context, flags, bytes, host, status);
  if (!buffer || !isOfShared)
    return buffer;
  const CreatedBuffer created = lastCreatedBuffer();
  Shared &all = shared();
  const std::scoped_lock lock(all.mutex);
  all.buffers[created.memory].add(created.address, bytes, numberOf(host));
  return buffer;
}

AIWC_OPENCL_FUNCTION(clGetMemObjectInfo, object, parameter, room, value, valueBytes) {
  if (parameter != CL_MEM_USES_SVM_POINTER)
    return oclgrindApi().clGetMemObjectInfo(object, parameter, room, value, valueBytes);
  cl_mem_flags flags = 0;
  void *host = nullptr;
  cl_int status =
      oclgrindApi().clGetMemObjectInfo(object, CL_MEM_FLAGS, sizeof flags, &flags, nullptr);
  if (status == CL_SUCCESS)
    status = oclgrindApi().clGetMemObjectInfo(object, CL_MEM_HOST_PTR, sizeof host, &host, nullptr);
  if (status != CL_SUCCESS)
    return status;
  const cl_bool isShared =
      flags & CL_MEM_USE_HOST_PTR && rangeOf(host).value.buffer ? CL_TRUE : CL_FALSE;
  return copyAnswer({reinterpret_cast<const char *>(&isShared), sizeof isShared}, room, value,
                    valueBytes);
}

AIWC_OPENCL_FUNCTION(clGetEventInfo, event, parameter, room, value, valueBytes) {
  Shared &all = shared();
  if (parameter == CL_EVENT_COMMAND_TYPE && all.isUsed) {
    const std::scoped_lock lock(all.mutex);
    if (const auto known = all.commands.find(event); known != all.commands.end())
      return copyAnswer({reinterpret_cast<const char *>(&known->second), sizeof known->second},
                        room, value, valueBytes);
  }
  return oclgrindApi().clGetEventInfo(event, parameter, room, value, valueBytes);
}

/// Oclgrind calls it, too, when a command has ended.
AIWC_OPENCL_FUNCTION(clReleaseEvent, event) {
  cl_uint references = 0;
  if (Shared &all = shared();
      all.isUsed &&
      oclgrindApi().clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references,
                                   nullptr) == CL_SUCCESS &&
      references == 1) {
    const std::scoped_lock lock(all.mutex);
    all.commands.erase(event); // the next one may lie there
  }
  return oclgrindApi().clReleaseEvent(event);
}

AIWC_OPENCL_FUNCTION(clSVMFree, context, pointer) {
  release(pointer);
}

AIWC_OPENCL_FUNCTION(clSetKernelArgSVMPointer, kernel, index, pointer) {
  return setArgument(kernel, index, pointer);
}

/// Kernels see all allocations.
AIWC_OPENCL_FUNCTION(clSetKernelExecInfo, kernel, parameter, bytes, value) {
  if (!kernel)
    return CL_INVALID_KERNEL;
  if (parameter == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM) {
    cl_bool isSystem = CL_FALSE;
    if (!value || bytes != sizeof isSystem)
      return CL_INVALID_VALUE;
    std::memcpy(&isSystem, value, sizeof isSystem);
    if (isSystem)
      sayRefusal("clSetKernelExecInfo: kernels see no memory of the host but that of clSVMAlloc");
    return isSystem ? CL_INVALID_OPERATION : CL_SUCCESS;
  }
  return (value == nullptr) == (bytes == 0) ? CL_SUCCESS : CL_INVALID_VALUE; // none is a set, too
}

AIWC_OPENCL_FUNCTION(clEnqueueSVMMemcpy, queue, blocking, to, from, bytes, events, waitList,
                     event) {
  return withCommand(copy(queue, blocking, to, from, bytes, events, waitList, event), event,
                     CL_COMMAND_SVM_MEMCPY);
}

AIWC_OPENCL_FUNCTION(clEnqueueSVMMemFill, queue, pointer, pattern, patternBytes, bytes, events,
                     waitList, event) {
  return withCommand(fill(queue, pointer, pattern, patternBytes, bytes, events, waitList, event),
                     event, CL_COMMAND_SVM_MEMFILL);
}

AIWC_OPENCL_FUNCTION(clEnqueueSVMMap, queue, blocking, flags, pointer, bytes, events, waitList,
                     event) {
  const Place place = placeOf(pointer, bytes);
  if (!pointer || !place.buffer || bytes == 0)
    return CL_INVALID_VALUE;
  cl_int status = CL_SUCCESS;
  oclgrindApi().clEnqueueMapBuffer(queue, place.buffer, blocking, flags, place.offset, bytes,
                                   events, waitList, event, &status);
  return withCommand(status, event, CL_COMMAND_SVM_MAP);
}

AIWC_OPENCL_FUNCTION(clEnqueueSVMUnmap, queue, pointer, events, waitList, event) {
  const Range range = rangeOf(pointer);
  if (!range.value.buffer)
    return CL_INVALID_VALUE;
  return withCommand(oclgrindApi().clEnqueueUnmapMemObject(queue, range.value.buffer, pointer,
                                                           events, waitList, event),
                     event, CL_COMMAND_SVM_UNMAP);
}

AIWC_OPENCL_FUNCTION(clEnqueueSVMMigrateMem, queue, count, pointers, sizes, flags, events, waitList,
                     event) {
  if (count == 0 || !pointers)
    return CL_INVALID_VALUE;
  return withCommand(mark(queue, events, waitList, event), event, // it is where it is
                     CL_COMMAND_SVM_MIGRATE_MEM);
}

AIWC_OPENCL_FUNCTION(clEnqueueSVMFree, queue, count, pointers, callback, data, events, waitList,
                     event) {
  if (count == 0 || !pointers)
    return CL_INVALID_VALUE;
  cl_int status = mark(queue, events, waitList, event);
  if (status == CL_SUCCESS)
    status = oclgrindApi().clFinish(queue); // all that uses the memory
  if (withCommand(status, event, CL_COMMAND_SVM_FREE) != CL_SUCCESS)
    return status;
  if (callback)
    callback(queue, count, pointers, data);
  else
    std::for_each_n(pointers, count, [](void *pointer) { release(pointer); });
  return CL_SUCCESS;
}
