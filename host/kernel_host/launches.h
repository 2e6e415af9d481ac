/// Launches of a kernel with given arguments.
#pragma once

#include "kernel_host/opencl.h"
#include "kernel_launch/signature.h"

#include <vector>

namespace aiwc::kernel_host {

/// The memory of a launch, which outlives it so that it can be read.
struct Launched {
  std::vector<Owned<cl_mem>> memory; ///< of each argument; null for values
  std::vector<std::string> errors;   ///< what the simulator reported, a line each
  /// Not empty: the launch left nothing in the run, since its buffers are too small. Of each
  /// argument the count to give instead (kernel_launch::grownCounts).
  std::vector<std::string> grown;
};

/// Sets the arguments, tells the plugin what they hold, launches the kernel and waits for its end.
/// `growable`: of each argument whether larger buffers may be tried; empty: of none. Throws Error
/// if OpenCL refuses an argument or the launch.
Launched launch(const Device &device, const BuiltProgram &program, cl_kernel kernel,
                const kernel_launch::Signature &signature,
                const std::vector<kernel_launch::Argument> &arguments,
                const kernel_launch::Sizes &sizes, size_t sharedBytes,
                const std::vector<bool> &growable = {});

/// What an image holds now, `bytes` bytes.
std::string readImage(const Device &device, cl_mem image, const kernel_launch::Argument &argument);

} // namespace aiwc::kernel_host
