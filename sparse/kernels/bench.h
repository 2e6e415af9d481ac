/// A workload on an OpenCL device.
#pragma once

#include "eod/common/device.h"
#include "eod/common/opencl.h"
#include "workload.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace aiwc::irregular {

class Bench {
public:
  /// Builds the kernel and allocates the buffers. `groupSize` is the work-items of a work-group
  /// where the workload leaves that open. Throws eod::UsageError if the device cannot hold the
  /// buffers or the work-groups, eod::Error if OpenCL fails.
  Bench(const eod::Device &device, const Kernel &kernel, const Workload &workload,
        uint32_t groupSize);

  /// Runs all launches, from the same content of the buffers every time. Returns the microseconds
  /// that the launches took on the device, start to end of each, added up.
  double run();

  /// The result of the last run.
  Numbers result();

private:
  void write(size_t buffer);
  eod::Owned<cl_event> launch(const Launch &launch);

  const Workload &workload_;
  uint32_t groupSize_;
  eod::Owned<cl_context> context_;
  eod::Owned<cl_command_queue> queue_;
  std::vector<eod::Owned<cl_mem>> memory_;
  std::map<std::string, eod::Owned<cl_kernel>> functions_;
};

} // namespace aiwc::irregular
