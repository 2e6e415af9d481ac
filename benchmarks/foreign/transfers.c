/* Notes what an application asks of OpenCL, without aiwc: a library for LD_PRELOAD that appends a
 * line per launch and transfer to the file in OPENCL_CALLS. It counts as docs/formats.md says
 * ("Transfers are commands of the host").
 *
 *     cc -shared -fPIC -O2 transfers.c -ldl -o transfers.so
 *     OPENCL_CALLS=calls.txt aiwc run -- sh -c 'LD_PRELOAD=./transfers.so:$LD_PRELOAD APPLICATION'
 *
 * Lines: "PROCESS launch KERNEL GLOBAL LOCAL", "PROCESS to_device BYTES", "PROCESS to_host BYTES".
 * Commands that fail are none, and those that a command of OpenCL makes itself are part of it. The
 * library must come before Oclgrind's, which comes before what LD_PRELOAD holds outside of aiwc.
 * Without aiwc, an application that opens libOpenCL.so itself needs that in LD_PRELOAD, too, behind
 * this library. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static __thread int depth; /* of calls of OpenCL within each other */

static void note(const char *format, ...) {
  const char *path = getenv("OPENCL_CALLS");
  if (!path)
    return;
  char line[4096];
  int length = snprintf(line, sizeof line, "%d ", (int)getpid());
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(line + length, sizeof line - length - 1, format, arguments);
  va_end(arguments);
  const int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || write(file, line, length) != length)
    fprintf(stderr, "transfers.so: %s: not written\n", path);
  if (file >= 0)
    close(file);
}

typedef void *symbol_lookup(void *, const char *);
static symbol_lookup *real_dlsym(void) {
  static symbol_lookup *real;
  const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
  for (int i = 0; !real && i < 3; ++i)
    real = (symbol_lookup *)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  return real;
}

/* NEXT(clX): the function that this library stands before. */
#define NEXT(function)                                                                             \
  ({                                                                                               \
    static __typeof__(&function) next;                                                             \
    if (!next)                                                                                     \
      next = (__typeof__(&function))real_dlsym()(RTLD_NEXT, #function);                            \
    next;                                                                                          \
  })
/* The result of a call, while those within it are not counted. */
#define CALL(call)                                                                                 \
  ({                                                                                               \
    ++depth;                                                                                       \
    __typeof__(call) result = call;                                                                \
    --depth;                                                                                       \
    result;                                                                                        \
  })

static void moved(const char *where, size_t bytes) {
  if (depth == 0)
    note("%s %zu\n", where, bytes);
}

static size_t pixel(cl_mem image) {
  size_t bytes = 0;
  NEXT(clGetImageInfo)(image, CL_IMAGE_ELEMENT_SIZE, sizeof bytes, &bytes, NULL);
  return bytes;
}

static size_t volume(const size_t *region) {
  return region[0] * region[1] * region[2];
}

/* Maps that have not ended: what was mapped for writing moves back then. */
struct map {
  cl_mem memory;
  void *pointer;
  size_t bytes;
  struct map *next;
} * maps;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void mapped(cl_mem memory, void *pointer, cl_map_flags flags, size_t bytes) {
  if (depth > 0)
    return;
  if (flags & CL_MAP_READ)
    moved("to_host", bytes);
  struct map *map = malloc(sizeof *map);
  *map = (struct map){memory, pointer,
                      flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) ? bytes : 0, NULL};
  pthread_mutex_lock(&mutex);
  map->next = maps;
  maps = map;
  pthread_mutex_unlock(&mutex);
}

static void unmapped(cl_mem memory, void *pointer) {
  if (depth > 0)
    return;
  pthread_mutex_lock(&mutex);
  for (struct map **place = &maps; *place; place = &(*place)->next)
    if ((*place)->memory == memory && (*place)->pointer == pointer) {
      struct map *map = *place;
      *place = map->next;
      if (map->bytes)
        moved("to_device", map->bytes);
      free(map);
      break;
    }
  pthread_mutex_unlock(&mutex);
}

