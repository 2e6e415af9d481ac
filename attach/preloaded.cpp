// For applications whose OpenCL library has no layers: preloaded (LD_PRELOAD), this library has the
// functions of OpenCL that the layer replaces, and comes before the library that the application is
// linked with. Where a loader has taken the layer, they only pass calls on.
#include "attach/layer.h"

#include <dlfcn.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

/// The OpenCL library of this process, whose symbols not everybody sees: one that belongs to
/// another library. Null if there is none.
void *hiddenLibrary() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info *object, size_t, void *found) {
        const std::string_view name = object->dlpi_name ? object->dlpi_name : "";
        const std::string_view file = name.substr(name.find_last_of('/') + 1);
        if (!file.starts_with("libOpenCL"))
          return 0;
        *static_cast<std::string *>(found) = name;
        return 1;
      },
      &path);
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
}

/// The functions of the application's OpenCL library, those that the layer replaces or uses.
cl_icd_dispatch libraryFunctions() {
  void *const library = dlsym(RTLD_NEXT, "clGetPlatformIDs") ? RTLD_NEXT : hiddenLibrary();
  cl_icd_dispatch table{};
  if (!library)
    return table;
  const auto find = [&](auto &entry, const char *name) {
    entry = reinterpret_cast<std::decay_t<decltype(entry)>>(dlsym(library, name));
  };
#define FIND(name) find(table.name, #name);
  FIND(clCloneKernel)
  FIND(clCreateBuffer)
  FIND(clCreateBufferWithProperties)
  FIND(clCreateCommandQueue)
  FIND(clCreateCommandQueueWithProperties)
  FIND(clCreateImage)
  FIND(clCreateImage2D)
  FIND(clCreateImage3D)
  FIND(clCreateImageWithProperties)
  FIND(clCreateKernel)
  FIND(clCreateKernelsInProgram)
  FIND(clCreateSubBuffer)
  FIND(clEnqueueCopyBuffer)
  FIND(clEnqueueCopyBufferRect)
  FIND(clEnqueueCopyImageToBuffer)
  FIND(clEnqueueFillBuffer)
  FIND(clEnqueueMapBuffer)
  FIND(clEnqueueMapImage)
  FIND(clEnqueueNDRangeKernel)
  FIND(clEnqueueNativeKernel)
  FIND(clEnqueueReadBuffer)
  FIND(clEnqueueReadBufferRect)
  FIND(clEnqueueReadImage)
  FIND(clEnqueueTask)
  FIND(clEnqueueUnmapMemObject)
  FIND(clEnqueueWriteBuffer)
  FIND(clEnqueueWriteBufferRect)
  FIND(clEnqueueWriteImage)
  FIND(clFinish)
  FIND(clGetCommandQueueInfo)
  FIND(clGetDeviceInfo)
  FIND(clGetEventInfo)
  FIND(clGetEventProfilingInfo)
  FIND(clGetExtensionFunctionAddress)
  FIND(clGetExtensionFunctionAddressForPlatform)
  FIND(clGetImageInfo)
  FIND(clGetKernelInfo)
  FIND(clGetMemObjectInfo)
  FIND(clGetPlatformIDs)
  FIND(clGetProgramBuildInfo)
  FIND(clGetProgramInfo)
  FIND(clReleaseCommandQueue)
  FIND(clReleaseEvent)
  FIND(clRetainEvent)
  FIND(clSetEventCallback)
  FIND(clSetKernelArg)
  FIND(clSetKernelArgSVMPointer)
  FIND(clWaitForEvents)
#undef FIND
  return table;
}

/// What an application's call goes to: the layer, or the library if it has the layer below.
const cl_icd_dispatch &called() {
  static const cl_icd_dispatch library = libraryFunctions();
  static const cl_icd_dispatch *const watched = [] {
    // A loader takes its layers when it is called first.
    cl_uint platforms = 0;
    if (library.clGetPlatformIDs)
      library.clGetPlatformIDs(0, nullptr, &platforms);
    return aiwc::attach::isWatching() ? nullptr : aiwc::attach::watch(library);
  }();
  return watched ? *watched : library;
}

/// What the function returns; where the library has none, that it is refused.
template <typename Result, typename... Parameters>
Result passed(Result (*function)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  if (function)
    return function(arguments...);
  const auto refuse = [](auto argument) {
    if constexpr (std::is_same_v<decltype(argument), cl_int *>)
      if (argument)
        *argument = CL_INVALID_OPERATION;
  };
  (refuse(arguments), ...);
  if constexpr (std::is_pointer_v<Result>)
    return nullptr;
  else
    return CL_INVALID_OPERATION;
}

} // namespace

