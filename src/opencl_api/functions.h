/// The functions of OpenCL 1.0 to 3.0. What intercepts, passes on or opens them takes their names
/// and types from here. Headers only: libraries that are loaded into applications include them.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#elif CL_TARGET_OPENCL_VERSION < 300
#error "the table of functions lacks types: expected CL_TARGET_OPENCL_VERSION to be 300"
#endif
// Applications call what later versions deprecate.
#ifndef CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_2_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#endif
#include <CL/cl_icd.h>

#include <type_traits>

/// Calls F(name, version) for each function, with the version that introduced it, in the order of
/// the loader's table, cl_icd_dispatch, which also has extensions.
// clang-format off
#define AIWC_OPENCL_FUNCTIONS(F)                                                                   \
  F(clGetPlatformIDs, 100) F(clGetPlatformInfo, 100) F(clGetDeviceIDs, 100)                        \
  F(clGetDeviceInfo, 100) F(clCreateContext, 100) F(clCreateContextFromType, 100)                  \
  F(clRetainContext, 100) F(clReleaseContext, 100) F(clGetContextInfo, 100)                        \
  F(clCreateCommandQueue, 100) F(clRetainCommandQueue, 100) F(clReleaseCommandQueue, 100)          \
  F(clGetCommandQueueInfo, 100) F(clSetCommandQueueProperty, 100) F(clCreateBuffer, 100)           \
  F(clCreateImage2D, 100) F(clCreateImage3D, 100) F(clRetainMemObject, 100)                        \
  F(clReleaseMemObject, 100) F(clGetSupportedImageFormats, 100) F(clGetMemObjectInfo, 100)         \
  F(clGetImageInfo, 100) F(clCreateSampler, 100) F(clRetainSampler, 100)                           \
  F(clReleaseSampler, 100) F(clGetSamplerInfo, 100) F(clCreateProgramWithSource, 100)              \
  F(clCreateProgramWithBinary, 100) F(clRetainProgram, 100) F(clReleaseProgram, 100)               \
  F(clBuildProgram, 100) F(clUnloadCompiler, 100) F(clGetProgramInfo, 100)                         \
  F(clGetProgramBuildInfo, 100) F(clCreateKernel, 100) F(clCreateKernelsInProgram, 100)            \
  F(clRetainKernel, 100) F(clReleaseKernel, 100) F(clSetKernelArg, 100) F(clGetKernelInfo, 100)    \
  F(clGetKernelWorkGroupInfo, 100) F(clWaitForEvents, 100) F(clGetEventInfo, 100)                  \
  F(clRetainEvent, 100) F(clReleaseEvent, 100) F(clGetEventProfilingInfo, 100) F(clFlush, 100)     \
  F(clFinish, 100) F(clEnqueueReadBuffer, 100) F(clEnqueueWriteBuffer, 100)                        \
  F(clEnqueueCopyBuffer, 100) F(clEnqueueReadImage, 100) F(clEnqueueWriteImage, 100)               \
  F(clEnqueueCopyImage, 100) F(clEnqueueCopyImageToBuffer, 100)                                    \
  F(clEnqueueCopyBufferToImage, 100) F(clEnqueueMapBuffer, 100) F(clEnqueueMapImage, 100)          \
  F(clEnqueueUnmapMemObject, 100) F(clEnqueueNDRangeKernel, 100) F(clEnqueueTask, 100)             \
  F(clEnqueueNativeKernel, 100) F(clEnqueueMarker, 100) F(clEnqueueWaitForEvents, 100)             \
  F(clEnqueueBarrier, 100) F(clGetExtensionFunctionAddress, 100)                                   \
  F(clSetEventCallback, 110) F(clCreateSubBuffer, 110) F(clSetMemObjectDestructorCallback, 110)    \
  F(clCreateUserEvent, 110) F(clSetUserEventStatus, 110) F(clEnqueueReadBufferRect, 110)           \
  F(clEnqueueWriteBufferRect, 110) F(clEnqueueCopyBufferRect, 110)                                 \
  F(clCreateSubDevices, 120) F(clRetainDevice, 120) F(clReleaseDevice, 120)                        \
  F(clCreateImage, 120) F(clCreateProgramWithBuiltInKernels, 120) F(clCompileProgram, 120)         \
  F(clLinkProgram, 120) F(clUnloadPlatformCompiler, 120) F(clGetKernelArgInfo, 120)                \
  F(clEnqueueFillBuffer, 120) F(clEnqueueFillImage, 120) F(clEnqueueMigrateMemObjects, 120)        \
  F(clEnqueueMarkerWithWaitList, 120) F(clEnqueueBarrierWithWaitList, 120)                         \
  F(clGetExtensionFunctionAddressForPlatform, 120)                                                 \
  F(clCreateCommandQueueWithProperties, 200) F(clCreatePipe, 200) F(clGetPipeInfo, 200)            \
  F(clSVMAlloc, 200) F(clSVMFree, 200) F(clEnqueueSVMFree, 200) F(clEnqueueSVMMemcpy, 200)         \
  F(clEnqueueSVMMemFill, 200) F(clEnqueueSVMMap, 200) F(clEnqueueSVMUnmap, 200)                    \
  F(clCreateSamplerWithProperties, 200) F(clSetKernelArgSVMPointer, 200)                           \
  F(clSetKernelExecInfo, 200)                                                                      \
  F(clCloneKernel, 210) F(clCreateProgramWithIL, 210) F(clEnqueueSVMMigrateMem, 210)               \
  F(clGetDeviceAndHostTimer, 210) F(clGetHostTimer, 210) F(clGetKernelSubGroupInfo, 210)           \
  F(clSetDefaultDeviceCommandQueue, 210)                                                           \
  F(clSetProgramReleaseCallback, 220) F(clSetProgramSpecializationConstant, 220)                   \
  F(clCreateBufferWithProperties, 300) F(clCreateImageWithProperties, 300)                         \
  F(clSetContextDestructorCallback, 300)
// clang-format on

namespace aiwc::opencl {

/// The functions of a library, by their names. Those that it lacks are null.
using Functions = cl_icd_dispatch;

/// Calls visit(entry, name, version) for each entry of the table that AIWC_OPENCL_FUNCTIONS lists.
template <typename Table, typename Visit> void forEachFunction(Table &table, const Visit &visit) {
#define AIWC_VISIT(function, version) visit(table.function, #function, version);
  AIWC_OPENCL_FUNCTIONS(AIWC_VISIT)
#undef AIWC_VISIT
}

/// The table of functions whose addresses `find(name)` returns.
template <typename Find> Functions functionsFoundBy(const Find &find) {
  Functions functions{};
  forEachFunction(functions, [&](auto &entry, const char *name, int) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(find(name));
  });
  return functions;
}

} // namespace aiwc::opencl
