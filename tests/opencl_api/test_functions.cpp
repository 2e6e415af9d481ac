#include "opencl_api/definition.h"
#include "opencl_api/functions.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

using namespace aiwc;

// Functions of OpenCL that this program has in place of a library's.

AIWC_OPENCL_FUNCTION(clFinish, queue) {
  return queue ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

/// The one with the most parameters.
AIWC_OPENCL_FUNCTION(clEnqueueReadBufferRect, queue, buffer, isBlocking, bufferOrigin, hostOrigin,
                     region, bufferRow, bufferSlice, hostRow, hostSlice, to, waits, waitList,
                     event) {
  static_assert(std::is_same_v<decltype(queue), cl_command_queue>);
  static_assert(std::is_same_v<decltype(waitList), const cl_event *>);
  *event = nullptr;
  return static_cast<cl_int>(bufferRow + hostSlice + waits);
}

AIWC_OPENCL_FUNCTION(clGetPlatformIDs, AIWC_NAMES_3) {
  return b && c ? CL_SUCCESS : static_cast<cl_int>(a);
}

namespace {

constexpr size_t kEntries = sizeof(cl_icd_dispatch) / sizeof(void *);

/// The entries of the loader's table that no version of OpenCL has, only extensions.
template <typename Visit> void forEachExtension(cl_icd_dispatch &table, const Visit &visit) {
  // OpenGL
  visit(table.clCreateFromGLBuffer);
  visit(table.clCreateFromGLTexture2D);
  visit(table.clCreateFromGLTexture3D);
  visit(table.clCreateFromGLRenderbuffer);
  visit(table.clGetGLObjectInfo);
  visit(table.clGetGLTextureInfo);
  visit(table.clEnqueueAcquireGLObjects);
  visit(table.clEnqueueReleaseGLObjects);
  visit(table.clGetGLContextInfoKHR);
  visit(table.clCreateEventFromGLsyncKHR);
  visit(table.clCreateFromGLTexture);
  // Direct3D
  visit(table.clGetDeviceIDsFromD3D10KHR);
  visit(table.clCreateFromD3D10BufferKHR);
  visit(table.clCreateFromD3D10Texture2DKHR);
  visit(table.clCreateFromD3D10Texture3DKHR);
  visit(table.clEnqueueAcquireD3D10ObjectsKHR);
  visit(table.clEnqueueReleaseD3D10ObjectsKHR);
  visit(table.clGetDeviceIDsFromD3D11KHR);
  visit(table.clCreateFromD3D11BufferKHR);
  visit(table.clCreateFromD3D11Texture2DKHR);
  visit(table.clCreateFromD3D11Texture3DKHR);
  visit(table.clCreateFromDX9MediaSurfaceKHR);
  visit(table.clEnqueueAcquireD3D11ObjectsKHR);
  visit(table.clEnqueueReleaseD3D11ObjectsKHR);
  visit(table.clGetDeviceIDsFromDX9MediaAdapterKHR);
  visit(table.clEnqueueAcquireDX9MediaSurfacesKHR);
  visit(table.clEnqueueReleaseDX9MediaSurfacesKHR);
  // EGL
  visit(table.clCreateFromEGLImageKHR);
  visit(table.clEnqueueAcquireEGLObjectsKHR);
  visit(table.clEnqueueReleaseEGLObjectsKHR);
  visit(table.clCreateEventFromEGLSyncKHR);
  // What became part of OpenCL 1.2 and 2.1 under another name
  visit(table.clCreateSubDevicesEXT);
  visit(table.clRetainDeviceEXT);
  visit(table.clReleaseDeviceEXT);
  visit(table.clGetKernelSubGroupInfoKHR);
}

} // namespace

TEST_CASE("the list has every function of the loader's table but the extensions") {
  cl_icd_dispatch table{};
  std::vector<size_t> visits(kEntries);
  const auto mark = [&](const auto &entry, const auto &...) {
    ++visits[static_cast<size_t>(reinterpret_cast<const char *>(&entry) -
                                 reinterpret_cast<const char *>(&table)) /
             sizeof(void *)];
  };
  opencl::forEachFunction(table, mark);
  forEachExtension(table, mark);
  CHECK(visits == std::vector<size_t>(kEntries, 1));
}

TEST_CASE("the list is in the order of the loader's table") {
  cl_icd_dispatch table{};
  const void *last = nullptr;
  opencl::forEachFunction(table, [&](const auto &entry, const char *) {
    CHECK(static_cast<const void *>(&entry) > last);
    last = &entry;
  });
}

TEST_CASE("functions are found by their names") {
  const opencl::Functions found = opencl::functionsFoundBy([](const char *name) -> void * {
    return std::strcmp(name, "clFinish") == 0 ? reinterpret_cast<void *>(&clFinish) : nullptr;
  });
  CHECK(found.clFinish == &clFinish);
  CHECK(!found.clFlush);
  CHECK(found.clFinish(nullptr) == CL_INVALID_COMMAND_QUEUE);
}

namespace {

void refuse(const char *name) {
  throw std::string(name);
}

} // namespace

TEST_CASE("a function that is absent fails when it is called, by its name") {
  opencl::Functions functions{};
  functions.clFinish = &clFinish;
  opencl::failWhereAbsent<refuse>(functions);
  CHECK(functions.clFinish == &clFinish);
  CHECK_THROWS_AS(functions.clFlush(nullptr), std::string);
  try {
    functions.clSVMAlloc(nullptr, 0, 1, 1);
  } catch (const std::string &name) {
    CHECK(name == "clSVMAlloc");
  }
}

TEST_CASE("a definition has the parameters that the headers declare") {
  const std::array<size_t, 3> place{};
  cl_event event = reinterpret_cast<cl_event>(&event);
  CHECK(clEnqueueReadBufferRect(nullptr, nullptr, CL_TRUE, place.data(), place.data(), place.data(),
                                1, 2, 4, 8, nullptr, 16, nullptr, &event) == 1 + 8 + 16);
  CHECK(!event);
  CHECK(clGetPlatformIDs(7, nullptr, nullptr) == 7);
}
