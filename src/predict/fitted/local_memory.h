/// Local memory of a work-group on a GPU: how it is laid out in banks, and how much of it there is.
#pragma once

#include "predict/device_profile.h"
#include "profile/kernel_profile.h"

#include <cstdint>
#include <map>
#include <string>

namespace aiwc::predict {

/// Turns of 32 banks of four bytes that an execution of the access takes, beyond those that its
/// bytes need: 1 without conflicts.
int64_t bankTurns(const profile::AccessRow &row, double workGroupSize);
/// Mean over the bytes of all accesses to local memory; 1 where there is none.
double meanBankTurns(const profile::KernelProfile &profile);

/// By name, of each local array the access that touches most of it: at most its size. Empty for a
/// profile without a table of accesses.
std::map<std::string, const profile::AccessRow *>
localArrays(const profile::KernelProfile &profile);
/// The sum of their bytes.
double localArrayBytes(const profile::KernelProfile &profile);

/// Bytes of local memory of a compute unit of a GPU. Where it shares its memory with the L1 cache,
/// as on NVIDIA from Volta on, what it cannot give to that. 0 if the device's profile does not
/// tell.
double localMemoryOfUnit(const DeviceProfile &device);

} // namespace aiwc::predict
