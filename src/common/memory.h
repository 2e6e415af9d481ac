/// The memory that this process can have.
#pragma once

#include <cstdint>
#include <optional>

namespace aiwc {

enum class Swap : uint8_t { kLeftOut, kIncluded };

/// The bytes that the machine, the container and this process's limit on addresses have left; none
/// if the system does not tell.
std::optional<uint64_t> availableMemory(Swap swap);

} // namespace aiwc
