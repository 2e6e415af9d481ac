#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace aiwc {

/// For products of two counts, which are 64 bits wide, and for their sums.
__extension__ typedef unsigned __int128 Wide; // NOLINT(modernize-use-using): no `using` form of it
__extension__ typedef __int128 SignedWide;    // NOLINT(modernize-use-using): likewise

inline constexpr uint64_t kLargestCount = std::numeric_limits<uint64_t>::max();

/// value * numerator / denominator, to the nearest integer. `value` is at most `denominator`, or
/// the result has to fit: none where it does not.
inline std::optional<uint64_t> scaledCount(uint64_t value, uint64_t numerator,
                                           uint64_t denominator) {
  const Wide product = Wide{value} * numerator;
  const Wide quotient = product / denominator;
  const auto rest = static_cast<uint64_t>(product % denominator);
  const Wide result = quotient + (rest >= denominator - rest ? 1 : 0);
  if (result > kLargestCount)
    return std::nullopt;
  return static_cast<uint64_t>(result);
}

} // namespace aiwc
