// sums SIZE: adds up the columns of a matrix of SIZE x SIZE numbers with the kernel in sums.cl, and
// checks the sums.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static void require(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "sums: %s\n", what);
    exit(1);
  }
}

int main(int argc, char **argv) {
  const int size = argc == 2 ? atoi(argv[1]) : 0;
  require(size > 0, "expected the size of the matrix");
  static char source[10000];
  FILE *file = fopen("sums.cl", "r");
  require(file != NULL, "sums.cl cannot be read");
  const size_t length = fread(source, 1, sizeof source, file);
  fclose(file);

  float *matrix = malloc(sizeof(float) * size * size);
  float *sums = malloc(sizeof(float) * size);
  for (int row = 0; row < size; row++)
    for (int column = 0; column < size; column++)
      matrix[row * size + column] = (row + column) % 8;

  cl_platform_id platform;
  cl_device_id device;
  require(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "no OpenCL platform");
  require(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS,
          "no OpenCL device");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, &length, NULL);
  require(clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS,
          "sums.cl does not compile");
  cl_kernel kernel = clCreateKernel(program, "column_sums", NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                             sizeof(float) * size * size, matrix, NULL);
  cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof(float) * size, NULL, NULL);
  clSetKernelArg(kernel, 0, sizeof in, &in);
  clSetKernelArg(kernel, 1, sizeof out, &out);
  clSetKernelArg(kernel, 2, sizeof size, &size);
  const size_t items = size;
  require(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) == CL_SUCCESS,
          "the kernel failed");
  require(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(float) * size, sums, 0, NULL, NULL) ==
              CL_SUCCESS,
          "the sums cannot be read");

  for (int column = 0; column < size; column++) {
    float expected = 0;
    for (int row = 0; row < size; row++)
      expected += matrix[row * size + column];
    require(sums[column] == expected, "wrong sum");
  }
  printf("%d sums are right\n", size);
  return 0;
}
