/* Runs the kernel `scale` of a file on the OpenCL device that suits it best, as the profiles that
   the file carries say, and on the first device where nothing is known:  pick_device KERNELS.cl */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_ext.h>
#include <aiwc.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 4096, MOST = 16 }; /* work-items; devices that are looked at */
static const size_t global = ITEMS, local = 64;

static void check(int good, const char *what) {
  if (!good && fprintf(stderr, "pick_device: %s\n", what))
    exit(2);
}

/* The index of the best device. Whatever is missing or wrong is a remark, no failure. */
static size_t pick(const char *source, size_t length, const cl_device_id *ids, size_t count) {
  const aiwc_device *known[MOST];
  size_t index[MOST], order[MOST], matched = 0;
  char names[MOST][256] = {{0}};
  aiwc_device_library *library = NULL; /* all of this lives as long as the process */
  aiwc_annotations *annotations = NULL;
  aiwc_profile *profile = NULL;
  aiwc_match match;
  aiwc_prediction time;
  const int loaded = aiwc_device_library_open(NULL, &library) == AIWC_OK;
  for (size_t i = 0; i < count; ++i) {
    /* AMD's name of a device is that of its chip, which several products share. */
    if (clGetDeviceInfo(ids[i], CL_DEVICE_BOARD_NAME_AMD, sizeof *names, names[i], NULL))
      clGetDeviceInfo(ids[i], CL_DEVICE_NAME, sizeof *names, names[i], NULL);
    if (loaded && aiwc_device_match(library, names[i], &known[matched]) == AIWC_OK)
      index[matched++] = i;
  }
  if (!matched || aiwc_annotations_parse(source, length, NULL, &annotations) ||
      aiwc_annotations_find(annotations, "scale", 1, &global, &local, &profile, &match,
                            sizeof match) ||
      aiwc_rank(profile, known, matched, NULL, order, NULL, NULL) ||
      aiwc_predict(profile, known[order[0]], NULL, &time, sizeof time)) {
    printf("the first device, %s: %s\n", names[0], aiwc_error_message());
    return 0;
  }
  printf("the best of %zu known devices, %s: %s takes %s%.1f us, most of it %s%s\n", matched,
         names[index[order[0]]], aiwc_device_id(known[order[0]]), match.scaled ? "about " : "",
         time.seconds * 1e6, time.largest_part, match.stale ? " (stale profile)" : "");
  return index[order[0]];
}

int main(int argc, char **argv) {
  static char text[1 << 20]; /* ends in a NUL */
  static float values[ITEMS];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  check(file != NULL, "expected a file with the kernel `scale`: pick_device KERNELS.cl");
  const size_t length = fread(text, 1, sizeof text - 1, file);
  cl_platform_id platforms[MOST];
  cl_device_id ids[MOST];
  cl_uint platform_count = 0, count = 0, more = 0;
  clGetPlatformIDs(MOST, platforms, &platform_count);
  for (cl_uint p = 0; p < platform_count && p < MOST && count < MOST; ++p, count += more)
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MOST - count, ids + count, &more))
      more = 0;
  check(count > 0 && count <= MOST, "no OpenCL device, or more than 16");
  const cl_device_id device = ids[pick(text, length, ids, count)];
  for (size_t i = 0; i < ITEMS; ++i)
    values[i] = (float)i;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  cl_program program = clCreateProgramWithSource(context, 1, (const char *[]){text}, &length, NULL);
  check(!clBuildProgram(program, 1, &device, "", NULL, NULL), "the kernel does not build");
  cl_kernel kernel = clCreateKernel(program, "scale", NULL);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, NULL);
  check(!clSetKernelArg(kernel, 0, sizeof buffer, &buffer) &&
            !clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL) &&
            !clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL),
        "the kernel does not run");
  for (size_t i = 0; i < ITEMS; ++i)
    check(values[i] == 2 * (float)i + 1, "the result is wrong");
  puts("correct");
}
