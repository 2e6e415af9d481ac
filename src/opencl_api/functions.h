/// The functions of OpenCL 1.0 to 3.0. What intercepts, passes on or opens them takes their names
/// and types from here. Headers only: libraries that are loaded into applications include them.
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
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
#ifndef CL_VERSION_3_0
#error "the loader's table lacks types: expected CL_TARGET_OPENCL_VERSION to be 300"
#endif

#include <type_traits>

/// Calls F(name) for each function, in the order of the loader's table, cl_icd_dispatch, which also
/// has extensions. A line has functions of one version.
// clang-format off
#define AIWC_OPENCL_FUNCTIONS(F)                                                                   \
  F(clGetPlatformIDs) F(clGetPlatformInfo) F(clGetDeviceIDs) F(clGetDeviceInfo)                    \
  F(clCreateContext) F(clCreateContextFromType) F(clRetainContext) F(clReleaseContext)             \
  F(clGetContextInfo) F(clCreateCommandQueue) F(clRetainCommandQueue) F(clReleaseCommandQueue)     \
  F(clGetCommandQueueInfo) F(clSetCommandQueueProperty) F(clCreateBuffer) F(clCreateImage2D)       \
  F(clCreateImage3D) F(clRetainMemObject) F(clReleaseMemObject) F(clGetSupportedImageFormats)      \
  F(clGetMemObjectInfo) F(clGetImageInfo) F(clCreateSampler) F(clRetainSampler)                    \
  F(clReleaseSampler) F(clGetSamplerInfo) F(clCreateProgramWithSource)                             \
  F(clCreateProgramWithBinary) F(clRetainProgram) F(clReleaseProgram) F(clBuildProgram)            \
  F(clUnloadCompiler) F(clGetProgramInfo) F(clGetProgramBuildInfo) F(clCreateKernel)               \
  F(clCreateKernelsInProgram) F(clRetainKernel) F(clReleaseKernel) F(clSetKernelArg)               \
  F(clGetKernelInfo) F(clGetKernelWorkGroupInfo) F(clWaitForEvents) F(clGetEventInfo)              \
  F(clRetainEvent) F(clReleaseEvent) F(clGetEventProfilingInfo) F(clFlush) F(clFinish)             \
  F(clEnqueueReadBuffer) F(clEnqueueWriteBuffer) F(clEnqueueCopyBuffer) F(clEnqueueReadImage)      \
  F(clEnqueueWriteImage) F(clEnqueueCopyImage) F(clEnqueueCopyImageToBuffer)                       \
  F(clEnqueueCopyBufferToImage) F(clEnqueueMapBuffer) F(clEnqueueMapImage)                         \
  F(clEnqueueUnmapMemObject) F(clEnqueueNDRangeKernel) F(clEnqueueTask) F(clEnqueueNativeKernel)   \
  F(clEnqueueMarker) F(clEnqueueWaitForEvents) F(clEnqueueBarrier)                                 \
  F(clGetExtensionFunctionAddress)                                                                 \
  F(clSetEventCallback) F(clCreateSubBuffer) F(clSetMemObjectDestructorCallback)                   \
  F(clCreateUserEvent) F(clSetUserEventStatus) F(clEnqueueReadBufferRect)                          \
  F(clEnqueueWriteBufferRect) F(clEnqueueCopyBufferRect)                                           \
  F(clCreateSubDevices) F(clRetainDevice) F(clReleaseDevice) F(clCreateImage)                      \
  F(clCreateProgramWithBuiltInKernels) F(clCompileProgram) F(clLinkProgram)                        \
  F(clUnloadPlatformCompiler) F(clGetKernelArgInfo) F(clEnqueueFillBuffer) F(clEnqueueFillImage)   \
  F(clEnqueueMigrateMemObjects) F(clEnqueueMarkerWithWaitList) F(clEnqueueBarrierWithWaitList)     \
  F(clGetExtensionFunctionAddressForPlatform)                                                      \
  F(clCreateCommandQueueWithProperties) F(clCreatePipe) F(clGetPipeInfo) F(clSVMAlloc)             \
  F(clSVMFree) F(clEnqueueSVMFree) F(clEnqueueSVMMemcpy) F(clEnqueueSVMMemFill)                    \
  F(clEnqueueSVMMap) F(clEnqueueSVMUnmap) F(clCreateSamplerWithProperties)                         \
  F(clSetKernelArgSVMPointer) F(clSetKernelExecInfo)                                               \
  F(clCloneKernel) F(clCreateProgramWithIL) F(clEnqueueSVMMigrateMem) F(clGetDeviceAndHostTimer)   \
  F(clGetHostTimer) F(clGetKernelSubGroupInfo) F(clSetDefaultDeviceCommandQueue)                   \
  F(clSetProgramReleaseCallback) F(clSetProgramSpecializationConstant)                             \
  F(clCreateBufferWithProperties) F(clCreateImageWithProperties)                                   \
  F(clSetContextDestructorCallback)
// clang-format on

namespace aiwc::opencl {

/// The functions of a library, by their names. Those that it lacks are null.
using Functions = cl_icd_dispatch;

/// Calls visit(entry, name) for each entry of the table that AIWC_OPENCL_FUNCTIONS lists.
template <typename Table, typename Visit> void forEachFunction(Table &table, const Visit &visit) {
#define AIWC_VISIT(function) visit(table.function, #function);
  AIWC_OPENCL_FUNCTIONS(AIWC_VISIT)
#undef AIWC_VISIT
}

/// The table of functions whose addresses `find(name)` returns.
template <typename Find> Functions functionsFoundBy(const Find &find) {
  Functions functions{};
  forEachFunction(functions, [&](auto &entry, const char *name) {
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(find(name));
  });
  return functions;
}

template <auto kEntry, void (*kFail)(const char *name)> struct Absent;
template <typename Result, typename... Parameters,
          Result (CL_API_CALL *Functions::*kEntry)(Parameters...), void (*kFail)(const char *name)>
struct Absent<kEntry, kFail> {
  static inline const char *name = nullptr;
  static Result CL_API_CALL call(Parameters... /*arguments*/) {
    kFail(name);
    __builtin_unreachable();
  }
};

/// Has each function that is absent call `kFail` with its name, which does not return.
template <void (*kFail)(const char *name)> void failWhereAbsent(Functions &functions) {
#define AIWC_FAIL_WHERE_ABSENT(function)                                                           \
  if (!functions.function) {                                                                       \
    Absent<&Functions::function, kFail>::name = #function;                                         \
    functions.function = Absent<&Functions::function, kFail>::call;                                \
  }
  AIWC_OPENCL_FUNCTIONS(AIWC_FAIL_WHERE_ABSENT)
#undef AIWC_FAIL_WHERE_ABSENT
}

} // namespace aiwc::opencl
