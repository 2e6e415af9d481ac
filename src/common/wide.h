#pragma once

#include <cstdint>
#include <limits>

namespace aiwc {

/// For products of two counts, which are 64 bits wide.
__extension__ typedef unsigned __int128 Wide; // NOLINT(modernize-use-using): no `using` form of it

inline constexpr uint64_t kLargestCount = std::numeric_limits<uint64_t>::max();

} // namespace aiwc
