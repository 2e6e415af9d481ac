/// Local memory of a GPU.
#pragma once

#include "predict/device_profile.h"

namespace aiwc::predict {

/// Bytes of local memory of a compute unit of a GPU. Where it shares its memory with the L1 cache,
/// as on NVIDIA from Volta on, what it cannot give to that. 0 if the device's profile does not
/// tell.
double localMemoryOfUnit(const DeviceProfile &device);

} // namespace aiwc::predict