static void created(cl_mem_flags flags, size_t bytes, cl_mem memory) {
  if (memory && flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR))
    moved("to_device", bytes);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *error) {
  cl_mem memory = CALL(NEXT(clCreateBuffer)(context, flags, size, host, error));
  created(flags, size, memory);
  return memory;
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                     const cl_image_desc *image, void *host, cl_int *error) {
  cl_mem memory = CALL(NEXT(clCreateImage)(context, flags, format, image, host, error));
  if (memory) {
    size_t pixels = image->image_width;
    const cl_mem_object_type type = image->image_type;
    if (type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE3D ||
        type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
      pixels *= image->image_height;
    if (type == CL_MEM_OBJECT_IMAGE3D)
      pixels *= image->image_depth;
    if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY)
      pixels *= image->image_array_size;
    created(flags, pixels * pixel(memory), memory);
  }
  return memory;
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t pitch, void *host, cl_int *error) {
  cl_mem memory =
      CALL(NEXT(clCreateImage2D)(context, flags, format, width, height, pitch, host, error));
  if (memory)
    created(flags, width * height * pixel(memory), memory);
  return memory;
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t depth_, size_t pitch, size_t slice,
                       void *host, cl_int *error) {
  cl_mem memory = CALL(NEXT(clCreateImage3D)(context, flags, format, width, height, depth_, pitch,
                                             slice, host, error));
  if (memory)
    created(flags, width * height * depth_ * pixel(memory), memory);
  return memory;
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem memory, cl_bool block, size_t offset,
                           size_t size, void *host, cl_uint n, const cl_event *events,
                           cl_event *event) {
  cl_int status =
      CALL(NEXT(clEnqueueReadBuffer)(queue, memory, block, offset, size, host, n, events, event));
  if (status == CL_SUCCESS)
    moved("to_host", size);
  return status;
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool block, size_t offset,
                            size_t size, const void *host, cl_uint n, const cl_event *events,
                            cl_event *event) {
  cl_int status =
      CALL(NEXT(clEnqueueWriteBuffer)(queue, memory, block, offset, size, host, n, events, event));
  if (status == CL_SUCCESS)
    moved("to_device", size);
  return status;
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem memory, cl_bool block,
                               const size_t *origin, const size_t *host_origin,
                               const size_t *region, size_t row, size_t slice, size_t host_row,
                               size_t host_slice, void *host, cl_uint n, const cl_event *events,
                               cl_event *event) {
  cl_int status =
      CALL(NEXT(clEnqueueReadBufferRect)(queue, memory, block, origin, host_origin, region, row,
                                         slice, host_row, host_slice, host, n, events, event));
  if (status == CL_SUCCESS)
    moved("to_host", volume(region));
  return status;
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool block,
                                const size_t *origin, const size_t *host_origin,
                                const size_t *region, size_t row, size_t slice, size_t host_row,
                                size_t host_slice, const void *host, cl_uint n,
                                const cl_event *events, cl_event *event) {
  cl_int status =
      CALL(NEXT(clEnqueueWriteBufferRect)(queue, memory, block, origin, host_origin, region, row,
                                          slice, host_row, host_slice, host, n, events, event));
  if (status == CL_SUCCESS)
    moved("to_device", volume(region));
  return status;
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool block, const size_t *origin,
                          const size_t *region, size_t row, size_t slice, void *host, cl_uint n,
                          const cl_event *events, cl_event *event) {
  cl_int status = CALL(NEXT(clEnqueueReadImage)(queue, image, block, origin, region, row, slice,
                                                host, n, events, event));
  if (status == CL_SUCCESS)
    moved("to_host", volume(region) * pixel(image));
  return status;
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool block,
                           const size_t *origin, const size_t *region, size_t row, size_t slice,
                           const void *host, cl_uint n, const cl_event *events, cl_event *event) {
  cl_int status = CALL(NEXT(clEnqueueWriteImage)(queue, image, block, origin, region, row, slice,
                                                 host, n, events, event));
  if (status == CL_SUCCESS)
    moved("to_device", volume(region) * pixel(image));
  return status;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool block, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint n, const cl_event *events,
                         cl_event *event, cl_int *error) {
  void *pointer = CALL(
      NEXT(clEnqueueMapBuffer)(queue, memory, block, flags, offset, size, n, events, event, error));
  if (pointer)
    mapped(memory, pointer, flags, size);
  return pointer;
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool block, cl_map_flags flags,
                        const size_t *origin, const size_t *region, size_t *row, size_t *slice,
                        cl_uint n, const cl_event *events, cl_event *event, cl_int *error) {
  void *pointer = CALL(NEXT(clEnqueueMapImage)(queue, image, block, flags, origin, region, row,
                                               slice, n, events, event, error));
  if (pointer) /* from the region's first pixel to its last */
    mapped(image, pointer, flags,
           (region[2] - 1) * (slice ? *slice : 0) + (region[1] - 1) * *row +
               region[0] * pixel(image));
  return pointer;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *pointer, cl_uint n,
                               const cl_event *events, cl_event *event) {
  cl_int status = CALL(NEXT(clEnqueueUnmapMemObject)(queue, memory, pointer, n, events, event));
  if (status == CL_SUCCESS)
    unmapped(memory, pointer);
  return status;
}

