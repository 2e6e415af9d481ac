#pragma once

#include "profile/kernel_profile.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace aiwc::metrics {

/// Counts reuse distances by the bins of their histogram (profile/reuse.h): an array access each.
class ReuseBins {
public:
  void add(uint64_t distance) { ++counts_[indexOf(distance)]; }
  void merge(const ReuseBins &other);
  /// Lowest distance of a bin -> accesses, increasing; bins without any are left out.
  profile::Histogram histogram() const;

private:
  static constexpr unsigned kExactBits = 6; ///< distances of so many bits have a bin each
  static constexpr unsigned kPartBits = 3;  ///< log2 of the bins per power of two beyond
  static constexpr size_t kBins =
      (size_t{1} << kExactBits) + (size_t{64 - kExactBits} << kPartBits);

  static size_t indexOf(uint64_t distance) {
    if (distance < uint64_t{1} << kExactBits)
      return distance;
    const auto power = static_cast<unsigned>(std::bit_width(distance)) - 1;
    const uint64_t part = distance >> (power - kPartBits) & ((uint64_t{1} << kPartBits) - 1);
    return (size_t{1} << kExactBits) + (size_t{power - kExactBits} << kPartBits) + part;
  }

  std::array<uint64_t, kBins> counts_{};
};

} // namespace aiwc::metrics
