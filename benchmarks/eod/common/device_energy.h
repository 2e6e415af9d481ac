#pragma once

#include "eod/energy/energy.h"

#include <CL/cl.h>

#include <memory>

namespace aiwc::eod {

/// The counter for an OpenCL device: RAPL for processors, NVML for NVIDIA devices. Null if there is
/// none.
std::unique_ptr<EnergyCounter> counterFor(cl_device_id device);

} // namespace aiwc::eod