static void launched(cl_kernel kernel, cl_uint dimensions, const size_t *global,
                     const size_t *local) {
  char name[1024] = "", sizes[256];
  if (depth > 0)
    return;
  NEXT(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  int length = 0;
  for (cl_uint i = 0; i < dimensions; ++i)
    length += snprintf(sizes + length, sizeof sizes - length, "%s%zu", i ? "x" : "", global[i]);
  length += snprintf(sizes + length, sizeof sizes - length, " %s", local ? "" : "open");
  for (cl_uint i = 0; local && i < dimensions; ++i)
    length += snprintf(sizes + length, sizeof sizes - length, "%s%zu", i ? "x" : "", local[i]);
  note("launch %s %s\n", name, sizes);
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint n, const cl_event *events, cl_event *event) {
  cl_int status = CALL(NEXT(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global,
                                                    local, n, events, event));
  if (status == CL_SUCCESS)
    launched(kernel, dimensions, global, local);
  return status;
}

cl_int clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint n, const cl_event *events,
                     cl_event *event) {
  cl_int status = CALL(NEXT(clEnqueueTask)(queue, kernel, n, events, event));
  const size_t one = 1;
  if (status == CL_SUCCESS)
    launched(kernel, 1, &one, &one);
  return status;
}

/* Applications that open libOpenCL.so ask for its functions by name. */
void *dlsym(void *handle, const char *name) {
  static const struct {
    const char *name;
    void *function;
  } ours[] = {
#define OURS(function) {#function, (void *)function}
      OURS(clCreateBuffer),
      OURS(clCreateImage),
      OURS(clCreateImage2D),
      OURS(clCreateImage3D),
      OURS(clEnqueueReadBuffer),
      OURS(clEnqueueWriteBuffer),
      OURS(clEnqueueReadBufferRect),
      OURS(clEnqueueWriteBufferRect),
      OURS(clEnqueueReadImage),
      OURS(clEnqueueWriteImage),
      OURS(clEnqueueMapBuffer),
      OURS(clEnqueueMapImage),
      OURS(clEnqueueUnmapMemObject),
      OURS(clEnqueueNDRangeKernel),
      OURS(clEnqueueTask)};
  if (handle != RTLD_NEXT && handle != RTLD_DEFAULT)
    for (size_t i = 0; i < sizeof ours / sizeof *ours; ++i)
      if (strcmp(ours[i].name, name) == 0)
        return ours[i].function;
  return real_dlsym()(handle, name); /* a jump: RTLD_NEXT asks who calls */
}
