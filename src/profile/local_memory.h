/// Local memory of a work-group: how much of it there is, and how it lies in banks.
#pragma once

#include "profile/kernel_profile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace aiwc::profile {

/// Turns of 32 banks of four bytes that an execution of the access takes, beyond those that its
/// bytes need: 1 without conflicts.
int64_t bankTurns(const AccessRow &row, double workGroupSize);

/// By name, of each local array the access that touches most of it: at most its size. Empty for a
/// profile without a table of accesses.
std::map<std::string, const AccessRow *> localArrays(const KernelProfile &profile);

/// From the table of accesses: the sum of what work-groups touch of their local arrays. Turns as
/// measured; in profiles of before that metric, the mean of `bankTurns` over the bytes of all
/// accesses. Of a profile without that table, what it has in its place. No value: the kernel has no
/// local memory, or it is not known.
std::optional<LocalMemory> localMemoryOf(const KernelProfile &profile);

} // namespace aiwc::profile
