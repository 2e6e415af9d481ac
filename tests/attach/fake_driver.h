/// An OpenCL driver without a device, for the tests of the layer: its clock advances by 10 ns with
/// each command, kernels do nothing, and commands end when the test says so.
#pragma once

#include "opencl_api/functions.h"

#include <CL/cl_layer.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aiwc::test {

/// What the driver of a test does. Set it before the layer is made.
struct FakeDriver {
  bool endsAtOnce = true;        ///< commands end when they are queued; else by `endAll`
  bool refusesProfiling = false; ///< queues with profiling cannot be made
  bool refusesCallbacks = false; ///< for events
  bool refusesReads = false;
  cl_uint parameters = 0; ///< of kernels
  std::string source = "kernel void scale(global float *x, int n) { x[get_global_id(0)] *= n; }";

  /// The functions of the driver.
  static const opencl::Functions &functions();
  /// Of this test: a new one, and the layer over it. Returns what an application calls.
  static const opencl::Functions &begin(const FakeDriver &driver);
  static FakeDriver &current();

  static void endAll();
  /// Reads of buffers so far.
  static size_t reads();
  /// Events that nobody has released.
  static size_t liveEvents();
  /// The waits of the last launch.
  static std::vector<cl_event> waitsOfLastLaunch();
  /// An event that ends when `endAll` is called or never.
  static cl_event userEvent();
};

} // namespace aiwc::test
