/* blur KERNEL.cl EDGE: blurs a square image of EDGE x EDGE pixels with the kernel of that file, on
 * the first OpenCL device, and checks the mean of the result. EDGE is a multiple of 16.
 * docs/start.md uses this program. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "blur: %s: error %d\n", what, status);
  exit(1);
}

static char *readText(const char *name, size_t *length) {
  static char text[65536];
  FILE *file = fopen(name, "rb");
  check(file ? CL_SUCCESS : CL_INVALID_VALUE, name);
  *length = fread(text, 1, sizeof text, file);
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: blur KERNEL.cl EDGE\n");
    return 2;
  }
  const cl_int edge = atoi(argv[2]);
  const size_t pixels = (size_t)edge * edge, bytes = pixels * sizeof(float);
  float *image = malloc(bytes);
  double before = 0, after = 0;
  for (size_t i = 0; i < pixels; i++)
    before += image[i] = (float)((i * 2654435761u >> 8) % 256);

  cl_int status;
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, NULL), "no OpenCL platform");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no OpenCL device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  check(status, "context");
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
  check(status, "queue");
  size_t length;
  const char *source = readText(argv[1], &length);
  cl_program program = clCreateProgramWithSource(context, 1, &source, &length, &status);
  check(status, "program");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
  cl_kernel kernel = clCreateKernel(program, "blur", &status);
  check(status, "kernel");

  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY, bytes, NULL, &status);
  check(status, "input buffer");
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, bytes, NULL, &status);
  check(status, "output buffer");
  check(clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, bytes, image, 0, NULL, NULL), "write");
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clSetKernelArg(kernel, 2, sizeof edge, &edge);
  check(clSetKernelArg(kernel, 3, sizeof edge, &edge), "arguments");
  size_t global[2] = {edge, edge}, local[3] = {0, 0, 0}; // the kernel's own size, if it has one
  check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof local,
                                 local, NULL),
        "work-group size");
  if (local[0] == 0)
    local[0] = local[1] = 16;
  check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "launch");
  check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes, image, 0, NULL, NULL), "read");

  for (size_t i = 0; i < pixels; i++)
    after += image[i];
  printf("mean before %.3f, after %.3f\n", before / pixels, after / pixels);
  free(image);
  clReleaseMemObject(out);
  clReleaseMemObject(in);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return fabs(after - before) / pixels < 1 ? 0 : 1;
}