#define EXPORTED(result) extern "C" __attribute__((visibility("default"))) result CL_API_CALL

EXPORTED(cl_command_queue)
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties, cl_int *error) {
  return passed(called().clCreateCommandQueue, context, device, properties, error);
}

EXPORTED(cl_command_queue)
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties, cl_int *error) {
  return passed(called().clCreateCommandQueueWithProperties, context, device, properties, error);
}

EXPORTED(cl_int)
clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info what, size_t bytes, void *value,
                      size_t *needed) {
  return passed(called().clGetCommandQueueInfo, queue, what, bytes, value, needed);
}

EXPORTED(cl_int)
clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t bytes, void *value,
                        size_t *needed) {
  return passed(called().clGetEventProfilingInfo, event, what, bytes, value, needed);
}

EXPORTED(cl_int) clFinish(cl_command_queue queue) {
  return passed(called().clFinish, queue);
}

EXPORTED(cl_int) clWaitForEvents(cl_uint count, const cl_event *events) {
  return passed(called().clWaitForEvents, count, events);
}

EXPORTED(cl_int) clReleaseCommandQueue(cl_command_queue queue) {
  return passed(called().clReleaseCommandQueue, queue);
}

EXPORTED(cl_kernel) clCreateKernel(cl_program program, const char *name, cl_int *error) {
  return passed(called().clCreateKernel, program, name, error);
}

EXPORTED(cl_int)
clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *made) {
  return passed(called().clCreateKernelsInProgram, program, room, kernels, made);
}

EXPORTED(cl_kernel) clCloneKernel(cl_kernel source, cl_int *error) {
  return passed(called().clCloneKernel, source, error);
}

EXPORTED(cl_int) clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
  return passed(called().clSetKernelArg, kernel, index, bytes, value);
}

EXPORTED(cl_int) clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer) {
  return passed(called().clSetKernelArgSVMPointer, kernel, index, pointer);
}

EXPORTED(cl_mem)
clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *error) {
  return passed(called().clCreateBuffer, context, flags, bytes, host, error);
}

EXPORTED(cl_mem)
clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                             cl_mem_flags flags, size_t bytes, void *host, cl_int *error) {
  return passed(called().clCreateBufferWithProperties, context, properties, flags, bytes, host,
                error);
}

EXPORTED(cl_mem)
clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type, const void *region,
                  cl_int *error) {
  return passed(called().clCreateSubBuffer, buffer, flags, type, region, error);
}

EXPORTED(cl_mem)
clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
              const cl_image_desc *form, void *host, cl_int *error) {
  return passed(called().clCreateImage, context, flags, format, form, host, error);
}

EXPORTED(cl_mem)
clCreateImageWithProperties(cl_context context, const cl_mem_properties *properties,
                            cl_mem_flags flags, const cl_image_format *format,
                            const cl_image_desc *form, void *host, cl_int *error) {
  return passed(called().clCreateImageWithProperties, context, properties, flags, format, form,
                host, error);
}

EXPORTED(cl_mem)
clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
                size_t height, size_t pitch, void *host, cl_int *error) {
  return passed(called().clCreateImage2D, context, flags, format, width, height, pitch, host,
                error);
}

EXPORTED(cl_mem)
clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format, size_t width,
                size_t height, size_t depth, size_t rowPitch, size_t slicePitch, void *host,
                cl_int *error) {
  return passed(called().clCreateImage3D, context, flags, format, width, height, depth, rowPitch,
                slicePitch, host, error);
}

