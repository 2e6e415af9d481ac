#include "predict/fitted/local_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace aiwc::predict {

using profile::AccessRow;

int64_t bankTurns(const AccessRow &row, double workGroupSize) {
  constexpr int64_t kBanks = 32, kBankBytes = 4;
  if (!row.laneStride || *row.laneStride == 0 || *row.laneStride % kBankBytes != 0)
    return 1;
  const int64_t lanes = std::clamp(static_cast<int64_t>(workGroupSize), int64_t{1}, kBanks);
  const int64_t usedBanks = kBanks / std::gcd(std::abs(*row.laneStride) / kBankBytes, kBanks);
  // An element of several banks is read in several turns, whatever its stride.
  const auto words = std::max<int64_t>(
      1, static_cast<int64_t>(row.bytes / std::max<uint64_t>(1, row.accesses)) / kBankBytes);
  return std::max<int64_t>(1, (lanes + usedBanks - 1) / usedBanks / words);
}

double meanBankTurns(const profile::KernelProfile &profile) {
  double bytes = 0;
  double turns = 0;
  if (profile.accesses)
    for (const AccessRow &row : *profile.accesses)
      if (row.space == profile::MemorySpace::kLocal) {
        bytes += static_cast<double>(row.bytes);
        turns += static_cast<double>(row.bytes) *
                 static_cast<double>(
                     bankTurns(row, static_cast<double>(profile.count("work_items"_metric)) /
                                        static_cast<double>(profile.count("work_groups"_metric))));
      }
  return bytes > 0 ? turns / bytes : 1;
}

std::map<std::string, const AccessRow *> localArrays(const profile::KernelProfile &profile) {
  std::map<std::string, const AccessRow *> arrays;
  if (profile.accesses)
    for (const AccessRow &row : *profile.accesses)
      if (row.space == profile::MemorySpace::kLocal)
        if (const AccessRow *&array = arrays[row.array]; !array || row.footprint > array->footprint)
          array = &row;
  return arrays;
}

double localArrayBytes(const profile::KernelProfile &profile) {
  double bytes = 0;
  for (const auto &[name, row] : localArrays(profile))
    bytes += static_cast<double>(row->footprint);
  return bytes;
}

double localMemoryOfUnit(const DeviceProfile &device) {
  if (!device.has(Parameter::kComputeUnits) || !device.has(Parameter::kCacheCapacity))
    return 0;
  // The cache of a device is its local memory and the caches that all units share.
  double bytes = device[Parameter::kCacheCapacity];
  for (const Parameter shared : {Parameter::kL2Capacity, Parameter::kL3Capacity})
    if (device.has(shared))
      bytes -= device[shared];
  bytes /= device[Parameter::kComputeUnits];
  // NVIDIA CUDA C++ programming guide, compute capabilities 7.0 to 9.0: 96 of 128 KiB, 64 of 96,
  // 164 of 192, 100 of 128, 228 of 256.
  constexpr double kLeastL1 = 28 * 1024;
  if (device.has(Parameter::kL1Capacity) && device[Parameter::kL1Capacity] >= bytes)
    bytes -= kLeastL1;
  return std::max(0.0, std::floor(bytes));
}

} // namespace aiwc::predict
