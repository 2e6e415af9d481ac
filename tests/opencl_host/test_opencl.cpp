#include "opencl_api/definition.h"
#include "opencl_host/opencl.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace aiwc;
using Catch::Equals;
using Catch::Message;

// An OpenCL library without a device.

struct _cl_context {};
struct _cl_command_queue {};
struct _cl_program {};
struct _cl_mem {};
struct _cl_event {};

namespace {

struct FakeLibrary {
  cl_int finishStatus = CL_SUCCESS, buildStatus = CL_SUCCESS;
  int live = 0; ///< objects
  std::map<cl_uint, std::string> arguments;
  std::vector<std::string> calls;
};
FakeLibrary library;

template <typename Object> Object *made(cl_int *status) {
  ++library.live;
  *status = CL_SUCCESS;
  return new Object;
}

template <typename Object> cl_int released(Object *object) {
  --library.live;
  delete object;
  return CL_SUCCESS;
}

} // namespace

AIWC_OPENCL_FUNCTION(clGetPlatformIDs, count, platforms, found) {
  *platforms = nullptr;
  return CL_SUCCESS;
}
AIWC_OPENCL_FUNCTION(clGetDeviceIDs, platform, type, count, devices, found) {
  *devices = nullptr;
  return CL_SUCCESS;
}
AIWC_OPENCL_FUNCTION(clCreateContext, properties, count, devices, notify, data, status) {
  return made<_cl_context>(status);
}
AIWC_OPENCL_FUNCTION(clReleaseContext, context) {
  return released(context);
}
AIWC_OPENCL_FUNCTION(clCreateCommandQueue, context, device, properties, status) {
  return made<_cl_command_queue>(status);
}
AIWC_OPENCL_FUNCTION(clReleaseCommandQueue, queue) {
  return released(queue);
}
AIWC_OPENCL_FUNCTION(clCreateBuffer, context, flags, bytes, host, status) {
  if (bytes > 0)
    return made<_cl_mem>(status);
  *status = CL_INVALID_BUFFER_SIZE;
  return nullptr;
}
AIWC_OPENCL_FUNCTION(clReleaseMemObject, memory) {
  return released(memory);
}
AIWC_OPENCL_FUNCTION(clCreateProgramWithSource, context, count, texts, bytes, status) {
  library.calls.emplace_back(texts[0], bytes[0]);
  return made<_cl_program>(status);
}
AIWC_OPENCL_FUNCTION(clReleaseProgram, program) {
  return released(program);
}
AIWC_OPENCL_FUNCTION(clBuildProgram, program, count, devices, options, notify, data) {
  library.calls.emplace_back(options);
  return library.buildStatus;
}
AIWC_OPENCL_FUNCTION(clGetProgramBuildInfo, program, device, what, bytes, value, needed) {
  constexpr char kLog[] = "k.cl:1: error: no";
  if (needed)
    *needed = sizeof kLog;
  if (value)
    std::memcpy(value, kLog, bytes);
  return CL_SUCCESS;
}
AIWC_OPENCL_FUNCTION(clSetKernelArg, kernel, index, bytes, value) {
  library.arguments[index] =
      value ? std::string(static_cast<const char *>(value), bytes) : std::string(bytes, '?');
  return CL_SUCCESS;
}
AIWC_OPENCL_FUNCTION(clGetEventProfilingInfo, event, what, bytes, value, needed) {
  // So long ago that a double has no nanoseconds left.
  const cl_ulong queued = cl_ulong{1} << 60U;
  const cl_ulong time = queued + (what == CL_PROFILING_COMMAND_QUEUED  ? 0
                                  : what == CL_PROFILING_COMMAND_START ? 3
                                                                       : 10);
  std::memcpy(value, &time, sizeof time);
  return CL_SUCCESS;
}
AIWC_OPENCL_FUNCTION(clWaitForEvents, count, events) {
  return CL_SUCCESS;
}
AIWC_OPENCL_FUNCTION(clFinish, queue) {
  return library.finishStatus;
}

namespace {

template <typename Value> std::string bytesOf(const Value &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

} // namespace

TEST_CASE("a status has its name") {
  CHECK(opencl::statusName(CL_INVALID_VALUE) == "CL_INVALID_VALUE (-30)");
  CHECK(opencl::statusName(-9999) == "status -9999");
}

TEST_CASE("a failure names the function and the status") {
  library = {};
  library.finishStatus = CL_OUT_OF_RESOURCES;
  const opencl::Device device;
  CHECK_THROWS_MATCHES(device.finish(), opencl::StatusError,
                       Message("clFinish failed with CL_OUT_OF_RESOURCES (-5): expected "
                               "CL_SUCCESS"));
  CHECK_THROWS_MATCHES(device.buffer(0), opencl::StatusError,
                       Message("clCreateBuffer failed with CL_INVALID_BUFFER_SIZE (-61): expected "
                               "CL_SUCCESS"));
  try {
    device.finish();
  } catch (const opencl::StatusError &error) {
    CHECK(error.status() == CL_OUT_OF_RESOURCES);
  }
}

TEST_CASE("a function that the library lacks fails when it is called") {
  CHECK_THROWS_MATCHES(opencl::api().clCloneKernel(nullptr, nullptr), Error,
                       Message("the OpenCL library has no clCloneKernel: expected OpenCL 1.2 or "
                               "later"));
}

TEST_CASE("objects are released when nobody has them") {
  library = {};
  {
    const opencl::Device device;
    opencl::Owned<cl_mem> copy;
    {
      const opencl::Owned<cl_mem> buffer = device.buffer(8);
      copy = buffer;
      CHECK(library.live == 3);
    }
    CHECK(library.live == 3);
    CHECK_THROWS(device.buffer(0));
  }
  CHECK(library.live == 0);
}

TEST_CASE("a program is built of its text, or its error has what the compiler said") {
  library = {};
  const opencl::Device device;
  const std::string text = "kernel void k() {} // and more";
  CHECK(device.built(std::string_view(text).substr(0, 18), "-DN=2"));
  CHECK(library.calls == std::vector<std::string>{"kernel void k() {}", "-DN=2"});
  library.buildStatus = CL_BUILD_PROGRAM_FAILURE;
  try {
    device.built(text);
    FAIL("it was built");
  } catch (const opencl::BuildError &error) {
    CHECK(error.log() == "k.cl:1: error: no");
    CHECK(error.status() == CL_BUILD_PROGRAM_FAILURE);
    CHECK_THAT(error.what(), Equals("clBuildProgram failed with CL_BUILD_PROGRAM_FAILURE (-11): "
                                    "expected CL_SUCCESS: k.cl:1: error: no"));
  }
  CHECK(library.live == 2); // context and queue
}

TEST_CASE("arguments are set in order: handles, numbers and local memory") {
  library = {};
  _cl_mem memory;
  opencl::setArguments(nullptr, &memory, cl_uint{7}, 0.5F, opencl::LocalBytes{3});
  cl_mem handle = &memory;
  CHECK(library.arguments ==
        std::map<cl_uint, std::string>{
            {0, bytesOf(handle)}, {1, bytesOf(cl_uint{7})}, {2, bytesOf(0.5F)}, {3, "???"}});
}

TEST_CASE("times count from when the command was queued") {
  const opencl::CommandTimes times = opencl::timesOf(nullptr);
  CHECK(times.start == 3);
  CHECK(times.end == 10);
}