EXPORTED(cl_int)
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                       const size_t *offset, const size_t *global, const size_t *local,
                       cl_uint waits, const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueNDRangeKernel, queue, kernel, dimensions, offset, global, local,
                waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint waits, const cl_event *waitList,
              cl_event *event) {
  return passed(called().clEnqueueTask, queue, kernel, waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking, size_t offset,
                    size_t bytes, void *to, cl_uint waits, const cl_event *waitList,
                    cl_event *event) {
  return passed(called().clEnqueueReadBuffer, queue, buffer, isBlocking, offset, bytes, to, waits,
                waitList, event);
}

EXPORTED(cl_int)
clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking, size_t offset,
                     size_t bytes, const void *from, cl_uint waits, const cl_event *waitList,
                     cl_event *event) {
  return passed(called().clEnqueueWriteBuffer, queue, buffer, isBlocking, offset, bytes, from,
                waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                        const size_t *bufferOrigin, const size_t *hostOrigin, const size_t *region,
                        size_t bufferRow, size_t bufferSlice, size_t hostRow, size_t hostSlice,
                        void *to, cl_uint waits, const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueReadBufferRect, queue, buffer, isBlocking, bufferOrigin,
                hostOrigin, region, bufferRow, bufferSlice, hostRow, hostSlice, to, waits, waitList,
                event);
}

EXPORTED(cl_int)
clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking,
                         const size_t *bufferOrigin, const size_t *hostOrigin, const size_t *region,
                         size_t bufferRow, size_t bufferSlice, size_t hostRow, size_t hostSlice,
                         const void *from, cl_uint waits, const cl_event *waitList,
                         cl_event *event) {
  return passed(called().clEnqueueWriteBufferRect, queue, buffer, isBlocking, bufferOrigin,
                hostOrigin, region, bufferRow, bufferSlice, hostRow, hostSlice, from, waits,
                waitList, event);
}

EXPORTED(cl_int)
clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool isBlocking, const size_t *origin,
                   const size_t *region, size_t row, size_t slice, void *to, cl_uint waits,
                   const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueReadImage, queue, image, isBlocking, origin, region, row, slice,
                to, waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool isBlocking, const size_t *origin,
                    const size_t *region, size_t row, size_t slice, const void *from, cl_uint waits,
                    const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueWriteImage, queue, image, isBlocking, origin, region, row, slice,
                from, waits, waitList, event);
}

EXPORTED(void *)
clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool isBlocking, cl_map_flags flags,
                   size_t offset, size_t bytes, cl_uint waits, const cl_event *waitList,
                   cl_event *event, cl_int *error) {
  return passed(called().clEnqueueMapBuffer, queue, buffer, isBlocking, flags, offset, bytes, waits,
                waitList, event, error);
}

EXPORTED(void *)
clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool isBlocking, cl_map_flags flags,
                  const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                  cl_uint waits, const cl_event *waitList, cl_event *event, cl_int *error) {
  return passed(called().clEnqueueMapImage, queue, image, isBlocking, flags, origin, region, row,
                slice, waits, waitList, event, error);
}

EXPORTED(cl_int)
clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *at, cl_uint waits,
                        const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueUnmapMemObject, queue, memory, at, waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t patternBytes,
                    size_t offset, size_t bytes, cl_uint waits, const cl_event *waitList,
                    cl_event *event) {
  return passed(called().clEnqueueFillBuffer, queue, buffer, pattern, patternBytes, offset, bytes,
                waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t fromOffset,
                    size_t toOffset, size_t bytes, cl_uint waits, const cl_event *waitList,
                    cl_event *event) {
  return passed(called().clEnqueueCopyBuffer, queue, from, to, fromOffset, toOffset, bytes, waits,
                waitList, event);
}

EXPORTED(cl_int)
clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *fromOrigin,
                        const size_t *toOrigin, const size_t *region, size_t fromRow,
                        size_t fromSlice, size_t toRow, size_t toSlice, cl_uint waits,
                        const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueCopyBufferRect, queue, from, to, fromOrigin, toOrigin, region,
                fromRow, fromSlice, toRow, toSlice, waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem to, const size_t *origin,
                           const size_t *region, size_t offset, cl_uint waits,
                           const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueCopyImageToBuffer, queue, image, to, origin, region, offset,
                waits, waitList, event);
}

EXPORTED(cl_int)
clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *function)(void *), void *arguments,
                      size_t bytes, cl_uint memories, const cl_mem *memory, const void **places,
                      cl_uint waits, const cl_event *waitList, cl_event *event) {
  return passed(called().clEnqueueNativeKernel, queue, function, arguments, bytes, memories, memory,
                places, waits, waitList, event);
}

EXPORTED(void *) clGetExtensionFunctionAddress(const char *name) {
  return passed(called().clGetExtensionFunctionAddress, name);
}

EXPORTED(void *)
clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  return passed(called().clGetExtensionFunctionAddressForPlatform, platform, name);
}
