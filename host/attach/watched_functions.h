/// The functions of OpenCL that the layer stands in for.
#pragma once

#include "opencl_api/functions.h"

/// Calls F(name, number of parameters) for each.
// clang-format off
#define AIWC_WATCHED_FUNCTIONS(F)                                                                  \
  F(clCreateCommandQueue, 4) F(clCreateCommandQueueWithProperties, 4) F(clGetCommandQueueInfo, 5)  \
  F(clGetEventProfilingInfo, 5) F(clFinish, 1) F(clWaitForEvents, 2) F(clReleaseCommandQueue, 1)   \
  F(clCreateKernel, 3) F(clCreateKernelsInProgram, 4) F(clCloneKernel, 2) F(clSetKernelArg, 4)     \
  F(clSetKernelArgSVMPointer, 3) F(clCreateBuffer, 5) F(clCreateBufferWithProperties, 6)           \
  F(clCreateSubBuffer, 5) F(clCreateImage, 6) F(clCreateImageWithProperties, 7)                    \
  F(clCreateImage2D, 8) F(clCreateImage3D, 10) F(clEnqueueNDRangeKernel, 9) F(clEnqueueTask, 5)    \
  F(clEnqueueReadBuffer, 9) F(clEnqueueWriteBuffer, 9) F(clEnqueueReadBufferRect, 14)              \
  F(clEnqueueWriteBufferRect, 14) F(clEnqueueReadImage, 11) F(clEnqueueWriteImage, 11)             \
  F(clEnqueueMapBuffer, 10) F(clEnqueueMapImage, 12) F(clEnqueueUnmapMemObject, 6)                 \
  F(clEnqueueFillBuffer, 9) F(clEnqueueCopyBuffer, 9) F(clEnqueueCopyBufferRect, 13)               \
  F(clEnqueueCopyImageToBuffer, 9) F(clEnqueueNativeKernel, 10)                                    \
  F(clGetExtensionFunctionAddress, 1) F(clGetExtensionFunctionAddressForPlatform, 2)
// clang-format on
