/// A workload on an OpenCL device.
#pragma once

#include "eod/common/device.h"
#include "opencl_host/opencl.h"
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
  /// buffers or the work-groups, opencl::StatusError if OpenCL fails.
  Bench(const eod::Device &device, const WorkloadKernel &kernel, const Workload &workload,
        uint32_t groupSize);

  /// Runs all launches, from the same content of the buffers every time. Returns the microseconds
  /// that the launches took on the device, start to end of each, added up.
  double run();

  /// The result of the last run.
  Numbers result();

private:
  void write(size_t buffer);
  opencl::Owned<cl_event> launch(const WorkloadLaunch &launch);

  const Workload &workload_;
  uint32_t groupSize_;
  opencl::Device device_;
  std::vector<opencl::Owned<cl_mem>> memory_;
  std::map<std::string, opencl::Owned<cl_kernel>> functions_;
};

} // namespace aiwc::irregular
