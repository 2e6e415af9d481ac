/// What an application asks of a device before it chooses kernels and sizes, in OpenCL's words.
#pragma once

#include "predict/device_profile.h"

#include <string_view>

namespace aiwc::predict {

/// The type in OpenCL: "cpu", "gpu" or "accelerator". Integrated GPUs are GPUs.
std::string_view openClType(DeviceType type);

/// Whether an application that asks for this ("CL_DEVICE_TYPE") commonly launches other kernels or
/// sizes on another type of device. The limits of a device do not count.
bool decidesLaunches(std::string_view question);

} // namespace aiwc::predict
