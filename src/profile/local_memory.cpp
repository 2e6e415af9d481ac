#include "profile/local_memory.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace aiwc::profile {

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

std::map<std::string, const AccessRow *> localArrays(const KernelProfile &profile) {
  std::map<std::string, const AccessRow *> arrays;
  if (profile.accesses)
    for (const AccessRow &row : *profile.accesses)
      if (row.space == MemorySpace::kLocal)
        if (const AccessRow *&array = arrays[row.array]; !array || row.footprint > array->footprint)
          array = &row;
  return arrays;
}

std::optional<LocalMemory> localMemoryOf(const KernelProfile &profile) {
  if (!profile.accesses)
    return profile.localMemory;
  LocalMemory memory;
  for (const auto &[name, row] : localArrays(profile))
    memory.groupBytes += row->footprint;
  if (memory.groupBytes == 0)
    return std::nullopt;
  const double groupSize = static_cast<double>(profile.count("work_items"_metric)) /
                           static_cast<double>(profile.count("work_groups"_metric));
  if (const double efficiency = profile.real("bank_efficiency"_metric); efficiency > 0) {
    memory.bankTurns = 1 / efficiency;
    return memory;
  }
  double bytes = 0;
  double turns = 0;
  for (const AccessRow &row : *profile.accesses)
    if (row.space == MemorySpace::kLocal) {
      bytes += static_cast<double>(row.bytes);
      turns += static_cast<double>(row.bytes) * static_cast<double>(bankTurns(row, groupSize));
    }
  if (bytes > 0)
    memory.bankTurns = turns / bytes;
  return memory;
}

} // namespace aiwc::profile
