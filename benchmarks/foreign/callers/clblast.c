// Calls a routine of CLBlast: clblast ROUTINE N. Build with -lclblast -lOpenCL.
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s gemm|gemv|trsm|dot|axpy N\n", argv[0]);
    return 2;
  }
  const size_t n = atoi(argv[2]);
  const int matrix =
      !strcmp(argv[1], "gemm") || !strcmp(argv[1], "gemv") || !strcmp(argv[1], "trsm");
  const size_t elements = matrix ? n * n : n;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  clGetPlatformIDs(1, &platform, NULL);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 3;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  float *host = malloc(elements * 4);
  for (size_t i = 0; i < elements; ++i)
    host[i] = matrix && i % (n + 1) == 0 ? n : i % 7 * 0.25f;
  cl_mem a = clCreateBuffer(context, 0, elements * 4, NULL, NULL),
         b = clCreateBuffer(context, 0, elements * 4, NULL, NULL),
         c = clCreateBuffer(context, 0, elements * 4, NULL, NULL);
  clEnqueueWriteBuffer(queue, a, 1, 0, elements * 4, host, 0, NULL, NULL);
  clEnqueueWriteBuffer(queue, b, 1, 0, elements * 4, host, 0, NULL, NULL);
  clEnqueueWriteBuffer(queue, c, 1, 0, elements * 4, host, 0, NULL, NULL);
  CLBlastStatusCode status = 1;
  if (!strcmp(argv[1], "gemm"))
    status = CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1,
                          a, 0, n, b, 0, n, 0.5f, c, 0, n, &queue, NULL);
  else if (!strcmp(argv[1], "gemv"))
    status = CLBlastSgemv(CLBlastLayoutRowMajor, CLBlastTransposeNo, n, n, 1, a, 0, n, b, 0, 1,
                          0.5f, c, 0, 1, &queue, NULL);
  else if (!strcmp(argv[1], "trsm"))
    status = CLBlastStrsm(CLBlastLayoutRowMajor, CLBlastSideLeft, CLBlastTriangleLower,
                          CLBlastTransposeNo, CLBlastDiagonalNonUnit, n, n, 1, a, 0, n, b, 0, n,
                          &queue, NULL);
  else if (!strcmp(argv[1], "dot"))
    status = CLBlastSdot(n, c, 0, a, 0, 1, b, 0, 1, &queue, NULL);
  else if (!strcmp(argv[1], "axpy"))
    status = CLBlastSaxpy(n, 2, a, 0, 1, b, 0, 1, &queue, NULL);
  clFinish(queue);
  clEnqueueReadBuffer(queue, c, 1, 0, elements * 4, host, 0, NULL, NULL);
  printf("status %d, first %g\n", (int)status, host[0]);
  return status != 0;
}
