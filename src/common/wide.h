#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace aiwc {

/// 128-bit integers, for products of two 64-bit counts and for sums of such products.
__extension__ typedef unsigned __int128 Wide; // NOLINT(modernize-use-using): no `using` form of it
__extension__ typedef __int128 SignedWide;    // NOLINT(modernize-use-using): likewise

inline constexpr uint64_t kLargestCount = std::numeric_limits<uint64_t>::max();

/// Returns value * numerator / denominator, rounded to the nearest integer, or no value if the
/// result exceeds 64 bits (which cannot happen if `value` is at most `denominator`).
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
